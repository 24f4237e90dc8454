"""What the models of a checklist file share: their base, and types for their fields."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, GetJsonSchemaHandler, TypeAdapter, create_model
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema
from pydantic_core.core_schema import union_schema

from shakeproof.perturbations.levels import LevelRange
from shakeproof.validation import Trail, shown, validate

UNFIT = ("::", "[", "\n")  # what the parts of a pytest node id may not contain


class Written(BaseModel):
    """A mapping as written in the file.

    Every key has a default, so that a file with mistakes can be read to its end; keys that a file
    needs are "required" in the JSON Schema alone, and the readers ask for them by name.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")


class SchemaOf:
    """Describes a field by a type in the JSON Schema, while a function of ours reads its value.

    For values whose type depends on a name in the file, or that have a short form: pydantic would
    report one error for each type that it tried. `describe` is called when the schema is made, so
    that the type can name what is registered by then.
    """

    def __init__(self, describe: Callable[[], Any]) -> None:
        self.describe = describe

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        inner = TypeAdapter(self.describe()).core_schema
        return handler(union_schema([inner]))  # alone it would lose what `Field` adds to it


def with_schema(kind: Any, **schema: Any) -> Any:  # noqa: ANN401 - a type, and JSON
    """Return a type with more entries in its JSON Schema."""
    return Annotated[kind, Field(json_schema_extra=schema)]


def list_of(kind: Any) -> Any:  # noqa: ANN401 - a type
    """Return the type of a list with at least one entry."""
    return Annotated[list[kind], Field(min_length=1)]


def mapping_of(kind: Any, **sizes: int) -> Any:  # noqa: ANN401 - a type
    """Return the type of a mapping from names to values of one type."""
    return with_schema(dict[str, kind], **sizes)


def one_or_more(kind: Any) -> Any:  # noqa: ANN401 - a type of any form
    """Return the type of one value, or a list of different ones."""
    return kind | with_schema(list_of(kind), uniqueItems=True)


def one_of(names: Iterable[str]) -> Any:  # noqa: ANN401 - a type
    """Return the type of a text that is one of some names."""
    return with_schema(str, enum=sorted(names))


def one_named(title: str, types: Mapping[str, Any], bare: Iterable[str]) -> Any:  # noqa: ANN401
    """Return the type of one of some names: alone, or as the key of a value of its type."""
    return one_of(bare) | keyed(title, types, max_keys=1)


def keyed(
    title: str,
    types: Mapping[str, Any],
    *,
    others: Any = None,  # noqa: ANN401 - a type
    max_keys: int | None = None,
) -> Any:  # noqa: ANN401 - a type
    """Return the type of a mapping that may have some keys, each with a value of its type.

    `others` is the type of the values of all other keys; without it there may be none.
    """
    sizes: dict[str, Any] = {"minProperties": 1} | ({"maxProperties": max_keys} if max_keys else {})
    extra: Literal["allow", "forbid"] = "forbid" if others is None else "allow"
    namespace = {
        "__module__": __name__,
        "model_config": ConfigDict(extra=extra, json_schema_extra=sizes),
        "__annotations__": {} if others is None else {"__pydantic_extra__": dict[str, others]},
    }
    base: Any = type(title, (BaseModel,), namespace)
    fields: dict[str, Any] = {
        f"key_{number}": (kind, Field(None, alias=name))
        for number, (name, kind) in enumerate(types.items())
    }
    return create_model(title, __base__=base, **fields)


def level_type(levels: LevelRange) -> Any:  # noqa: ANN401 - a type
    """Return the type of the levels in a range."""
    kind = int if levels.whole else float
    if levels.excluded:
        return Annotated[kind, Field(gt=levels.lowest, le=levels.highest)]
    return Annotated[kind, Field(ge=levels.lowest, le=levels.highest)]


def has_defaults(model: type[BaseModel]) -> bool:
    """Return whether a model needs no value: all its fields have defaults."""
    return validate(model, {})[0] is not None


Text = Annotated[str, Field(min_length=1)]
NAME_SCHEMA: dict[str, Any] = {
    "type": "string",
    "minLength": 1,
    "not": {"pattern": "|".join(part.replace("[", "\\[") for part in UNFIT)},
}


def name_problem(what: str, name: str) -> str:
    """Return why a name cannot be a part of a pytest node id, or nothing if it can."""
    unfit = next((part for part in UNFIT if part in name), None)
    if unfit is not None:
        return f"the name of a {what} may not contain {unfit!r}, got {shown(name)}"
    if name != name.strip() or not name:
        return f"the name of a {what} may not be empty, nor begin or end with a space"
    return ""


def entries(value: object, trail: Trail) -> list[tuple[Any, Trail]]:
    """Return one value, or the values of a list, each with its trail."""
    if not isinstance(value, list):
        return [(value, trail)]
    return [(entry, (*trail, position)) for position, entry in enumerate(value)]
