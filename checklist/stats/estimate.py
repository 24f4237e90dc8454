"""A statistic with its interval: paired bootstrap over segments, within groups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isfinite
from typing import TypeAlias

import numpy as np

from shakeproof.results import Estimate, counted
from shakeproof.stats.binomial import exact, with_unseen_changes
from shakeproof.stats.bootstrap import GroupSample, draw_all
from shakeproof.stats.intervals import (
    BCA,
    STUDENTISED,
    WITHOUT_DRAWS,
    Interval,
    around_mean,
    bca,
    expanded,
    prediction,
    reach_one,
    within_one,
)
from shakeproof.stats.observations import Mask, Observations, Statistic, Vector
from shakeproof.stats.rows import take_segments
from shakeproof.stats.studentised import Pivots, pivots_of, studentised

MAX_UNDEFINED = 0.01  # share of draws that may be undefined


@dataclass(frozen=True, slots=True)
class Sample:
    """An estimate with the draws behind it and each segment's influence on it."""

    estimate: Estimate
    influence: Vector  # (segments,), NaN where one is not resampled by itself; empty if undefined
    draws: Vector  # the defined ones
    effective: int  # segments less one per group, plus one: what intervals are widened by
    groups: tuple[tuple[str, Estimate], ...] = ()  # where there are several
    pivots: Pivots | None = None  # of the studentised interval

    @property
    def se(self) -> float:
        """Return the standard error; NaN without draws."""
        return float(self.draws.std()) if len(self.draws) else float("nan")


def estimate(
    statistic: Statistic,
    observed: Observations,
    *,
    draws: int = 10_000,
    seed: int = 0,
    confidence: float = 0.95,
) -> tuple[Estimate, Vector]:
    """Estimate one statistic, with each segment's influence on it."""
    (sample,) = resample([statistic], observed, draws=draws, seed=seed, confidence=confidence)
    return sample.estimate, sample.influence


@dataclass(frozen=True, slots=True)
class IntervalSettings:
    """How draws become an interval."""

    confidence: float
    floor: int  # segments that every group must have
    method: str


Group: TypeAlias = tuple[str, Mask, GroupSample]  # its name and segments, and the sample of it


def resample(
    statistics: Sequence[Statistic],
    observed: Observations,
    *,
    draws: int = 10_000,
    seed: int = 0,
    confidence: float = 0.95,
    floor: int = 2,
    method: str = STUDENTISED,
) -> list[Sample]:
    """Estimate statistics on the same draws: weights within each group, plain mean over groups.

    A group with fewer than `floor` segments that count has no interval, nor has the mean then.
    """
    masks = group_masks(observed)
    by_group = [
        draw_all(
            statistics,
            observed if mask.all() else take_segments(observed, mask),
            draws,
            (seed, number),
        )
        for number, mask in enumerate(masks)
    ]
    settings = IntervalSettings(confidence, floor, method)
    return [
        pool(list(zip(observed.candidates.groups, masks, samples, strict=True)), settings)
        for samples in zip(*by_group, strict=True)
    ]


def group_masks(observed: Observations) -> list[Mask]:
    """Mark the segments of each group."""
    candidates = observed.candidates
    return [candidates.group == number for number in range(len(candidates.groups))]


def pool(groups: Sequence[Group], settings: IntervalSettings) -> Sample:
    """Average the samples of the groups, and keep the estimate of each one alone."""
    mean = _mean([sample for _, _, sample in groups], settings)
    note = _notes(groups, mean.estimate, settings)
    pooled = replace(
        mean,
        estimate=mean.estimate.model_copy(update={"note": note}),
        influence=np.empty(0) if mean.estimate.value is None else _influence(groups),
    )
    if len(groups) == 1:
        return pooled
    alone = tuple((group[0], pool([group], settings).estimate) for group in groups)
    return replace(pooled, groups=alone)


