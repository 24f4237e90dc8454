"""Judge an expectation: from its statistics over the observed scores to a verdict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import inf

import numpy as np

from shakeproof.expectations.base import Claim, Expectation, ShownStatistic
from shakeproof.results import Leaning, Part, Verdict, distance_to_bound
from shakeproof.stats.bootstrap import contributing_segments
from shakeproof.stats.difference_tests import difference_parts
from shakeproof.stats.estimate import Sample, group_masks, resample
from shakeproof.stats.heterogeneity import group_parts, seed_parts
from shakeproof.stats.intervals import STUDENTISED
from shakeproof.stats.observations import ComparedScores, Observations, Statistic
from shakeproof.stats.pvalues import bonferroni, p_value, p_value_from_interval
from shakeproof.stats.rows import changed_segments
from shakeproof.stats.verdicts import MIN_SEGMENTS, Assessment, Judgement, all_of, judge

SEVERITY = (Verdict.PASS, Verdict.INCONCLUSIVE, Verdict.FAIL)


@dataclass(frozen=True, slots=True)
class JudgedClaim:
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
    method: str = STUDENTISED,
) -> Assessment:
    """Estimate the claims of an expectation and its parts, all on the same draws, and judge."""
    if exact := expectation.assess_exactly(compared, observed):
        return exact
    claims, shown = expectation.claims(compared), expectation.parts(compared)
    samples = resample(
        [*(claim.statistic for claim in claims), *(part.statistic for part in shown)],
        observed,
        draws=draws,
        seed=seed,
        confidence=confidence,
        floor=min_segments,
        method=method,
    )
    judged = []
    for claim, sample in zip(claims, samples, strict=False):
        changed = count_changed_segments(claim.statistic, compared, observed)
        judgement = _judge_claim(expectation, claim, sample, changed, min_segments)
        judged.append(JudgedClaim(claim, sample, judgement))
    deciding = deciding_claim(judged)
    parts = [
        *_parts(shown, samples[len(claims) :]),
        *(_parts(claims, samples[: len(claims)]) if len(claims) > 1 else ()),
        *group_parts(expectation.label, deciding.sample),
        *seed_parts(lambda one: expectation.claims(one)[0].statistic, compared, observed),
        *difference_parts(expectation.compared_pairs(compared), observed, draws=draws, seed=seed),
    ]
    assessment = Assessment(
        estimate=deciding.sample.estimate,
        parts=tuple(parts),
        judgement=_combine(judged, deciding),
        influence=deciding.sample.influence,
        quantity=deciding.claim.quantity,
        bounds=deciding.claim.bounds if deciding.claim.quantity else None,
    )
    return expectation.finish(assessment)


def _parts(named: Sequence[Claim | ShownStatistic], samples: Sequence[Sample]) -> list[Part]:
    return [
        Part(name=one.name, level=one.level, estimate=sample.estimate)
        for one, sample in zip(named, samples, strict=True)
    ]


def _judge_claim(
    expectation: Expectation,
    claim: Claim,
    sample: Sample,
    changed: dict[str, int] | None,
    min_segments: int,
) -> Judgement:
    """Judge a claim; if each group must satisfy it, the worst group decides."""
    judge_estimate = partial(
        judge,
        claim.bounds,
        min_segments=min_segments,
        label=expectation.label,
        unit=expectation.unit,
    )
    if not (expectation.each_group and sample.groups):
        return judge_estimate(
            sample.estimate,
            changed_segments=changed,
            p=p_value(claim.bounds, sample),
            more_segments_help=expectation.more_segments_help,
        )
    judgements = {
        name: judge_estimate(
            estimate,
            changed_segments=None if changed is None else changed[name],
            p=p_value_from_interval(claim.bounds, estimate),
        )
        for name, estimate in sample.groups
    }
    worst = max(judgements, key=lambda name: _severity(judgements[name]))
    message = f"{worst}: {judgements[worst].message}"
    p = bonferroni([judgement.p for judgement in judgements.values()])
    return replace(judgements[worst], message=message, p=p)


def _severity(judgement: Judgement) -> tuple[int, bool]:
    """Return a key that is higher the worse a judgement is; of undecided ones, which leans."""
    return SEVERITY.index(judgement.verdict), judgement.leaning is Leaning.FAILS


def deciding_claim(judged: Sequence[JudgedClaim]) -> JudgedClaim:
    """Return the claim that decides: a failing one, else an undecided one, else the narrowest."""
    return max(judged, key=_nearness_to_failing)


def _nearness_to_failing(judged: JudgedClaim) -> tuple[int, float]:
    distance = distance_to_bound(judged.sample.estimate.value, judged.claim.bounds)
    rank = SEVERITY.index(judged.judgement.verdict)
    return rank, inf if distance is None else -distance.value


def _combine(judged: Sequence[JudgedClaim], deciding: JudgedClaim) -> Judgement:
    """Combine claims, all of which must hold; the one that decides is named."""
    if len(judged) == 1:
        return deciding.judgement
    return Judgement(
        verdict=all_of(one.judgement.verdict for one in judged),
        message=f"{deciding.claim.name}: {deciding.judgement.message}",
        advice=deciding.judgement.advice,
        p=bonferroni([one.judgement.p for one in judged]),
        leaning=deciding.judgement.leaning,
    )


def count_changed_segments(
    statistic: Statistic, compared: ComparedScores, observed: Observations
) -> dict[str, int] | None:
    """Count, per group, the segments that count and have a changed text, at the weakest level."""
    if not compared.perturbed:
        return None
    counted, candidates = contributing_segments(statistic, observed), observed.candidates
    every_row = np.ones(len(candidates.segment), bool)
    by_level = [
        counted & changed_segments(observed, seeds, every_row) for seeds in compared.perturbed
    ]
    return {
        name: min(int((changed & mask).sum()) for changed in by_level)
        for name, mask in zip(candidates.groups, group_masks(observed), strict=True)
    }
