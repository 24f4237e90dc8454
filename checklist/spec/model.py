"""A checklist after reading: all names are known and all values are in range."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, TypeAlias

from shakeproof.expectations import Expectation
from shakeproof.metrics.options import Options
from shakeproof.metrics.settings import Precision
from shakeproof.perturbations import PERTURBATIONS, Family
from shakeproof.results import Tolerance
from shakeproof.stats.intervals import STUDENTISED

MISSING_AT_MOST = 0.01
Severity: TypeAlias = Literal["fail", "warn"]


@dataclass(frozen=True, slots=True)
class Perturb:
    """A family applied to a field, at each of some levels."""

    family: str
    on: str
    levels: tuple[float, ...] = ()  # ascending; empty for a family that is on or off
    stored: bool = False  # use the perturbed texts that the data set contains
    keeps_meaning: bool | None = None  # of stored texts; None: as the family declares it


@dataclass(frozen=True, slots=True)
class KnownFailure:
    """The metrics and levels at which a check is known to fail, and why."""

    reason: str
    metrics: tuple[str, ...] | None = None  # None: all
    levels: tuple[float, ...] | None = None  # None: all


@dataclass(frozen=True, slots=True)
class MetricSpec:
    """A metric of the checklist: its name there, its kind and its options."""

    name: str
    kind: str
    options: Options
    line: int
    file: Path | None = None  # the base that declares it; None: the checklist itself


@dataclass(frozen=True, slots=True)
class Check:
    """What is expected of some metrics under some perturbations."""

    name: str
    line: int  # counted from 1
    metrics: tuple[str, ...]
    perturb: tuple[Perturb, ...]
    expect: Expectation
    known_failure: KnownFailure | None = None
    severity: Severity = "fail"
    requires: tuple[str, ...] = ()  # cuda, network, model:NAME
    missing_at_most: float | None = None  # None: as the checklist says
    names_metrics: bool = False  # and is not about all of the checklist


@dataclass(frozen=True, slots=True)
class Development:
    """The share of each data set, from its beginning, that is set aside for tuning."""

    share: float
    by: Literal["segments", "candidates"] = "segments"


@dataclass(frozen=True, slots=True)
class Checklist:
    """One checklist file: data, metrics and checks."""

    path: Path
    text: str
    text_without_segments: str  # for runs that may contain no text of the data
    sha256: str
    title: str
    data: Mapping[str, str]  # group or data set -> path or name; that of a single one is ""
    metrics: Mapping[str, MetricSpec]
    checks: tuple[Check, ...]
    language: str | None = None
    source_language: str | None = None
    seed: int = 0
    seeds: int = 1
    confidence: float = 0.95
    draws: int = 10_000
    interval: str = STUDENTISED
    tolerance: Tolerance = field(default_factory=Tolerance)
    development: Development | None = None  # checks use the rest of the data only
    extend_with_copies: int | None = None  # every so many inputs get a copy, rated 0
    cluster: str | None = None  # segments with the same value of this key are resampled together
    missing_at_most: float = MISSING_AT_MOST  # share of candidates that a check may leave out
    precision: Precision = "auto"  # the number format of models
    segments: tuple[Mapping[str, Any], ...] = ()  # written in the file; then `data` is empty
    families: Mapping[str, Family] = field(default_factory=lambda: PERTURBATIONS)  # all usable ones
    declared_families: Mapping[str, Any] = field(default_factory=dict)  # as written in the file
    data_file: Path | None = None  # the base that declares the data; None: the checklist itself
    separate: bool = False  # `data` are data sets to be checked one by one, not groups
    data_set: str = ""  # the name of one of these, once they are split

    @property
    def data_folder(self) -> Path:
        """Return the folder that paths of data are relative to."""
        return (self.data_file or self.path).parent

    def metric_folder(self, metric: str) -> Path:
        """Return the folder that files and functions of a metric are looked for in."""
        return (self.metrics[metric].file or self.path).parent


def split_data_sets(checklist: Checklist) -> tuple[Checklist, ...]:
    """Return a checklist for each data set that is to be checked by itself."""
    if not checklist.separate:
        return (checklist,)
    return tuple(
        replace(
            checklist,
            title=f"{checklist.title} [{name}]",
            data={"": place},
            separate=False,
            data_set=name,
        )
        for name, place in checklist.data.items()
    )
