"""Where in a run a number stands: a result, one of its parts, a count, a fact."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict

from shakeproof.results import ChecklistRecord, DataRecord, Estimate, Outcome, Result, Run

Realised: TypeAlias = Literal["letters", "words", "segments", "edits", "unknown", "unknown_before"]
Count: TypeAlias = Literal[
    "segments", "candidates", "rated", "preferences", "candidates per segment"
]

UNMEASURED = "not measured: "
ENDING = ".checklist.yaml"


class Source(BaseModel):
    """What to look for.

    `count` of `data`, a `fact` of a metric, or a result by metric, check, family and level, and
    there the estimate, or the `part` of that name, in a `group`, or what was `realised`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    checklist: str | None = None  # its file without the ending; any if left out
    metric: str | None = None
    check: str | None = None
    family: str | None = None
    level: float | None = None
    part: str | None = None
    at: float | None = None  # the level of the part
    group: str | None = None
    realised: Realised | None = None
    fact: str | None = None
    data: str | None = None
    count: Count | None = None
    elsewhere: str | None = None  # not in a run at all, but there
    otherwise: dict[str, Any] = {}  # keys for what may stand in, such as another metric

    def instead(self) -> Source:
        """Give the source of what may stand in."""
        return Source.model_validate({**self.model_dump(exclude={"otherwise"}), **self.otherwise})


@dataclass(frozen=True, slots=True)
class Found:
    """A measured number and the result that holds it, or why there is none."""

    estimate: Estimate | None = None
    result: str = ""
    why: str = ""
    instead: str = ""  # what it was measured with in the place of what was asked for


def find(source: Source, run: Run, absent: Mapping[str, str]) -> Found:
    """Look a number up, or what may stand in for it; `absent` says what was left out, and why."""
    found = _find(source, run, absent)
    if found.estimate is not None or not source.otherwise:
        return found
    other = _find(source.instead(), run, absent)
    if other.estimate is None:
        return found
    name = source.otherwise.get("metric", source.metric)
    why = found.why.removeprefix(UNMEASURED)
    return replace(other, instead=f"{name}, because {why}")


def _find(source: Source, run: Run, absent: Mapping[str, str]) -> Found:
    if source.elsewhere:
        return Found(why=source.elsewhere)
    for name in (source.group, source.data, source.metric, source.check):
        if name is not None and name in absent:
            return Found(why=f"{UNMEASURED}{absent[name]}")
    records = [one for one in run.checklists if source.checklist in (None, _stem(one.file))]
    if source.count:
        return _counted(source, records)
    if source.fact:
        return _fact(source, records)
    found = _results(source, run, {one.file for one in records})
    if not found:
        return Found(why=f"{UNMEASURED}the run has no such result")
    return _in_result(source, found[0], records)


def _stem(file: str) -> str:
    return file.rpartition("/")[2].removesuffix(ENDING)


def _results(source: Source, run: Run, files: set[str]) -> list[Result]:
    return [
        one
        for one in run.results
        if one.file in files
        and (one.metric, one.check) == (source.metric, source.check)
        and source.family in (None, one.family)
        and source.level in (None, one.level)
    ]


def _in_result(source: Source, result: Result, records: list[ChecklistRecord]) -> Found:
    if result.outcome is Outcome.ERROR:
        return Found(result=result.id, why=f"{UNMEASURED}{result.message}")
    if source.realised:
        value = getattr(result.realised, source.realised, None)
        return _number(value, "mean over texts", result.id)
    whole = _whole(source, result, records)
    if source.part is None and whole:
        return Found(result.estimate, result.id)
    for part in result.parts:
        group = "" if whole else source.group
        wanted = (source.part in (None, part.name), part.group == group)
        if all(wanted) and source.at in (None, part.level):
            return Found(part.estimate, result.id)
    return Found(result=result.id, why=f"{UNMEASURED}the result has no such part")


def _whole(source: Source, result: Result, records: list[ChecklistRecord]) -> bool:
    """Say whether the estimate itself is meant: no group, or the only one there is."""
    groups = [one.name for record in records if record.file == result.file for one in record.data]
    return source.group is None or groups == [source.group]


def _counted(source: Source, records: list[ChecklistRecord]) -> Found:
    for record in records:
        for data in record.data:
            if data.name == source.data:
                return _number(_count(data, source.count or ""), "count", "")
    return Found(why=f"{UNMEASURED}the run has no data {source.data!r}")


def _count(data: DataRecord, what: str) -> float:
    if what == "candidates per segment":
        return data.candidates / data.segments
    return float(getattr(data, what))


def _fact(source: Source, records: list[ChecklistRecord]) -> Found:
    for record in records:
        for metric in record.metrics:
            if metric.name == source.metric and source.fact in metric.facts:
                return _number(metric.facts[source.fact], "fact", "")
    return Found(why=f"{UNMEASURED}no fact {source.fact!r}")


def _number(value: float | None, method: str, result: str) -> Found:
    if value is None:
        return Found(result=result, why=f"{UNMEASURED}the run does not say")
    return Found(Estimate(value=float(value), method=method), result)
