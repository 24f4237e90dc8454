"""One check item, from scores to verdict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from shakeproof.expectations.base import Claim, Expectation
from shakeproof.results import Estimate, Part, Verdict
from shakeproof.stats.bootstrap import contributing
from shakeproof.stats.difference_tests import difference_parts
from shakeproof.stats.estimate import Sample, group_masks, resample
from shakeproof.stats.heterogeneity import group_parts, seed_parts
from shakeproof.stats.intervals import EXPANDED
from shakeproof.stats.messages import Words
from shakeproof.stats.observations import (
    ComparedScores,
    Mask,
    Observations,
    ScoreKey,
    Statistic,
    Vector,
)
from shakeproof.stats.pvalues import chance, chance_from_interval, violated
from shakeproof.stats.verdicts import (
    MIN_SEGMENTS,
    Assessment,
    Exact,
    Judgement,
    all_of,
    examine,
    judge,
)


@dataclass(frozen=True, slots=True)
class Judged:
    """One claim with its sample and its judgement."""

    claim: Claim
    sample: Sample
    judgement: Judgement


def assess(
    expectation: Expectation,
    compared: ComparedScores,
    observed: Observations,
    *,
    draws: int = 10_000,
    seed: int = 0,
    confidence: float = 0.95,
    min_segments: int = MIN_SEGMENTS,
    method: str = EXPANDED,
) -> Assessment:
    """Estimate what is expected and what is shown beside it, all on the same draws, and judge."""
    if isinstance(expectation, Exact):
        return Assessment(*_examined(expectation, compared, observed))
    claims, shown = expectation.claims(compared), expectation.parts(compared)
    samples = resample(
        [*(claim.statistic for claim in claims), *(statistic for _, _, statistic in shown)],
        observed,
        draws=draws,
        seed=seed,
        confidence=confidence,
        floor=min_segments,
        method=method,
    )
    judged = [
        Judged(claim, sample, _judge(expectation, claim, sample, compared, observed, min_segments))
        for claim, sample in zip(claims, samples, strict=False)
    ]
    parts = [
        Part(name=name, level=level, estimate=sample.estimate)
        for (name, level, _), sample in zip(shown, samples[len(claims) :], strict=True)
    ]
    chief = decisive(judged)
    parts += [_claim_part(one) for one in judged] if len(judged) > 1 else []
    parts += group_parts(expectation.noun, chief.sample)
    parts += seed_parts(lambda one: expectation.claims(one)[0].statistic, compared, observed)
    parts += difference_parts(expectation.rivals(compared), observed, draws=draws, seed=seed)
    together = _together(judged, chief)
    found = Assessment(chief.sample.estimate, tuple(parts), together, chief.sample.influence)
    return expectation.finish(found)


def _examined(
    axiom: Exact, compared: ComparedScores, observed: Observations
) -> tuple[Estimate, tuple[Part, ...], Judgement, Vector]:
    found, judgement = examine(axiom, compared, observed)
    return found, (), judgement, np.empty(0)


def _judge(
    expectation: Expectation,
    claim: Claim,
    sample: Sample,
    compared: ComparedScores,
    observed: Observations,
    min_segments: int,
) -> Judgement:
    changed = changed_segments(claim.statistic, compared, observed)
    words = Words(expectation.noun, expectation.unit)
    if expectation.each_group and sample.groups:
        return _judge_groups(claim, sample, changed, words, min_segments)
    return judge(
        claim.bounds,
        sample.estimate,
        changed_segments=changed,
        min_segments=min_segments,
        words=words,
        p=chance(claim.bounds, sample),
        plan=expectation.more_segments_help,
    )


def _judge_groups(
    claim: Claim, sample: Sample, changed: dict[str, int] | None, words: Words, least: int
) -> Judgement:
    """Judge every group by itself; all must hold."""
    judged = [
        (
            name,
            judge(
                claim.bounds,
                found,
                changed_segments=None if changed is None else changed[name],
                min_segments=least,
                words=words,
                p=_group_p(claim, found),
            ),
        )
        for name, found in sample.groups
    ]
    name, worst = max(judged, key=lambda one: _severity(one[1].verdict))
    p = _bonferroni([one.p for _, one in judged])
    return Judgement(worst.verdict, f"{name}: {worst.message}", worst.advice, p)


def _group_p(claim: Claim, found: Estimate) -> float | None:
    if found.value is None or found.low is None:
        return None
    bound = violated(claim.bounds, found.value)
    return 1.0 if bound is None else chance_from_interval(found, bound)


def decisive(judged: Sequence[Judged]) -> Judged:
    """Pick the claim that decides: a failing one, else an undecided one, else the narrowest."""
    return max(judged, key=lambda one: (_severity(one.judgement.verdict), -_room(one)))


def _severity(verdict: Verdict) -> int:
    return (Verdict.PASS, Verdict.INCONCLUSIVE, Verdict.FAIL).index(verdict)


def _room(one: Judged) -> float:
    """Say how far inside its bounds a claim lies."""
    found, bounds = one.sample.estimate, one.claim.bounds
    if found.value is None:
        return float("-inf")
    above = float("inf") if bounds.high is None else bounds.high - found.value
    below = float("inf") if bounds.low is None else found.value - bounds.low
    return min(above, below)


def _together(judged: Sequence[Judged], chief: Judged) -> Judgement:
    """Combine claims, all of which must hold; the failing or undecided one is named."""
    if len(judged) == 1:
        return chief.judgement
    verdict = all_of(one.judgement.verdict for one in judged)
    message = f"{chief.claim.name}: {chief.judgement.message}"
    p = _bonferroni([one.judgement.p for one in judged])
    return Judgement(verdict, message, chief.judgement.advice, p)


def _bonferroni(p: Sequence[float | None]) -> float | None:
    known = [value for value in p if value is not None]
    return min(1.0, min(known) * len(known)) if known else None


def _claim_part(one: Judged) -> Part:
    return Part(name=one.claim.name, level=one.claim.level, estimate=one.sample.estimate)


def changed_segments(
    statistic: Statistic, compared: ComparedScores, observed: Observations
) -> dict[str, int] | None:
    """Count, per group, the segments that count and have a changed text, at the weakest level."""
    if not compared.perturbed:
        return None
    counted = contributing(statistic, observed)
    by_level = [counted & _changed(observed, seeds) for seeds in compared.perturbed]
    return {
        name: min(int((changed & mask).sum()) for changed in by_level)
        for name, mask in zip(observed.candidates.groups, group_masks(observed), strict=True)
    }


def _changed(observed: Observations, seeds: Sequence[ScoreKey]) -> Mask:
    """Mark the segments with a text that any seed changed."""
    rows = np.logical_or.reduce([observed.changed[score_key] for score_key in seeds])
    changed: Mask = (
        np.bincount(observed.candidates.segment[rows], minlength=observed.candidates.segments) > 0
    )
    return changed
