"""Find a measured number in a run: a result, one of its parts, a count of the data, or a fact."""

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
SUFFIX = ".checklist.yaml"


class Source(BaseModel):
    """Where a run has a number, in the keys of a file of published numbers.

    It is a `count` of `data`, a `fact` about a metric, or a result by metric, check, family and
    level: its estimate, or the `part` of that name, in a `group`, or its `realised` severity.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    checklist: str | None = None  # its file without the suffix; any if left out
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
    elsewhere: str | None = None  # the number is not in a run; says what measures it
    otherwise: dict[str, Any] = {}  # keys of the substitute, such as another metric

    def substitute(self) -> Source:
        """Return the source of the number that may replace this one."""
        return Source.model_validate({**self.model_dump(exclude={"otherwise"}), **self.otherwise})


@dataclass(frozen=True, slots=True)
class Measurement:
    """A measured number and the result that has it, or why there is none."""

    estimate: Estimate | None = None
    result: str = ""
    reason: str = ""
    substitute: str = ""  # the metric it was measured with instead, and why


def find_measurement(source: Source, run: Run, left_out: Mapping[str, str]) -> Measurement:
    """Find a number, or else its substitute; `left_out` says what was not run, and why."""
    measurement = _find(source, run, left_out)
    if measurement.estimate is not None or not source.otherwise:
        return measurement
    other = _find(source.substitute(), run, left_out)
    if other.estimate is None:
        return measurement
    name = source.otherwise.get("metric", source.metric)
    reason = measurement.reason.removeprefix(UNMEASURED)
    return replace(other, substitute=f"{name}, because {reason}")


def _find(source: Source, run: Run, left_out: Mapping[str, str]) -> Measurement:
    if source.elsewhere:
        return Measurement(reason=source.elsewhere)
    for name in (source.group, source.data, source.metric, source.check):
        if name is not None and name in left_out:
            return Measurement(reason=f"{UNMEASURED}{left_out[name]}")
    records = [
        record for record in run.checklists if source.checklist in (None, _stem(record.file))
    ]
    if source.count:
        return _count(source, source.count, records)
    if source.fact:
        return _fact(source, records)
    files = {record.file for record in records}
    results = [
        result for result in run.results if result.file in files and _is_result(source, result)
    ]
    if not results:
        return Measurement(reason=f"{UNMEASURED}the run has no such result")
    return _in_result(source, results[0], records)


def _stem(file: str) -> str:
    return file.rpartition("/")[2].removesuffix(SUFFIX)


def _is_result(source: Source, result: Result) -> bool:
    return (
        (result.metric, result.check) == (source.metric, source.check)
        and source.family in (None, result.family)
        and source.level in (None, result.level)
    )


def _in_result(source: Source, result: Result, records: list[ChecklistRecord]) -> Measurement:
    if result.outcome is Outcome.ERROR:
        return Measurement(result=result.id, reason=f"{UNMEASURED}{result.message}")
    if source.realised:
        value = getattr(result.realised, source.realised, None)
        return _number(value, "mean over texts", result.id)
    groups = [data.name for record in records if record.file == result.file for data in record.data]
    whole = source.group is None or groups == [source.group]  # the only group is the whole data
    if source.part is None and whole:
        return Measurement(result.estimate, result.id)
    group = "" if whole else source.group
    for part in result.parts:
        named = source.part in (None, part.name) and part.group == group
        if named and source.at in (None, part.level):
            return Measurement(part.estimate, result.id)
    return Measurement(result=result.id, reason=f"{UNMEASURED}the result has no such part")


def _count(source: Source, count: Count, records: list[ChecklistRecord]) -> Measurement:
    for record in records:
        for data in record.data:
            if data.name == source.data:
                return _number(_counted(data, count), "count", "")
    return Measurement(reason=f"{UNMEASURED}the run has no data {source.data!r}")


def _counted(data: DataRecord, count: Count) -> float:
    if count == "candidates per segment":
        return data.candidates / data.segments
    return float(getattr(data, count))


def _fact(source: Source, records: list[ChecklistRecord]) -> Measurement:
    for record in records:
        for metric in record.metrics:
            if metric.name == source.metric and source.fact in metric.facts:
                return _number(metric.facts[source.fact], "fact", "")
    return Measurement(reason=f"{UNMEASURED}no fact {source.fact!r}")


def _number(value: float | None, method: str, result: str) -> Measurement:
    if value is None:
        return Measurement(result=result, reason=f"{UNMEASURED}the run does not say")
    return Measurement(Estimate(value=float(value), method=method), result)
