"""The data of a checklist: a name, a path, several of them, or segments in the file itself."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import PurePath
from typing import Any, TypeGuard

from shakeproof.data.json_lines import SegmentReader
from shakeproof.data.named import NAMED_DATA
from shakeproof.spec.diagnostics import Diagnostics
from shakeproof.spec.variables import expand_variables
from shakeproof.spec.written import (
    NAME_SCHEMA,
    Text,
    keyed,
    list_of,
    mapping_of,
    with_schema,
)
from shakeproof.validation import Trail, shown

TOP: Trail = ("data",)
EACH = "each"  # the key of data sets that are checked one by one
EXAMPLE = "data: sample, data: file.jsonl or data: {gu-en: a.jsonl, kk-en: b.jsonl}"
EACH_EXAMPLE = "each: [a.jsonl, b.jsonl] or each: {first: a.jsonl, second: b.jsonl}"


def data_type() -> Any:  # noqa: ANN401 - a type
    """Return the type of `data`; what else segments have is checked when they are read."""
    segments = list_of(with_schema(dict[str, Any], required=["id", "candidates"]))
    groups = with_schema(mapping_of(Text, minProperties=1), propertyNames={"not": {"const": EACH}})
    named = with_schema(mapping_of(Text, minProperties=1), propertyNames=NAME_SCHEMA)
    each = keyed("each", {EACH: list_of(Text) | named}, max_keys=1)
    return with_schema(Text, examples=[*NAMED_DATA]) | groups | each | segments


def are_segments(value: object) -> TypeGuard[list[dict[str, Any]]]:
    """Return whether the data are segments written in the checklist."""
    return isinstance(value, list) and bool(value) and all(isinstance(row, dict) for row in value)


def are_separate(value: object) -> bool:
    """Return whether the data are several data sets, of which each is checked by itself."""
    return isinstance(value, dict) and EACH in value


def read_data(
    value: object, variables: Mapping[str, str], diagnostics: Diagnostics
) -> dict[str, str]:
    """Return the path or name of each group or separate data set; "" is the name of a single one.

    Nothing is returned for segments in the file, which are only checked. Environment variables are
    replaced by their values.
    """
    if value is None or value == {}:
        if not diagnostics.is_wrong(TOP):
            diagnostics.add(TOP, f"no data; write {EXAMPLE}", key=True)
        return {}
    if isinstance(value, str) and value.strip():
        return {"": _expanded(value, TOP, variables, diagnostics)}
    if are_segments(value):
        _check_segments(value, diagnostics)
        return {}
    if not isinstance(value, dict):
        message = f"data must be a name, a path or a mapping of groups, got {shown(value)}"
        diagnostics.add(TOP, f"{message}; write {EXAMPLE}")
        return {}
    if EACH in value:
        return _read_each(value, variables, diagnostics)
    return _read_named("group", value, TOP, variables, diagnostics)


def _read_each(
    value: Mapping[str, Any], variables: Mapping[str, str], diagnostics: Diagnostics
) -> dict[str, str]:
    """Return the path or name of each separate data set; a list gets its names from the paths."""
    trail, listed = (*TOP, EACH), value[EACH]
    if len(value) > 1:
        other = next(key for key in value if key != EACH)
        diagnostics.add((*TOP, other), f"each stands alone, without {other!r}", key=True)
    if isinstance(listed, dict) and listed:
        return _read_named("data set", listed, trail, variables, diagnostics)
    if not isinstance(listed, list) or not listed:
        message = f"each must be a list of paths or a mapping of names, got {shown(listed or None)}"
        diagnostics.add(trail, f"{message}; write {EACH_EXAMPLE}")
        return {}
    places: dict[str, str] = {}
    for position, path in enumerate(listed):
        at = (*trail, position)
        if not isinstance(path, str) or not path.strip():
            diagnostics.add(at, f"each must list paths, got {shown(path)}")
            continue
        place = _expanded(path, at, variables, diagnostics)
        name = PurePath(place).stem
        diagnostics.check_name("data set", name, at)
        if name in places:
            message = f"two data sets are named {name!r}; name them: each: {{first: …, second: …}}"
            diagnostics.add(at, message)
        places[name] = place
    return places


def _read_named(
    what: str,
    value: Mapping[str, Any],
    trail: Trail,
    variables: Mapping[str, str],
    diagnostics: Diagnostics,
) -> dict[str, str]:
    """Return paths or names by the names that are written before them."""
    places = {}
    for name, path in value.items():
        at = (*trail, name)
        diagnostics.check_name(what, name, at, key=True)
        if isinstance(path, str) and path.strip():
            places[name] = _expanded(path, at, variables, diagnostics)
        else:
            diagnostics.add(at, f"{what} {name!r} must be a path, got {shown(path)}")
    return places


def _expanded(
    text: str, trail: Trail, variables: Mapping[str, str], diagnostics: Diagnostics
) -> str:
    """Put in the values of environment variables."""
    try:
        expanded = expand_variables(text, variables)
    except ValueError as error:
        diagnostics.add(trail, str(error))
        return text
    if not expanded.strip():
        diagnostics.add(trail, f"{text!r} is empty, as its environment variable is")
    return expanded


def _check_segments(rows: list[dict[str, Any]], diagnostics: Diagnostics) -> None:
    """Check segments like the lines of a data file."""
    ids: set[tuple[str, str]] = set()
    for position, row in enumerate(rows):
        reader = SegmentReader(position + 1)
        reader.read(json.loads(json.dumps(row)))
        if reader.key is not None:
            if reader.key in ids:
                reader.problems.append(f"id {reader.key[1]!r} is used twice")
            ids.add(reader.key)
        for problem in reader.problems:
            diagnostics.add((*TOP, position), problem)
