"""Axioms: judged score by score, never undecided."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import numpy as np

from shakeproof.results import Estimate, Verdict
from shakeproof.stats.figures import count
from shakeproof.stats.frame import Cell, Mask, Observations
from shakeproof.stats.verdicts import Judgement


@runtime_checkable
class Exact(Protocol):
    """What a single score can break."""

    def checked(self, cell: Cell, observed: Observations) -> Mask:
        """Mark the rows that it speaks of."""
        ...

    def broken(self, cell: Cell, observed: Observations) -> Mask:
        """Mark the rows that break it."""
        ...


def examine(axiom: Exact, cell: Cell, observed: Observations) -> tuple[Estimate, Judgement]:
    """Count the rows that break an axiom; one is too many."""
    checked = axiom.checked(cell, observed)
    broken = axiom.broken(cell, observed) & checked
    found = Estimate(
        value=float(broken.sum()),
        low=float(broken.sum()),
        high=float(broken.sum()),
        confidence=1.0,
        segments=len(np.unique(observed.frame.segment[checked])),
        method="exact",
    )
    rows, wrong = int(checked.sum()), int(broken.sum())
    if not rows:
        raise ValueError("nothing to check: no text changed")
    verdict = Verdict.FAIL if wrong else Verdict.PASS
    return found, Judgement(verdict, f"{count(wrong, 'violation')} in {count(rows, 'score')}")
