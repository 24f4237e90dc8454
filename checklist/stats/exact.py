"""Axioms: judged score by score, never undecided."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import numpy as np

from shakeproof.results import Estimate, Verdict
from shakeproof.stats.format import count
from shakeproof.stats.observations import ComparedScores, Mask, Observations, Vector
from shakeproof.stats.verdicts import Judgement


@runtime_checkable
class Exact(Protocol):
    """What a single score can break."""

    def checked(self, compared: ComparedScores, observed: Observations) -> Mask:
        """Mark the rows that it speaks of."""
        ...

    def broken(self, compared: ComparedScores, observed: Observations) -> Mask:
        """Mark the rows that break it."""
        ...


def examine(
    axiom: Exact, compared: ComparedScores, observed: Observations
) -> tuple[Estimate, Judgement]:
    """Count the rows that break an axiom."""
    checked = axiom.checked(compared, observed)
    broken = axiom.broken(compared, observed) & checked
    segments = len(np.unique(observed.candidates.segment[checked]))
    return violations(int(broken.sum()), int(checked.sum()), segments)


def violations(wrong: int, scores: int, segments: int) -> tuple[Estimate, Judgement]:
    """Judge how often an axiom is broken; once is too often."""
    if not scores:
        raise ValueError("nothing to check: no text changed")
    found = Estimate(
        value=float(wrong),
        low=float(wrong),
        high=float(wrong),
        confidence=1.0,
        segments=segments,
        method="exact",
    )
    verdict = Verdict.FAIL if wrong else Verdict.PASS
    return found, Judgement(verdict, f"{count(wrong, 'violation')} in {count(scores, 'score')}")


def disagreements(first: Vector, second: Vector, tolerance: float) -> Mask:
    """Mark what two ratings of the same texts do not agree on; two missing scores agree."""
    alike = np.abs(first - second) <= tolerance
    differ: Mask = ~(alike | (np.isnan(first) & np.isnan(second)))
    return differ
