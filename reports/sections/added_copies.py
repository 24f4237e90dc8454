"""Correlation before and after copies join the data (Shen et al. 2022, Table 9)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from shakeproof.reports.charts.forest import Entry, ForestChart, forest_chart
from shakeproof.reports.wording.anchors import anchor
from shakeproof.reports.wording.names import bare
from shakeproof.results import Estimate, Part, Result

COEFFICIENTS = ("pearson", "spearman")
WITH_COPIES = " with copies rated 0"
PLAIN, EXTENDED = "mark-1", "mark-2"


@dataclass(frozen=True, slots=True)
class Joined:
    """One metric's correlation without and with copies."""

    metric: str
    plain: Estimate
    extended: Estimate

    @property
    def change(self) -> float | None:
        """Subtract the plain correlation."""
        if self.plain.value is None or self.extended.value is None:
            return None
        return self.extended.value - self.plain.value


@dataclass(frozen=True, slots=True)
class Extended:
    """All metrics by one coefficient, as a chart and as a table."""

    coefficient: str
    rows: tuple[Joined, ...]
    chart: ForestChart


def extended(results: Sequence[Result], file: str) -> tuple[Extended, ...]:
    """Set correlations without and with copies side by side, by coefficient."""
    found = [(name, [joined(result, name) for result in results]) for name in COEFFICIENTS]
    known = [(name, tuple(filter(None, rows))) for name, rows in found]
    return tuple(Extended(name, rows, chart(name, rows, file)) for name, rows in known if rows)


def joined(result: Result, coefficient: str) -> Joined | None:
    """Find a metric's two correlations, if both are defined."""
    plain = estimate_of(result.parts, coefficient)
    with_copies = estimate_of(result.parts, f"{coefficient}{WITH_COPIES}")
    if plain is None or with_copies is None:
        return None
    return Joined(bare(result.metric, result.file), plain, with_copies)


def estimate_of(parts: Sequence[Part], name: str) -> Estimate | None:
    """Look up a part that is defined, over all groups."""
    found = (part.estimate for part in parts if part.name == name and not part.group)
    return next((one for one in found if one.value is not None), None)


def chart(coefficient: str, rows: Sequence[Joined], file: str) -> ForestChart:
    """Lay out two rows for each metric."""
    entries = [
        Entry(row.metric, estimate, slug, note)
        for row in rows
        for note, estimate, slug in (
            ("plain", row.plain, PLAIN),
            ("copies", row.extended, EXTENDED),
        )
    ]
    name = coefficient.capitalize()
    return forest_chart(
        anchor(f"{file}::{coefficient}", "extended"),
        f"{name} with copies in the data",
        f"{name} with ratings, without copies and with copies that are rated 0.",
        entries,
        x_title=f"{coefficient} with ratings",
        zero=False,
    )
