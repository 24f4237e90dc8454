"""Checks of metrics with missing scores: a few may be left out, above that nothing is decided."""

from __future__ import annotations

from dataclasses import replace

from shakeproof.plan.items import Item
from shakeproof.results import MissingCount, Verdict
from shakeproof.results.missing import share
from shakeproof.spec.model import Checklist
from shakeproof.stats.verdicts import Assessment, Judgement

ADVICE = "mend the metric, or allow more by missing_at_most"


def missing_at_most(checklist: Checklist, item: Item) -> float:
    """Return the share of candidates that an item may leave out."""
    limit = item.check.missing_at_most
    return checklist.missing_at_most if limit is None else limit


def judged_with_missing(
    assessment: Assessment, missing: MissingCount | None, at_most: float
) -> Assessment:
    """Withdraw the verdict if more candidates are left out than allowed."""
    if missing is None or missing.count <= at_most * missing.of:
        return assessment
    counts = f"{missing.count:,} of {missing.of:,} candidates"
    allowed = f"{share(missing.count, missing.of)}, {100 * at_most:g} % allowed"
    message = f"no score for {counts} ({allowed}): {', '.join(missing.reasons)}"
    judgement = Judgement(Verdict.INCONCLUSIVE, message, advice=ADVICE)
    return replace(assessment, judgement=judgement)
