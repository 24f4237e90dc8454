"""Build checks and checklists in code."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypeAlias, TypedDict, Unpack

from shakeproof.data.ratings import PLAIN
from shakeproof.data.tables_in_memory import Table, segment_rows
from shakeproof.errors import SpecError
from shakeproof.expectations import Expectation
from shakeproof.metrics.options import Options
from shakeproof.metrics.settings import Precision
from shakeproof.spec.model import Check, Checklist, KnownFailure, Perturb, Ratings, Severity
from shakeproof.spec.read import build_checklist

# A metric as options, or as a checklist writes it: a kind, or a kind with its options.
WrittenMetric: TypeAlias = Options | Mapping[str, Any] | str
StrOrPath: TypeAlias = str | Path


class ChecklistSettings(TypedDict, total=False):
    """The other keys of a checklist file."""

    language: str
    source_language: str
    seed: int
    seeds: int
    confidence: float
    draws: int
    interval: Literal["studentised", "expanded", "bca"]
    tolerance: Mapping[str, float]
    development: float | Mapping[str, Any]
    extend_with_copies: int
    cluster: str
    missing_at_most: float
    precision: Precision
    rating: str | Sequence[str]
    families: Mapping[str, Mapping[str, Any]]


def check(
    name: str,
    expect: Expectation,
    *,
    perturb: Perturb | Sequence[Perturb] = (),
    metrics: Sequence[str] = (),
    known_failure: KnownFailure | str | None = None,
    severity: Severity = "fail",
    requires: Sequence[str] = (),
    missing_at_most: float | None = None,
    rating: str | Sequence[str] = PLAIN,
) -> Check:
    """Return a check, for all metrics of the checklist unless `metrics` names some."""
    known = KnownFailure(known_failure) if isinstance(known_failure, str) else known_failure
    return Check(
        name=name,
        line=0,
        metrics=tuple(metrics),
        perturb=(perturb,) if isinstance(perturb, Perturb) else tuple(perturb),
        expect=expect,
        known_failure=known,
        severity=severity,
        requires=tuple(requires),
        missing_at_most=missing_at_most,
        ratings=Ratings((rating,)) if isinstance(rating, str) else Ratings(tuple(rating), True),
    )


def checklist(
    checks: Iterable[Check],
    *,
    data: StrOrPath | Mapping[str, StrOrPath] | Table,
    metrics: Mapping[str, WrittenMetric],
    title: str = "built in code",
    file: StrOrPath = "code.checklist.yaml",
    **settings: Unpack[ChecklistSettings],
) -> Checklist:
    """Return a checklist; all its mistakes are raised at once, as for a file.

    The data are a name, a path, paths by group, or segments, which become a part of the checklist:
    a list of mappings like the lines of a data file, a pandas frame, or a data set of Hugging Face.
    The checklist's `text` is the YAML with the same meaning, ready to be written to `file`.
    """
    content = {
        "checklist": title,
        "data": _written_data(data),
        **settings,
        "metrics": metrics,
        "checks": [_written(check) for check in checks],
    }
    return build_checklist(content, Path(file))


def _written_data(data: StrOrPath | Mapping[str, StrOrPath] | Table) -> object:
    """Return data as a checklist file has them: a place, places by group, or segments."""
    if isinstance(data, Mapping):
        tables = [group for group, place in data.items() if not isinstance(place, str | Path)]
        if tables:
            message = f"group {tables[0]!r} must be a path or a name"
            raise SpecError(f"data: {message}; pass tables to shakeproof.run(…, data={{group: …}})")
    if isinstance(data, str | Path | Mapping | list):
        return data
    return list(segment_rows(data, "data")[1])


def _written(check: Check) -> dict[str, Any]:
    """Return a check as in a checklist file, but with its expectation as an object."""
    known = check.known_failure
    failure = known and {"reason": known.reason, "metrics": known.metrics, "levels": known.levels}
    perturbs = [
        {
            perturb.family: {
                "on": perturb.on,
                **({"levels": perturb.levels} if perturb.levels else {}),
                **({"stored": True} if perturb.stored else {}),
                **({"keeps_meaning": True} if perturb.keeps_meaning else {}),
            }
        }
        for perturb in check.perturb
    ]
    optional: dict[str, Any] = {
        "metrics": check.metrics,
        "perturb": perturbs,
        "known_failure": failure
        and {key: value for key, value in failure.items() if value is not None},
        "severity": check.severity if check.severity != "fail" else None,
        "requires": check.requires,
    }
    if check.missing_at_most is not None:
        optional["missing_at_most"] = check.missing_at_most
    if check.ratings != Ratings():
        names = check.ratings.names
        optional["rating"] = list(names) if check.ratings.in_ids else names[0]
    return {
        "check": check.name,
        "expect": check.expect,
        **{key: value for key, value in optional.items() if value not in (None, (), [])},
    }
