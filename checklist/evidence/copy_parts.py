"""What a metric's own formula says about copies, beside what was measured."""

from __future__ import annotations

from shakeproof.metrics.kinds.parascore import ParaScore
from shakeproof.plan.items import Item
from shakeproof.results import Estimate, Part
from shakeproof.scoring.score_table import ScoreTable
from shakeproof.stats.kinds.copying import break_even

BREAK_EVEN = "break-even similarity"


def dossier_parts(score_table: ScoreTable, item: Item) -> tuple[Part, ...]:
    """Give the similarity from which on a paraphrase can beat a copy under ParaScore."""
    metric = score_table.metrics[item.metric]
    if not item.check.expect.about_copies or not isinstance(metric, ParaScore):
        return ()
    if metric.omega is None or not (metric.threshold and metric.divergence):
        return ()
    value = break_even(metric.omega, metric.gamma)
    found = Estimate(value=value, method="1 - omega * (1 + gamma)", note="closed form, no data")
    return (Part(name=BREAK_EVEN, estimate=found),)
