"""Views of judges: the other numbers that their scores contain, and how these are named."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from shakeproof.metrics.protocols import Instance, Metric, ScoreRequest

Formula: TypeAlias = Callable[[Instance, Sequence[float]], float]

DRAW, RIVAL = "draw ", "rival "  # each with a number from 1


class View(StrEnum):
    """What comparisons of a candidate with its rivals show, besides who wins."""

    CONSISTENT = "consistent"  # share with the same winner in both orders, or none in both
    FLIPPED = "flipped"  # share with another winner in each order
    FIRST = "first"  # mean preference for the first place; 0.5 is none
    ASKED = "asked"  # number of comparisons


def draw_view(number: int) -> str:
    """Name the view of one draw alone, counted from 1."""
    return f"{DRAW}{number}"


def rival_view(number: int) -> str:
    """Name the view of the preference over one rival alone, counted from 1."""
    return f"{RIVAL}{number}"


def draw_views(names: Iterable[str]) -> tuple[str, ...]:
    """Return the names that are those of draws."""
    return tuple(name for name in names if name.startswith(DRAW))


def rival_views(names: Iterable[str]) -> tuple[str, ...]:
    """Return the names that are those of rivals."""
    return tuple(name for name in names if name.startswith(RIVAL))


@dataclass(frozen=True, slots=True)
class MetricView:
    """Another number computed from the scores that a metric needs."""

    name: str
    metric: Metric
    formula: Formula

    @property
    def signature(self) -> str:
        return f"view({self.name})|{self.metric.signature}"

    @property
    def requires(self) -> frozenset[str]:
        return self.metric.requires

    def needs(self, instance: Instance) -> Sequence[ScoreRequest]:
        return self.metric.needs(instance)

    def combine(self, instance: Instance, scores: Sequence[float]) -> float:
        return self.formula(instance, scores)
