"""Views of metrics: their other numbers, which some expectations compare."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from shakeproof.expectations import Expectation
from shakeproof.metrics.asking import HasViews
from shakeproof.metrics.judges.views import draw_views
from shakeproof.metrics.protocols import Metric
from shakeproof.perturbations import Family
from shakeproof.plan.perturbed import Condition
from shakeproof.stats.observations import ScoreKey

BETWEEN = "::"  # no name of a metric has it


def offered_views(metric: Metric) -> tuple[str, ...]:
    """Return the names of the views that a metric has."""
    return tuple(metric.views) if isinstance(metric, HasViews) else ()


def skip_reason(expect: Expectation, name: str, metric: Metric) -> str:
    """Return why a metric cannot be judged by an expectation about views; "" if it can."""
    if not expect.compares_views:
        return ""
    problem = expect.views_problem(offered_views(metric))
    return f"{expect.name} needs {problem}, which metric {name!r} does not have" if problem else ""


def control_skip_reason(family: Family, name: str, metric: Metric) -> str:
    """Return why a control shows nothing about a metric: a single answer is not asked for again."""
    if not family.control or len(draw_views(offered_views(metric))) != 1:
        return ""
    return f"{family.name} needs repeats: 2 or more, which metric {name!r} does not have"


def views_by_key(
    expect: Expectation, metric: Metric, score_keys: Sequence[tuple[str, Condition]]
) -> dict[str, dict[ScoreKey, ScoreKey]]:
    """Return, by the name of each view that is compared, its key for each key of the metric."""
    return {
        view: {key: (view_name(key[0], view), key[1]) for key in score_keys}
        for view in expect.views_among(offered_views(metric))
    }


def view_name(metric: str, view: str) -> str:
    """Name a view of a metric as if it were a metric of the checklist."""
    return f"{metric}{BETWEEN}{view}"


def find_metric(name: str, metrics: Mapping[str, Metric]) -> Metric:
    """Return the metric of that name, or the view of a metric."""
    owner, _, view = name.partition(BETWEEN)
    return cast(HasViews, metrics[owner]).views[view] if view else metrics[name]
