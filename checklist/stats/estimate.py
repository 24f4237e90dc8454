"""A statistic with its interval: paired bootstrap over segments, within groups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isfinite

import numpy as np

from shakeproof.results import Estimate
from shakeproof.stats.bootstrap import Drawn, draw_all
from shakeproof.stats.intervals import (
    BCA,
    EXPANDED,
    UNDRAWN,
    Interval,
    around_mean,
    bca,
    exact,
    expanded,
)
from shakeproof.stats.messages import count
from shakeproof.stats.observations import Mask, Observations, Statistic, Vector
from shakeproof.stats.rows import take_segments

MAX_UNDEFINED = 0.01  # share of draws that may be undefined


@dataclass(frozen=True, slots=True)
class Sample:
    """An estimate with the draws behind it and each segment's influence on it."""

    estimate: Estimate
    influence: Vector  # (segments,), NaN where one is not resampled by itself; empty if undefined
    draws: Vector  # the defined ones
    effective: int  # segments less one per group, plus one: what intervals are widened by
    groups: tuple[tuple[str, Estimate], ...] = ()  # where there are several

    @property
    def se(self) -> float:
        """Give the standard error; NaN without draws."""
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


def resample(
    statistics: Sequence[Statistic],
    observed: Observations,
    *,
    draws: int = 10_000,
    seed: int = 0,
    confidence: float = 0.95,
    floor: int = 2,
    method: str = EXPANDED,
) -> list[Sample]:
    """Estimate statistics on the same draws: weights within each group, plain mean over groups.

    A group with fewer than `floor` segments that count has no interval, nor has the mean then.
    """
    masks = group_masks(observed)
    by_group = [
        draw_all(statistics, _part(observed, mask), draws, (seed, at))
        for at, mask in enumerate(masks)
    ]
    settings = Settings(confidence, floor, method)
    return [
        pool(list(zip(observed.candidates.groups, masks, found, strict=True)), settings)
        for found in zip(*by_group, strict=True)
    ]


def group_masks(observed: Observations) -> list[Mask]:
    """Mark the segments of each group."""
    return [observed.candidates.group == at for at in range(len(observed.candidates.groups))]


def _part(observed: Observations, mask: Mask) -> Observations:
    return observed if mask.all() else take_segments(observed, mask)


@dataclass(frozen=True, slots=True)
class Settings:
    """How draws become an estimate."""

    confidence: float
    floor: int
    method: str


Group = tuple[str, Mask, Drawn]  # a group's name, its segments and what it says


def pool(groups: Sequence[Group], settings: Settings) -> Sample:
    """Average what the groups say, and keep what each says alone."""
    mean = _mean([drawn for _, _, drawn in groups], settings)
    found = mean.estimate.model_copy(update={"note": _notes(groups, mean.estimate, settings)})
    psi = _influence(groups) if found.value is not None else np.empty(0)
    if len(groups) == 1:
        return replace(mean, estimate=found, influence=psi)
    alone = tuple((group[0], pool([group], settings).estimate) for group in groups)
    return replace(mean, estimate=found, influence=psi, groups=alone)


def _mean(drawn: Sequence[Drawn], settings: Settings) -> Sample:
    """Estimate the mean of the groups."""
    value = float(np.mean([one.value for one in drawn]))
    draws = _mean_draws(drawn)
    kept = draws[np.isfinite(draws)]
    effective = sum(one.segments - 1 for one in drawn) + 1
    enough = isfinite(value) and all(one.segments >= settings.floor for one in drawn)
    interval = _interval(drawn, settings, draws, kept, effective) if enough else None
    found = Estimate(
        value=value if isfinite(value) else None,
        low=interval.low if interval else None,
        high=interval.high if interval else None,
        confidence=settings.confidence,
        segments=sum(one.segments for one in drawn),
        method=interval.method if interval else settings.method,
        draws=0 if interval and interval.method in UNDRAWN else len(draws),
        undefined_draws=len(draws) - len(kept),
        note=interval.note if interval else "",
    )
    usable = interval is not None and interval.method not in UNDRAWN
    return Sample(found, np.empty(0), kept if usable else np.empty(0), effective)


def _mean_draws(drawn: Sequence[Drawn]) -> Vector:
    """Average the draws of the groups; one that could not be drawn leaves none."""
    if any(not len(one.draws) for one in drawn):
        return np.empty(0)
    mean: Vector = np.mean([one.draws for one in drawn], axis=0)
    return mean


def _interval(
    drawn: Sequence[Drawn], settings: Settings, draws: Vector, kept: Vector, effective: int
) -> Interval | None:
    """Find the interval, unless too many draws are undefined."""
    exactly = [one.binomial is not None for one in drawn]
    if not all(exactly) and _lost(draws, kept):
        return None
    if any(exactly):
        return around_mean([one.value for one in drawn], [_alone(one, settings) for one in drawn])
    if settings.method == BCA:
        value = float(np.mean([one.value for one in drawn]))
        psi = np.concatenate([one.influence / one.segments for one in drawn])
        return bca(kept, value, psi[np.isfinite(psi)], settings.confidence, effective)
    return expanded(kept, settings.confidence, effective)


def _lost(draws: Vector, kept: Vector) -> bool:
    return not len(kept) or len(draws) - len(kept) > MAX_UNDEFINED * len(draws)


def _alone(one: Drawn, settings: Settings) -> Interval:
    """Find the interval of one group where some of them call for an exact one."""
    if one.binomial is not None:
        return exact(one.binomial, settings.confidence)
    return expanded(one.draws[np.isfinite(one.draws)], settings.confidence, one.segments)


def _influence(groups: Sequence[Group]) -> Vector:
    """Scale each group's influences so that their weighted mean over all is a draw's change."""
    psi = np.full(len(groups[0][1]), np.nan)
    sizes = [int(np.isfinite(drawn.influence).sum()) for _, _, drawn in groups]
    for (_, mask, drawn), size in zip(groups, sizes, strict=True):
        if size:
            psi[mask] = drawn.influence * sum(sizes) / (len(groups) * size)
    return psi


def _notes(groups: Sequence[Group], mean: Estimate, settings: Settings) -> str:
    """Say of each group what was left out or stands against a number, then of their mean."""
    several = len(groups) > 1
    notes = [
        f"{name}: {text}" if several else text
        for name, _, drawn in groups
        for text in (drawn.note, _shortcoming(drawn, settings))
        if text
    ]
    lost = mean.undefined_draws
    if mean.value is not None and lost > MAX_UNDEFINED * mean.draws:
        notes.append(f"{lost:,} of {mean.draws:,} draws undefined")
    return "; ".join([*notes, mean.note] if mean.note else notes)


def _shortcoming(drawn: Drawn, settings: Settings) -> str:
    if not isfinite(drawn.value):
        return "" if drawn.note else "undefined"
    if drawn.segments < settings.floor:
        return f"{count(drawn.segments, 'segment')} of at least {settings.floor}"
    return ""
