"""Holm's correction over the checks of a run: which failures are more than chance."""

from __future__ import annotations

from collections.abc import Sequence

from shakeproof.results import (
    Leaning,
    Result,
    Severity,
    Verdict,
    describe_leaning,
    outcome_of,
)
from shakeproof.stats.pvalues import PValue, after_holm, holm
from shakeproof.stats.verdicts import Judgement


def adjusted(results: Sequence[Result]) -> list[Result]:
    """Make failures undecided that do not survive Holm's correction over all results."""
    pairs = zip(results, _judgements(results), strict=True)
    return [_withdrawn(result, judgement) for result, judgement in pairs]


def _withdrawn(result: Result, judgement: Judgement) -> Result:
    if judgement.verdict is result.verdict:
        return result
    value = result.estimate.value if result.estimate else None
    leaning = describe_leaning(Leaning.FAILS, result.expectation, value or 0.0, result.bounds)
    update = {
        "verdict": judgement.verdict,
        "outcome": outcome_of(judgement.verdict),
        "leaning": Leaning.FAILS,
        "message": f"{leaning}: {judgement.message}",
    }
    return result.model_copy(update=update)


def with_holm(results: Sequence[Result]) -> tuple[Result, ...]:
    """Note for each failure whether it survives Holm's correction over the claims of the run."""
    claims = [result for result in results if is_claim(result)]
    survives = {
        result.id: judgement.verdict is Verdict.FAIL
        for result, judgement in zip(claims, _judgements(claims), strict=True)
        if result.verdict is Verdict.FAIL and result.p is not None
    }
    return tuple(
        result.model_copy(update={"survives_holm": survives.get(result.id)}) for result in results
    )


def is_claim(result: Result) -> bool:
    """Return whether a check claims something: known failures and warnings are set aside."""
    return not result.known_failure and result.severity is Severity.FAIL


def _judgements(results: Sequence[Result]) -> list[Judgement]:
    """Judge results again, with their p-values corrected."""
    count = sum(result.p is not None for result in results)
    corrected: list[PValue] = holm([result.p for result in results])
    return [
        after_holm(
            Judgement(result.verdict or Verdict.INCONCLUSIVE, result.message),
            p,
            count,
            result.estimate.confidence if result.estimate else 0.95,
        )
        for result, p in zip(results, corrected, strict=True)
    ]
