"""Where each metric stands with each family: its worst result, at a glance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from shakeproof.reports.anchors import anchor
from shakeproof.reports.margins import margin, worst
from shakeproof.reports.words import MINUS, SIGNS, Sign
from shakeproof.results import Result

CLEAN = "clean texts"


@dataclass(frozen=True, slots=True)
class Square:
    """The worst result of one metric under one family."""

    sign: Sign
    step: int
    text: str
    anchor: str


@dataclass(frozen=True, slots=True)
class Matrix:
    """Families as rows, metrics as columns; None where nothing was checked."""

    metrics: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Square | None, ...]], ...]


def matrix(results: Sequence[Result], metrics: Sequence[str]) -> Matrix:
    """Find the worst result for each metric and family."""
    families = dict.fromkeys(result.family or CLEAN for result in results)
    rows = tuple(
        (family, tuple(square(under(results, metric, family)) for metric in metrics))
        for family in families
    )
    return Matrix(tuple(metrics), rows)


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
