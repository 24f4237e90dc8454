"""Print how often verdicts are wrong when the truth lies at the bound: at most 2.5 % are promised.

    python benchmarks/coverage.py DATA --sets 4000 --json cells.jsonl --table coverage.md

Data sets are drawn with replacement from populations, so the population's own value is the truth.
Each cell counts the intervals that lie wholly above the truth, then those wholly below it: with a
bound at the truth these are the wrong verdicts of either side. Without a folder of real data only
made populations are used. A run that was stopped goes on with the cells that the file lacks.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np
from coverage_tables import Cell, Errors, kind_of, write_tables
from data_sets import Draws
from many_sets import estimates, mean_value
from populations import QUESTIONS, Population, Question, made_populations, questions
from real_populations import real_populations

from shakeproof.results import Estimate
from shakeproof.stats.compare import StoredEstimate, compare_estimates
from shakeproof.stats.estimate import resample
from shakeproof.stats.intervals import interval_traits
from shakeproof.stats.observations import Observations, Vector

SIZES = (30, 60, 100, 200)
TRUTH_SETS = 4_000  # data sets whose mean is the truth, where it depends on their size


@dataclass(frozen=True, slots=True)
class Options:
    """What is measured, and where finished cells are kept."""

    folder: str  # of real data
    sets: int
    draws: int
    seed: int
    sizes: tuple[int, ...] = SIZES
    finished: Path | None = None

    @property
    def record(self) -> dict[str, int]:
        """Return the settings that a finished cell depends on."""
        return {"sets": self.sets, "draws": self.draws, "seed": self.seed}


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
        for claim, truth in zip(question.claims, truths_of(question, data_sets), strict=True)
    ]
    return max((errors_of(one, sets) for one in shares), key=lambda errors: errors.worse)


def truths_of(question: Question, data_sets: Draws) -> list[float]:
    """Return the true value of each claim.

    Of a statistic that predicts new data it is the mean over many data sets of the same size.
    """
    return [
        mean_value(claim.statistic, data_sets, TRUTH_SETS)
        if interval_traits(claim.statistic).predicts
        else truth
        for claim, truth in zip(question.claims, question.truths, strict=True)
    ]


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
def populations(folder: str, seed: int) -> dict[str, Population]:
    """Make and read all populations, once for each process."""
    real = real_populations(Path(folder)) if folder else {}
    return {**made_populations(seed=seed), **real}


@cache
def asked_of(folder: str, seed: int, population: str, name: str) -> list[Question]:
    """Ask a population all that is asked of an expectation, once for each process."""
    return questions(populations(folder, seed)[population], name)


def cells_of(options: Options, names: Iterable[str]) -> list[Cell]:
    """List all cells."""
    return [
        Cell(name, question.settings, population, units)
        for name in names
        for population in populations(options.folder, options.seed)
        for question in asked_of(options.folder, options.seed, population, name)
        for units in options.sizes
    ]


def measure_cell(cell: Cell, options: Options) -> Errors:
    """Measure one cell."""
    asked = asked_of(options.folder, options.seed, cell.population, cell.expectation)
    question = next(one for one in asked if one.settings == cell.settings)
    return measure(question, cell.units, options.sets, options.draws, options.seed)


def measure_all(cells: Sequence[Cell], options: Options, jobs: int) -> dict[Cell, Errors]:
    """Measure what the file of finished cells lacks, and add it there."""
    errors = read_finished(options)
    missing = [cell for cell in cells if cell not in errors]
    with ProcessPoolExecutor(jobs) as pool:
        running = {pool.submit(measure_cell, cell, options): cell for cell in missing}
        for future in as_completed(running):
            errors[running[future]] = future.result()
            write_finished(running[future], future.result(), options)
    return {cell: errors[cell] for cell in cells}


def read_finished(options: Options) -> dict[Cell, Errors]:
    """Read the cells that were measured on as many data sets or more: one JSON object in each line.

    Of several measurements of a cell the one on the most data sets counts.
    """
    path = options.finished
    if path is None or not path.exists():
        return {}
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    measured = [
        (Cell(**line["cell"]), Errors(**line["errors"]))
        for line in lines
        if {**line["settings"], "sets": options.sets} == options.record
    ]
    enough = [(cell, errors) for cell, errors in measured if errors.sets >= options.sets]
    return dict(sorted(enough, key=lambda one: one[1].sets))


def write_finished(cell: Cell, errors: Errors, options: Options) -> None:
    """Add a line to the file of finished cells."""
    if options.finished is None:
        return
    line = {"settings": options.record, "cell": asdict(cell), "errors": asdict(errors)}
    with options.finished.open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")


def main() -> None:
    """Measure all cells; write or print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", nargs="?", default="")
    parser.add_argument("--sets", type=int, default=4000)
    parser.add_argument("--draws", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=16, help="of populations and of data sets")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--only", nargs="+", default=list(QUESTIONS))
    parser.add_argument("--populations", nargs="+", help="only these")
    parser.add_argument("--without", default="", help="leave out cells with this in their settings")
    parser.add_argument("--above", type=float, help="only cells that had more wrong verdicts (%%)")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--json", type=Path, help="finished cells, which are not measured again")
    parser.add_argument("--table", type=Path, help="where the tables go instead of the terminal")
    parser.add_argument("--finished", action="store_true", help="measure nothing more")
    asked = parser.parse_args()
    options = Options(
        asked.data, asked.sets, asked.draws, asked.seed, tuple(asked.sizes), asked.json
    )
    cells = [
        cell
        for cell in cells_of(options, asked.only)
        if (asked.populations is None or cell.population in asked.populations)
        and not (asked.without and asked.without in cell.settings)
    ]
    if asked.above is not None:
        before = read_finished(replace(options, sets=1))
        cells = [
            cell for cell in cells if cell in before and before[cell].worse > asked.above / 100
        ]
    if asked.finished:
        errors = {cell: found for cell, found in read_finished(options).items() if cell in cells}
    else:
        errors = measure_all(cells, options, asked.jobs)
    kinds = {name: kind_of(one) for name, one in populations(options.folder, options.seed).items()}
    text = write_tables(errors, kinds, options)
    if asked.table:
        asked.table.write_text(text, encoding="utf-8")
    else:
        print(text)


if __name__ == "__main__":
    main()
