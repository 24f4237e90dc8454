"""The scores of a control: what a metric that is asked again about the same texts would say."""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt

from shakeproof.metrics.judges.views import draw_views
from shakeproof.metrics.protocols import Metric
from shakeproof.plan.items import ScoreKey
from shakeproof.plan.perturbed import CLEAN
from shakeproof.plan.views import offered_views, view_name
from shakeproof.stats.observations import Vector


def scores_asked_again(name: str, metric: Metric, read: Callable[[ScoreKey], Vector]) -> Vector:
    """Return the clean scores with the noise of a second run, which nobody has to pay for.

    Two means of K draws differ with 2/K times the variance of a draw, and so do two draws divided
    by the root of K. A metric without draws gives the same scores again.
    """
    clean = read((name, CLEAN))
    draws = draw_views(offered_views(metric))
    if len(draws) < 2:
        return clean
    one, other = (read((view_name(name, draw), CLEAN)) for draw in draws[:2])
    asked_again: Vector = clean + (one - other) / sqrt(len(draws))
    return asked_again
