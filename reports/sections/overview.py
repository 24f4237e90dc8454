"""Where each metric stands with each family: its worst result, at a glance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from shakeproof.reports.wording.anchors import anchor
from shakeproof.reports.wording.format import MINUS, SIGNS, Sign
from shakeproof.reports.wording.margins import margin, worst
from shakeproof.results import Result

CLEAN = "clean texts"
MOST_COLUMNS = 10  # that fit beside each other


@dataclass(frozen=True, slots=True)
class Square:
    """The worst result of one metric under one family."""

    sign: Sign
    step: int
    text: str
    anchor: str


@dataclass(frozen=True, slots=True)
class Matrix:
    """Families by metrics, the longer side as rows if it is long; None: nothing was checked."""

    metrics: tuple[str, ...]
    families: tuple[str, ...]
    turned: bool  # metrics as rows
    rows: tuple[tuple[str, tuple[Square | None, ...]], ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """Name the columns."""
        return self.families if self.turned else self.metrics


def matrix(results: Sequence[Result], metrics: Sequence[str]) -> Matrix:
    """Find the worst result for each metric and family."""
    families = tuple(dict.fromkeys(result.family or CLEAN for result in results))
    turned = len(metrics) > MOST_COLUMNS and len(metrics) > len(families)
    found = {
        (metric, family): square(under(results, metric, family))
        for metric in metrics
        for family in families
    }
    by_metric = ((one, tuple(found[one, family] for family in families)) for one in metrics)
    by_family = ((one, tuple(found[metric, one] for metric in metrics)) for one in families)
    return Matrix(tuple(metrics), families, turned, tuple(by_metric if turned else by_family))


def under(results: Sequence[Result], metric: str, family: str) -> list[Result]:
    """Select the results of a metric under a family."""
    return [r for r in results if r.metric == metric and (r.family or CLEAN) == family]


def square(results: Sequence[Result]) -> Square | None:
    """Show the worst of the results."""
    lead = worst(results)
    if lead is None:
        return None
    side, sign = margin(lead), SIGNS[lead.outcome]
    text = "" if side is None else signed(side.value)
    step = 1 if side is None else side.step
    return Square(sign, step, text, anchor(lead.id))


def signed(value: float) -> str:
    """Write a margin with its sign."""
    return f"{value:+.2f}".replace("-", MINUS)
