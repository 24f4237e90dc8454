"""Tables of how often verdicts are wrong, in Markdown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Protocol

from populations import WITHOUT_SAMPLING, Population

PROMISE = 0.025
REAL, MADE, LONG_TAILS = "real", "made", "long tails"


@dataclass(frozen=True, slots=True)
class Cell:
    """One question asked of many data sets of one size."""

    expectation: str
    settings: str
    population: str
    units: int


@dataclass(frozen=True, slots=True)
class Errors:
    """Shares of intervals above the truth and below it, and of data sets without an interval."""

    above: float
    below: float
    undecided: float
    sets: int

    @property
    def worse(self) -> float:
        """Return the share on the worse side."""
        return max(self.above, self.below)

    @property
    def judged(self) -> bool:
        """Return whether most data sets have an interval."""
        return self.undecided <= 0.5

    def __str__(self) -> str:
        return f"{100 * self.above:.1f} / {100 * self.below:.1f}" if self.judged else "undecided"


class Measured(Protocol):
    """What was measured, with how many data sets and draws."""

    @property
    def sets(self) -> int: ...
    @property
    def draws(self) -> int: ...
    @property
    def seed(self) -> int: ...
    @property
    def sizes(self) -> tuple[int, ...]: ...


def kind_of(population: Population) -> str:
    """Return which column of the first table a population belongs to."""
    if not population.made:
        return REAL
    return LONG_TAILS if population.long_tails else MADE


def _numbers_of_sets(errors: Iterable[Errors]) -> str:
    """Write how many data sets how many cells have, and the error of a share of 2.5 % then."""
    cells = Counter(one.sets for one in errors)
    return ", ".join(
        f"{sets:,} data sets for each of {count:,} cells (a share of 2.5 % has an error of "
        f"{100 * sqrt(PROMISE * (1 - PROMISE) / sets):.2f})"
        for sets, count in cells.most_common()
    )


def write_tables(
    errors: Mapping[Cell, Errors], kinds: Mapping[str, str], measured: Measured
) -> str:
    """Write the worst cells of each expectation, those with long tails, and all cells."""
    sizes = [f"n = {units}" for units in measured.sizes]
    worst = ["expectation", *sizes, "worst where"]
    usual = {cell: one for cell, one in errors.items() if kinds[cell.population] != LONG_TAILS}
    tailed = {cell: one for cell, one in errors.items() if kinds[cell.population] == LONG_TAILS}
    parts = [
        f"{_numbers_of_sets(errors.values())}, {measured.draws:,} draws, seed {measured.seed}.",
        "Real / made populations:",
        table(
            worst_rows(usual, measured.sizes, kinds, (REAL, MADE)) + exact_rows(measured.sizes),
            worst,
        ),
        "Populations with long tails:",
        table(worst_rows(tailed, measured.sizes, kinds, (LONG_TAILS,)), worst),
        "Intervals above the truth / below it, for all cells:",
        table(all_rows(errors, measured.sizes), ["expectation", "settings", "population", *sizes]),
    ]
    return "\n\n".join(parts) + "\n"


def table(rows: Iterable[Sequence[str]], header: Sequence[str]) -> str:
    """Write a table in Markdown."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def all_rows(errors: Mapping[Cell, Errors], sizes: Sequence[int]) -> list[list[str]]:
    """Return a row for each question and population."""
    asked = dict.fromkeys((c.expectation, c.settings, c.population) for c in errors)
    return [
        [f"`{row[0]}`", row[1], row[2], *(str(errors.get(Cell(*row, n), "")) for n in sizes)]
        for row in asked
    ]


def worst_rows(
    errors: Mapping[Cell, Errors],
    sizes: Sequence[int],
    kinds: Mapping[str, str],
    columns: Sequence[str],
) -> list[list[str]]:
    """Return a row for each expectation: its worst cell by size and kind of population."""
    rows = []
    for name in dict.fromkeys(cell.expectation for cell in errors):
        own = {cell: one for cell, one in errors.items() if cell.expectation == name}
        shown = [
            " / ".join(
                worst_share(own[c] for c in own if (c.units, kinds[c.population]) == (units, kind))
                for kind in columns
            )
            for units in sizes
        ]
        judged = [cell for cell in own if own[cell].judged]
        where = describe(max(judged, key=lambda cell: own[cell].worse)) if judged else ""
        rows.append([f"`{name}`", *shown, where])
    return rows


def worst_share(errors: Iterable[Errors]) -> str:
    """Return the largest share of wrong verdicts, in percent."""
    measured = list(errors)
    shares = [one.worse for one in measured if one.judged]
    if not measured:
        return "-"
    return f"{100 * max(shares):.1f}" if shares else "none"


def describe(cell: Cell) -> str:
    """Name a cell but for its expectation."""
    return ", ".join(filter(None, [cell.settings, cell.population, f"n = {cell.units}"]))


def exact_rows(sizes: Sequence[int]) -> list[list[str]]:
    """Return a row for each expectation whose verdict has no sampling error."""
    return [
        [f"`{name}`", *["none"] * len(sizes), reason] for name, reason in WITHOUT_SAMPLING.items()
    ]
