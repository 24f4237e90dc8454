"""The data that a user passes to a run instead of those that the checklist names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeAlias

from shakeproof.data.loading import WRITTEN
from shakeproof.data.segments import DataSet
from shakeproof.data.tables_in_memory import Table, table_data
from shakeproof.errors import SpecError, unknown
from shakeproof.spec.model import Checklist

Source: TypeAlias = str | Path | Table


@dataclass(frozen=True, slots=True)
class ReplacedData:
    """Paths and tables, by the name or group that the checklist has for them."""

    paths: Mapping[str, str] = field(default_factory=dict)
    tables: Mapping[str, DataSet] = field(default_factory=dict)


def replace_data(
    checklist: Checklist, data: Source | Mapping[str, Source] | None
) -> tuple[Checklist, ReplacedData]:
    """Read tables; return the checklist, without segments of its own if they are replaced."""
    if data is None:
        return checklist, ReplacedData()
    if isinstance(data, Mapping):
        _check_names(checklist, data)
        return checklist, _read(data)
    if len(checklist.data) > 1:
        groups = ", ".join(map(repr, checklist.data))
        raise SpecError(f"the checklist has several groups, {groups}; write data={{group: …}}")
    if checklist.segments:
        checklist = replace(checklist, segments=(), data={"": WRITTEN})
    ((group, place),) = checklist.data.items()
    return checklist, _read({group or place: data})


def _check_names(checklist: Checklist, names: Mapping[str, Source]) -> None:
    known = [group or place for group, place in checklist.data.items()]
    for name in names:
        if name not in known and name not in checklist.data.values():
            raise unknown("data set or group of the checklist", name, known)


def _read(data: Mapping[str, Source]) -> ReplacedData:
    paths = {name: str(one) for name, one in data.items() if isinstance(one, str | Path)}
    tables = {name: table_data(one, name) for name, one in data.items() if name not in paths}
    return ReplacedData(paths, tables)
