"""Validate plain values with pydantic, and put its errors into words for users."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, TypeAlias, TypeVar, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from shakeproof.errors import closest, hint, suggestion

M = TypeVar("M", bound=BaseModel)

# The keys and list positions that lead from the top of a file to a value.
Trail: TypeAlias = tuple[str | int, ...]

UNKNOWN_KEY = "extra_forbidden"
MAX_SHOWN = 60  # characters of a value in a message
EXPECTED = {
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "float_parsing": "a number",
    "finite_number": "a finite number",
    "string_type": "text",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "list_type": "a list",
    "tuple_type": "a list",
    "set_type": "a list",
    "frozen_set_type": "a list",
    "dict_type": "a mapping",
    "model_type": "a mapping",
    "none_required": "empty",
    "literal_error": "{expected}",
    "enum": "{expected}",
    "greater_than": "above {gt}",
    "greater_than_equal": "at least {ge}",
    "less_than": "below {lt}",
    "less_than_equal": "at most {le}",
    "string_too_short": "text of {min_length} or more characters",
    "string_pattern_mismatch": "text of the form {pattern}",
    "too_short": "a list of {min_length} or more",
    "too_long": "a list of {max_length} at most",
}


@dataclass(frozen=True, slots=True)
class Problem:
    """A mistake in a value; `trail` leads to it, and `key` says that the key is wrong."""

    trail: Trail
    message: str
    key: bool = False
    meant: str | None = None  # the known key that an unknown one resembles


def validate(model: type[M], value: object) -> tuple[M | None, list[Problem]]:
    """Make a model of a plain value, or return all its problems, with trails from the value.

    The value passes through JSON, where a list can become a tuple, but neither '3' a number nor
    1 a truth value. Models inside the value are valid already and count as empty mappings.
    """
    text = json.dumps(value, default=_empty)
    try:
        return model.model_validate_json(text, strict=True), []
    except ValidationError as error:
        return None, list(_problems(error.errors(), model, value))


def _empty(value: object) -> dict[str, object]:
    if isinstance(value, BaseModel):
        return {}
    raise TypeError(f"{value!r} is not a plain value")


def shown(value: object) -> str:
    """Return a short form of a value for a message."""
    if isinstance(value, dict | list):
        return "a mapping" if isinstance(value, dict) else "a list"
    if value is None or value == "":
        return "nothing"
    text = str(value).lower() if isinstance(value, bool) else repr(value)
    return text if len(text) <= MAX_SHOWN else text[: MAX_SHOWN - 1] + "…"


def name_of(trail: Trail) -> str:
    """Return the key of a value; an entry of a list is "each of" the key of the list."""
    names = [step for step in trail if isinstance(step, str)]
    name = names[-1] if names else "this"
    return f"each of {name}" if trail and isinstance(trail[-1], int) else name


def _problems(
    errors: Sequence[ErrorDetails], model: type[BaseModel], value: object
) -> Iterator[Problem]:
    """Put errors into words: one problem for each value, however many types of a union failed."""
    misspelt = {_likely_key(error, model) for error in errors}
    for trail, group in groupby(errors, key=lambda error: _trail(error, value)):
        together = list(group)
        kind = together[0]["type"]
        if kind == "missing" and trail[-1] in misspelt:
            continue  # reported as a misspelt key
        message = _message(trail, together, model)
        meant = _likely_key(together[0], model)
        yield Problem(trail, message, key=kind == UNKNOWN_KEY, meant=meant)


def _trail(error: ErrorDetails, value: Any) -> Trail:  # noqa: ANN401 - YAML
    """Return the part of an error's location that leads through the value.

    The other steps of the location name the members of unions.
    """
    trail: list[str | int] = []
    for position, step in enumerate(error["loc"], start=1):
        last = position == len(error["loc"])
        if _has(value, step):
            value = value[step]
        elif not (last and error["type"] in ("missing", UNKNOWN_KEY)):
            continue
        trail.append(step)
    return tuple(trail)


def _has(value: object, step: str | int) -> bool:
    if isinstance(value, list):
        return isinstance(step, int) and step < len(value)
    return isinstance(value, Mapping) and step in value


def _message(trail: Trail, errors: list[ErrorDetails], model: type[BaseModel]) -> str:
    first, name = errors[0], name_of(trail)
    value = first["input"]
    if first["type"] == UNKNOWN_KEY:
        key = str(trail[-1])
        return f"unknown key {key!r}; {hint(key, _keys(model, first['loc'][:-1]))}"
    if first["type"] == "missing":
        return f"{str(trail[-1])!r} is missing"
    if first["type"] in ("value_error", "assertion_error"):
        return str(first["ctx"]["error"])
    choices = [choice for error in errors for choice in _choices(error)]
    if isinstance(value, str) and len(errors) == 1 and choices:
        return f"unknown {name} {value!r}; {hint(value, choices)}"
    expected = " or ".join(dict.fromkeys(_expected(error, model) for error in errors))
    advice = suggestion(value, choices) if isinstance(value, str) else ""
    if expected == "text" and isinstance(value, bool | int | float):
        advice = "put it in quotes"
    message = f"{name} must be {expected}, got {shown(value)}"
    return f"{message}; {advice}" if advice else message


def _expected(error: ErrorDetails, model: type[BaseModel]) -> str:
    if error["type"] == "string_pattern_mismatch" and (examples := _examples(error, model)):
        return f"text such as {examples[0]!r}"
    words = EXPECTED.get(error["type"])
    limits = {name: _written(value) for name, value in error.get("ctx", {}).items()}
    return words.format(**limits) if words else f"right ({error['msg']})"


def _written(limit: object) -> str:
    if isinstance(limit, float):
        return f"{limit:g}"
    return f"{limit:,}" if isinstance(limit, int) else str(limit)


def _choices(error: ErrorDetails) -> list[str]:
    if error["type"] not in ("literal_error", "enum"):
        return []
    return re.findall(r"'([^']*)'", str(error["ctx"]["expected"]))


def _likely_key(error: ErrorDetails, model: type[BaseModel]) -> str | None:
    if error["type"] != UNKNOWN_KEY:
        return None
    return closest(str(error["loc"][-1]), _keys(model, error["loc"][:-1]))


def _examples(error: ErrorDetails, model: type[BaseModel]) -> list[object]:
    """Return the examples in the declaration of the field that an error is about."""
    fields = {field.alias or name: field for name, field in model.model_fields.items()}
    field = fields.get(str(error["loc"][-1]))
    return (field.examples if field else None) or []


def _keys(model: type[BaseModel], trail: Sequence[str | int]) -> list[str]:
    """Return the keys of the mapping at `trail`, which may lead into nested models."""
    for step in trail:
        field = model.model_fields.get(str(step))
        model = next(_models(field.annotation), model) if field else model
    return [field.alias or name for name, field in model.model_fields.items()]


def _models(annotation: Any) -> Iterator[type[BaseModel]]:  # noqa: ANN401 - a type of any form
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for inner in get_args(annotation):
        yield from _models(inner)
