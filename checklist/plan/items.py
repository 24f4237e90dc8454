"""The plan of a checklist: its data, its metrics, and the items that are judged."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import TypeAlias, cast

from shakeproof.data.large_files import WHOLE, Part
from shakeproof.data.lazy import joined
from shakeproof.data.ratings import PLAIN
from shakeproof.data.segments import DataSet, Segment
from shakeproof.errors import SpecErrors
from shakeproof.metrics.protocols import Metric
from shakeproof.metrics.settings import Settings
from shakeproof.plan.data_needs import unmet_needs
from shakeproof.plan.kinds import Kind, aspects_in, kinds_of
from shakeproof.plan.languages import LanguageWarning, undeclared_languages
from shakeproof.plan.metrics import build_metrics
from shakeproof.plan.parts import part_to_read
from shakeproof.plan.perturbed import CLEAN, Condition
from shakeproof.plan.reading import Place as Place  # offered here too
from shakeproof.plan.reading import places_of, read_data, split_development
from shakeproof.plan.views import control_skip_reason, skip_reason, views_by_key
from shakeproof.results import checklist_name
from shakeproof.spec.model import Check, Checklist, KnownFailure, Perturb, Ratings
from shakeproof.stats.observations import ComparedScores

ScoreKey: TypeAlias = tuple[str, Condition]  # the scores of one metric under one condition


@dataclass(frozen=True, slots=True)
class Item:
    """One thing to judge: a check for a metric at a level, or over all levels."""

    check: Check
    metric: str
    name: str  # the last part of the node id, such as visual-0.3
    compared: ComparedScores
    perturb: Perturb | None = None
    level: float | None = None
    data_set: str = ""  # the one that is judged, where a checklist has several separate ones
    skip: str = ""  # why it is not judged, such as a metric that has no draws to compare
    rating: str = PLAIN  # whose ratings decide: an aspect, the mean, or those about no aspect

    @property
    def score_keys(self) -> tuple[ScoreKey, ...]:
        """Return the scores that the item compares: clean first, its own noisiest last."""
        others = (
            score_key
            for compared in self.compared.others.values()
            for score_key in _score_keys_of(compared)
        )
        clean, *noisy = _score_keys_of(self.compared)
        return (clean, *others, *noisy)

    @property
    def view_keys(self) -> tuple[ScoreKey, ...]:
        """Return the views that the item compares, which cost nothing."""
        return cast(tuple[ScoreKey, ...], self.compared.view_keys)

    @property
    def known_failure(self) -> KnownFailure | None:
        """Return what the checklist says of this very item, if it is known to fail."""
        known = self.check.known_failure
        if known is None or (known.metrics is not None and self.metric not in known.metrics):
            return None
        return known if known.levels is None or self.level in known.levels else None

    @property
    def seeds(self) -> tuple[int, ...]:
        """Return the seeds that the perturbation is drawn with."""
        return tuple(sorted({condition.seed for _, condition in _score_keys_of(self.compared)[1:]}))


@dataclass(frozen=True, slots=True)
class Plan:
    """A checklist with its data read, its metrics built and its items listed."""

    checklist: Checklist
    file: str  # where the checklist lies, as ids and reports name it
    data: tuple[DataSet, ...]
    segments: Sequence[Segment]  # of large data: read when they are asked for
    metrics: Mapping[str, Metric]
    failures: Mapping[str, str]  # metrics that could not be built, and why
    items: tuple[Item, ...]
    kinds: tuple[Sequence[Kind], ...] = ()  # of the segments of each data set
    part: Part = WHOLE  # of the data that was read
    development: Sequence[Segment] = ()  # set aside for tuning; nothing is checked on them


def make_plan(
    checklist: Checklist,
    settings: Settings,
    *,
    limit: int | None = None,
    instead: Mapping[str, Place] | None = None,
    part: Part = WHOLE,
) -> Plan:
    """Read the data and build the metrics; everything that is missing is reported at once.

    Of large files only `part` is read, if its segments can be scored without the others.
    """
    places = places_of(checklist, instead or {})
    part = WHOLE if limit else part_to_read(checklist, part, places)
    data = read_data(checklist, places, limit=limit, part=part)
    development, data = split_development(checklist, data)
    segments = joined([data_set.segments for data_set in data])
    metrics, failures = build_metrics(checklist, settings)
    kinds_by_data_set = tuple(_kinds_of_each(data))
    kinds = list(chain.from_iterable(kinds_by_data_set))
    if lines := unmet_needs(checklist, kinds, metrics, whole=part == WHOLE):
        raise SpecErrors(lines)
    if remark := undeclared_languages(checklist, kinds):
        warnings.warn(LanguageWarning(f"{checklist.path.name}: {remark}"), stacklevel=2)
    return Plan(
        checklist=checklist,
        file=checklist_name(file_name(checklist.path, settings.rootdir), checklist.data_set),
        data=data,
        segments=segments,
        metrics=metrics,
        failures=failures,
        items=tuple(
            _with_views(item, metrics, checklist)
            for item in planned_items(checklist, aspects_in(kinds))
        ),
        kinds=kinds_by_data_set,
        part=part,
        development=development,
    )


def _kinds_of_each(data: Sequence[DataSet]) -> Iterator[Sequence[Kind]]:
    """Yield the kinds of segments of each data set; their positions are those in all data."""
    first = 0
    for data_set in data:
        yield kinds_of(data_set.segments, first=first)
        first += len(data_set.segments)


def file_name(path: Path, rootdir: Path | None) -> str:
    """Return the same name of a file on every machine: relative to the root directory."""
    if rootdir and path.resolve().is_relative_to(rootdir.resolve()):
        return path.resolve().relative_to(rootdir.resolve()).as_posix()
    return path.name


def planned_items(checklist: Checklist, aspects: tuple[str, ...] = ()) -> Iterator[Item]:
    """Expand every check into one item for each of its metrics, levels and ratings."""
    for written in checklist.checks:
        check = replace(written, expect=written.expect.with_aspects(aspects))
        ratings = check.ratings if check.expect.uses_ratings else Ratings()
        for metric in check.metrics:
            for item in _items_of(checklist, check, metric):
                for rating in ratings.resolved(aspects):
                    name = f"{item.name}-{rating}" if ratings.in_ids else item.name
                    yield replace(item, name=name, rating=rating, data_set=checklist.data_set)


def _with_views(item: Item, metrics: Mapping[str, Metric], checklist: Checklist) -> Item:
    """Add the views of the metric that the expectation compares, or why it cannot be judged."""
    metric, expect = metrics.get(item.metric), item.check.expect
    if metric is None:
        return item
    family = checklist.families.get(item.perturb.family) if item.perturb else None
    if family and (reason := control_skip_reason(family, item.metric, metric)):
        return replace(item, skip=reason)
    if not expect.compares_views:
        return item
    views = views_by_key(expect, metric, _score_keys_of(item.compared))
    reason = skip_reason(expect, item.metric, metric)
    return replace(item, compared=replace(item.compared, views=views), skip=reason)


def _items_of(checklist: Checklist, check: Check, metric: str) -> Iterator[Item]:
    if not check.perturb:
        yield Item(check, metric, "clean", _compared(checklist, check, metric))
    for perturb in check.perturb:
        levels = perturb.levels or (1.0,)
        if check.expect.over_levels:
            compared = _compared(checklist, check, metric, perturb, levels)
            yield Item(check, metric, perturb.family, compared, perturb)
            continue
        for level in levels:
            compared = _compared(checklist, check, metric, perturb, (level,))
            shown = level if perturb.levels else None
            yield Item(check, metric, level_name(perturb, shown), compared, perturb, shown)


def _compared(
    checklist: Checklist,
    check: Check,
    metric: str,
    perturb: Perturb | None = None,
    levels: tuple[float, ...] = (),
) -> ComparedScores:
    """Return the scores of a metric that an item compares, with those of other metrics."""

    def of(name: str) -> ComparedScores:
        noisy = (_score_keys(checklist, name, perturb, level) for level in levels if perturb)
        return ComparedScores((name, CLEAN), levels, tuple(noisy))

    others = {other: of(other) for other in check.expect.other_metrics}
    for family, steps in check.expect.shown_families.items():
        shown = (Condition(family, "candidate", one, checklist.seed, first=True) for one in steps)
        others[family] = ComparedScores(
            (metric, CLEAN), steps, tuple(((metric, one),) for one in shown)
        )
    return replace(of(metric), others=others)


def level_name(perturb: Perturb, level: float | None) -> str:
    """Return the name of a level of a family in node ids."""
    return perturb.family if level is None else f"{perturb.family}-{level:g}"


def _score_keys_of(compared: ComparedScores) -> tuple[ScoreKey, ...]:
    noisy = (score_key for seeds in compared.perturbed for score_key in seeds)
    return cast(tuple[ScoreKey, ...], (compared.clean, *noisy))  # made by _score_keys below


def _score_keys(
    checklist: Checklist, metric: str, perturb: Perturb, level: float
) -> tuple[ScoreKey, ...]:
    return tuple(
        (metric, Condition(perturb.family, perturb.on, level, seed, perturb.stored))
        for seed in seeds_of(checklist, perturb)
    )


def seeds_of(checklist: Checklist, perturb: Perturb) -> Sequence[int]:
    """Return the seeds a family is drawn with: one if it is not random."""
    family = checklist.families.get(perturb.family)
    drawn = family is not None and family.random and not perturb.stored
    count = checklist.seeds if drawn else 1
    return range(checklist.seed, checklist.seed + count)
