"""The similarity at which a paraphrase begins to beat a copy, from ParaScore's own formula."""

from __future__ import annotations

from shakeproof.metrics.kinds.parascore import ParaScore
from shakeproof.plan.items import Item
from shakeproof.results import Estimate, Part, PartName
from shakeproof.scoring.score_table import ScoreTable
from shakeproof.stats.kinds.copying import break_even


def break_even_parts(score_table: ScoreTable, item: Item) -> tuple[Part, ...]:
    """Return the break-even similarity, if the item is about copies and ParaScore has one."""
    metric = score_table.metrics[item.metric]
    if not item.check.expect.about_copies or not isinstance(metric, ParaScore):
        return ()
    if metric.omega is None or not (metric.threshold and metric.divergence):
        return ()
    estimate = Estimate(
        value=break_even(metric.omega, metric.gamma),
        method="1 - omega * (1 + gamma)",
        note="closed form, no data",
    )
    return (Part(name=PartName.BREAK_EVEN, estimate=estimate),)