def _mean(samples: Sequence[GroupSample], settings: IntervalSettings) -> Sample:
    """Estimate the mean of the groups; a group without draws leaves none."""
    value = float(np.mean([sample.value for sample in samples]))
    drawn = all(len(sample.draws) for sample in samples)
    draws: Vector = np.mean([sample.draws for sample in samples], axis=0) if drawn else np.empty(0)
    kept = draws[np.isfinite(draws)]
    effective = sum(sample.segments - 1 for sample in samples) + 1
    enough = isfinite(value) and all(sample.segments >= settings.floor for sample in samples)
    pivots = _pivots(samples, value, draws) if enough and len(kept) else None
    interval = _interval(samples, settings, draws, kept, pivots) if enough else None
    if interval is not None:
        unseen = [(sample.unseen_change, sample.segments) for sample in samples]
        interval = with_unseen_changes(interval, unseen, settings.confidence)
        traits = samples[0].traits
        if traits.predicts and samples[0].correlation:
            interval = within_one(interval)
        if traits.noise_lowers and samples[0].correlation:
            interval = reach_one(interval, value, float(kept.mean()), in_steps=traits.in_steps)
    without_draws = interval is not None and interval.method in WITHOUT_DRAWS
    estimate = Estimate(
        value=value if isfinite(value) else None,
        low=interval.low if interval else None,
        high=interval.high if interval else None,
        confidence=settings.confidence,
        segments=sum(sample.segments for sample in samples),
        method=interval.method if interval else settings.method,
        draws=0 if without_draws else len(draws),
        undefined_draws=len(draws) - len(kept),
        note=interval.note if interval else "",
    )
    return Sample(
        estimate,
        np.empty(0),
        kept if interval is not None else np.empty(0),
        effective,
        pivots=pivots if interval is not None and interval.method == STUDENTISED else None,
    )


def _mostly_defined(draws: Vector, kept: Vector) -> bool:
    """Return whether there are draws, and few of them are undefined."""
    return bool(len(kept)) and len(draws) - len(kept) <= MAX_UNDEFINED * len(draws)


def _pivots(samples: Sequence[GroupSample], value: float, draws: Vector) -> Pivots | None:
    """Return the defined draws in units of their own standard errors."""
    if samples[0].traits.in_steps or samples[0].traits.predicts:
        return None
    defined = np.isfinite(draws)
    return pivots_of(
        value,
        draws[defined],
        [sample.errors[defined] for sample in samples],
        [sample.influence[np.isfinite(sample.influence)] for sample in samples],
        correlation=samples[0].correlation,
        stretch=samples[0].traits.stretch,
    )


def _interval(
    samples: Sequence[GroupSample],
    settings: IntervalSettings,
    draws: Vector,
    kept: Vector,
    pivots: Pivots | None,
) -> Interval | None:
    """Find the interval of the mean, unless too many draws are undefined."""
    exact_groups = [sample.binomial is not None for sample in samples]
    if not _mostly_defined(draws, kept) and not all(exact_groups):
        return None
    if any(exact_groups):
        intervals = [_group_interval(sample, settings) for sample in samples]
        if None in intervals:
            return None
        return around_mean(
            [sample.value for sample in samples], [one for one in intervals if one is not None]
        )
    value = float(np.mean([sample.value for sample in samples]))
    if settings.method == STUDENTISED and pivots is not None:
        return studentised(pivots, settings.confidence)
    effective = sum(sample.segments - 1 for sample in samples) + 1
    if samples[0].traits.predicts:
        return prediction(kept, value, settings.confidence, effective)
    if settings.method == BCA:
        psi = np.concatenate([sample.influence / sample.segments for sample in samples])
        return bca(kept, value, psi[np.isfinite(psi)], settings.confidence, effective)
    return expanded(kept, settings.confidence, effective)


def _group_interval(sample: GroupSample, settings: IntervalSettings) -> Interval | None:
    """Find the interval of one group where some of them need an exact one."""
    if sample.binomial is not None:
        return exact(sample.binomial, settings.confidence)
    kept = sample.draws[np.isfinite(sample.draws)]
    pivots = _pivots([sample], sample.value, sample.draws)
    return _interval([sample], settings, sample.draws, kept, pivots)


def _influence(groups: Sequence[Group]) -> Vector:
    """Scale each group's influences so that their weighted mean over all is a draw's change."""
    psi = np.full(len(groups[0][1]), np.nan)
    sizes = [int(np.isfinite(sample.influence).sum()) for _, _, sample in groups]
    for (_, mask, sample), size in zip(groups, sizes, strict=True):
        if size:
            psi[mask] = sample.influence * sum(sizes) / (len(groups) * size)
    return psi


def _notes(groups: Sequence[Group], mean: Estimate, settings: IntervalSettings) -> str:
    """Name what each group left out or lacks, then what the mean lacks."""
    several = len(groups) > 1
    notes = [
        f"{name}: {text}" if several else text
        for name, _, sample in groups
        for text in (sample.note, _shortcoming(sample, settings))
        if text
    ]
    undefined = mean.undefined_draws
    if mean.value is not None and undefined > MAX_UNDEFINED * mean.draws:
        notes.append(f"{undefined:,} of {mean.draws:,} draws undefined")
    return "; ".join([*notes, mean.note] if mean.note else notes)


def _shortcoming(sample: GroupSample, settings: IntervalSettings) -> str:
    if not isfinite(sample.value):
        return "" if sample.note else "undefined"
    if sample.segments < settings.floor:
        return f"{counted(sample.segments, 'segment')} of at least {settings.floor}"
    return ""
