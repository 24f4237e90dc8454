"""Print how often verdicts are wrong when the truth lies at the bound: at most 2.5 % are promised.

    python benchmarks/coverage.py ../shared/data --sets 4000 > coverage.md

Data sets are drawn with replacement from populations, so the population's own value is the truth.
Each cell counts the intervals that lie wholly above the truth, then those wholly below it: with a
bound at the truth these are the wrong verdicts of either side. Without a folder of real data only
made populations are used.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from math import sqrt
from pathlib import Path

import numpy as np
from data_sets import Draws
from many_sets import estimates
from populations import (
    QUESTIONS,
    WITHOUT_SAMPLING,
    Population,
    Question,
    made_populations,
    questions,
)
from real_populations import real_populations

from shakeproof.results import Estimate
from shakeproof.stats.compare import StoredEstimate, compare_estimates
from shakeproof.stats.estimate import resample
from shakeproof.stats.observations import Observations, Vector

SIZES = (30, 60, 100, 200)
PROMISE = 0.025


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

    def __str__(self) -> str:
        if self.undecided > 0.5:
            return "undecided"
        return f"{100 * self.above:.1f} / {100 * self.below:.1f}"


def measure(question: Question, units: int, sets: int, draws: int, seed: int = 0) -> Errors:
    """Estimate the claims in many data sets, and compare the intervals with the truth."""
    data_sets = Draws(question.population, units)
    if compares_runs(question):
        losses = (loss_since(question, one, draws) for one in data_sets.generate(sets, seed))
        truth = true_loss(question)
        sides = [side_of(loss, truth) for loss in losses]
        return errors_of(np.mean(sides, axis=0), sets)
    shares = [
        np.mean(
            [
                side_of(estimate, truth)
                for estimate in estimates(claim.statistic, data_sets, sets, draws, seed)
            ],
            axis=0,
        )
        for claim, truth in zip(question.claims, question.truths, strict=True)
    ]
    return max((errors_of(one, sets) for one in shares), key=lambda errors: errors.worse)


def errors_of(shares: Vector, sets: int) -> Errors:
    """Relate the wrong intervals to the data sets that have one."""
    above, below, undecided = (float(share) for share in shares)
    judged = max(1 - undecided, 1 / sets)
    return Errors(above / judged, below / judged, undecided, sets)


def side_of(estimate: Estimate, truth: float) -> tuple[bool, bool, bool]:
    """Return whether the interval lies above the truth, below it, or is missing."""
    if estimate.low is None or estimate.high is None:
        return False, False, True
    rounding = 1e-9 * max(1.0, abs(truth))
    return estimate.low > truth + rounding, estimate.high < truth - rounding, False


def compares_runs(question: Question) -> bool:
    """Return whether two runs are compared, which only have influences."""
    return question.expectation.name == "no_worse_than_baseline"


def true_loss(question: Question) -> float:
    """Return how much worse the metric is than the other one, which plays the stored run."""
    old, new = (one.truths[0] for one in (with_other(question), question))
    return old - new


def loss_since(question: Question, observed: Observations, draws: int) -> Estimate:
    """Compare the influences of two metrics, as if they were two runs of one."""
    statistics = [one.claims[0].statistic for one in (with_other(question), question)]
    old, new = (
        StoredEstimate(sample.estimate.value or 0.0, sample.influence)
        for sample in resample(statistics, observed, draws=0)
    )
    change = compare_estimates(old, new, direction=-1, allowed=0.0, draws=draws)
    if change.estimate is None:
        raise ValueError("two metrics that agree wholly compare as unchanged")
    return change.estimate


def with_other(question: Question) -> Question:
    """Ask the same of the other metric."""
    return Question(
        question.population,
        question.expectation,
        question.compared.others["other"],
        question.settings,
    )


@cache
def populations(folder: str) -> dict[str, Population]:
    """Make and read all populations, once for each process."""
    real = real_populations(Path(folder)) if folder else {}
    return {**made_populations(), **real}


def find_question(cell: Cell, folder: str) -> Question:
    """Return the question of a cell."""
    asked = questions(populations(folder)[cell.population], cell.expectation)
    return next(question for question in asked if question.settings == cell.settings)


def cells_of(folder: str, names: Iterable[str], sizes: Sequence[int]) -> list[Cell]:
    """List all cells."""
    return [
        Cell(name, question.settings, population, units)
        for name in names
        for population, segments in populations(folder).items()
        for question in questions(segments, name)
        for units in sizes
    ]


def measure_cell(cell: Cell, folder: str, sets: int, draws: int) -> Errors:
    """Measure one cell."""
    return measure(find_question(cell, folder), cell.units, sets, draws)


def table(rows: Iterable[Sequence[str]], header: Sequence[str]) -> str:
    """Write a table in Markdown."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def all_rows(errors: dict[Cell, Errors], sizes: Sequence[int]) -> list[list[str]]:
    """Return a row for each question and population."""
    asked = dict.fromkeys((c.expectation, c.settings, c.population) for c in errors)
    return [
        [f"`{row[0]}`", row[1], row[2], *(str(errors[Cell(*row, units)]) for units in sizes)]
        for row in asked
    ]


def worst_rows(errors: dict[Cell, Errors], sizes: Sequence[int]) -> list[list[str]]:
    """Return a row for each expectation: the worst of its questions and populations by size."""
    rows = []
    for name in dict.fromkeys(cell.expectation for cell in errors):
        by_size = [
            max(
                (cell for cell in errors if (cell.expectation, cell.units) == (name, units)),
                key=lambda cell: errors[cell].worse,
            )
            for units in sizes
        ]
        worst = max(by_size, key=lambda cell: errors[cell].worse)
        where = ", ".join(text for text in (worst.settings, worst.population) if text)
        rows.append([f"`{name}`", *(f"{100 * errors[c].worse:.1f}" for c in by_size), where])
    return rows + [
        [f"`{name}`", *["none"] * len(sizes), reason] for name, reason in WITHOUT_SAMPLING.items()
    ]


def main() -> None:
    """Measure all cells and print two tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", nargs="?", default="")
    parser.add_argument("--sets", type=int, default=4000)
    parser.add_argument("--draws", type=int, default=2000)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--only", nargs="+", default=list(QUESTIONS))
    parser.add_argument("--jobs", type=int, default=2)
    asked = parser.parse_args()
    cells = cells_of(asked.data, asked.only, asked.sizes)
    work = partial(measure_cell, folder=asked.data, sets=asked.sets, draws=asked.draws)
    with ProcessPoolExecutor(asked.jobs) as pool:
        errors = dict(zip(cells, pool.map(work, cells), strict=True))
    noise = 100 * sqrt(PROMISE * (1 - PROMISE) / asked.sets)
    print(
        f"{asked.sets:,} data sets for each cell; a share of 2.5 % has an error of {noise:.2f}.\n"
    )
    sizes = [f"n = {units}" for units in asked.sizes]
    print(table(worst_rows(errors, asked.sizes), ["expectation", *sizes, "worst where"]))
    print()
    header = ["expectation", "settings", "population", *sizes]
    print(table(all_rows(errors, asked.sizes), header))


if __name__ == "__main__":
    main()
