"""How metrics score a copied input, beside paraphrases (Shen et al. 2022, Tables 9 and 10)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from shakeproof.reports.charts.forest import Entry, ForestChart, forest_chart
from shakeproof.reports.estimates import part_estimate
from shakeproof.reports.sections.ablations import Ablation, ablations
from shakeproof.reports.sections.bounds import BoundsChart, bounds_charts
from shakeproof.reports.wording.format import number
from shakeproof.reports.wording.names import anchor, checklist_labels
from shakeproof.results import Bounds, ChecklistRecord, Estimate, PartName, Result, counted

WINS = {PartName.COPY_WINS: ""}
RANKS = {PartName.COPY_PERCENTILE: "own", PartName.COPY_PERCENTILE_AMONG_ALL: "all"}
COPIES = {
    PartName.COPY: "copied input",
    PartName.COPY_LOWER: "lower case",
    PartName.COPY_UNPUNCTUATED: "no punctuation",
}
RATED = {PartName.BEST_RATED: "best rated", PartName.MEAN_CANDIDATE: "average candidate"}
COEFFICIENTS = {
    PartName.PEARSON: PartName.PEARSON_WITH_COPIES,
    PartName.SPEARMAN: PartName.SPEARMAN_WITH_COPIES,
}
CIRCLE, SQUARE, GREY = "mark-1", "mark-2", "mark-3"


@dataclass(frozen=True, slots=True)
class CopyScores:
    """What one metric gives to a copy, to near-copies, and to rated candidates."""

    metric: str
    chart: ForestChart
    break_even: str  # a sentence, for a metric whose formula tells


@dataclass(frozen=True, slots=True)
class AddedCopies:
    """One metric's correlation before and after copies are added to the data."""

    metric: str
    before: Estimate
    after: Estimate

    @property
    def change(self) -> float:
        """Return the difference; both values are defined."""
        return (self.after.value or 0.0) - (self.before.value or 0.0)


@dataclass(frozen=True, slots=True)
class AddedCopiesChart:
    """All metrics by one coefficient, as a chart and as a table."""

    coefficient: str
    rows: tuple[AddedCopies, ...]
    chart: ForestChart


@dataclass(frozen=True, slots=True)
class Copying:
    """What one checklist found about copied inputs."""

    source: str  # the checklist, "" if only one has found something
    penalties: tuple[BoundsChart, ...]
    ranks: tuple[ForestChart, ...]  # how often a copy wins, and where it ranks
    copy_scores: tuple[CopyScores, ...]
    added_copies: tuple[AddedCopiesChart, ...]
    ablations: tuple[Ablation, ...]


def copying(
    results: Sequence[Result], checklists: Sequence[ChecklistRecord]
) -> tuple[Copying, ...]:
    """Collect all results about copied inputs, checklist by checklist."""
    labels = checklist_labels(record.file for record in checklists)
    every = [
        checklist_copying(
            record, [r for r in results if r.file == record.file], labels[record.file]
        )
        for record in checklists
    ]
    shown = [part for part in every if part.penalties or part.copy_scores or part.ablations]
    return tuple(shown if len(shown) > 1 else (replace(part, source="") for part in shown))


def checklist_copying(record: ChecklistRecord, results: Sequence[Result], source: str) -> Copying:
    """Collect what one checklist found."""
    penalties = [result for result in results if result.expectation == "copy_penalty"]
    return Copying(
        source=source,
        penalties=bounds_charts(penalties),
        ranks=tuple(rank_charts(penalties, record.file)),
        copy_scores=tuple(filter(None, map(copy_scores, penalties))),
        added_copies=tuple(added_copies(penalties, record.file)),
        ablations=ablations(results, record),
    )


def rank_charts(results: Sequence[Result], file: str) -> Iterator[ForestChart]:
    """Chart how often the copy wins, and where it ranks among the rated candidates."""
    wins = [entry for result in results for entry in share_entries(result, WINS)]
    ranks = [entry for result in results for entry in share_entries(result, RANKS)]
    if wins:
        yield forest_chart(
            anchor(f"{file}::wins", "copy"),
            "How often a copy wins",
            "Share of inputs whose copy scores above the candidates people rated best.",
            wins,
            x_title="share of inputs",
            x_range=(0.0, 1.0),
        )
    if ranks:
        yield forest_chart(
            anchor(f"{file}::ranks", "copy"),
            "Where a copy ranks",
            "Share of rated candidates scoring below the copy: those of its own input, and those "
            "of all inputs. Ties count half.",
            ranks,
            x_title="share of candidates",
            x_range=(0.0, 1.0),
        )


def share_entries(result: Result, notes: Mapping[PartName, str]) -> list[Entry]:
    """List one metric's rows: the parts that are defined, with their notes."""
    parts = [(note, part_estimate(result, name)) for name, note in notes.items()]
    return [
        Entry(result.metric, estimate, SQUARE, note)
        for note, estimate in parts
        if estimate is not None
    ]


def copy_scores(result: Result) -> CopyScores | None:
    """Chart scores from the copy outwards; copies should lie in the shaded zone."""
    entries = [*copy_entries(result), *rated_entries(result)]
    if not entries:
        return None
    best = part_estimate(result, PartName.BEST_RATED)
    chart = forest_chart(
        anchor(result.id, "scores"),
        result.metric,
        f"Mean score that {result.metric} gives to a copied input, to near-copies and to rated "
        "candidates. Shaded: below the best rated.",
        entries,
        x_title="mean score",
        bounds=Bounds(high=best.value if best else None),
        zero=False,
    )
    similarity = part_estimate(result, PartName.BREAK_EVEN)
    break_even = (
        "A paraphrase scores above a copy when its similarity is above "
        f"{number(similarity.value, 2)}."
        if similarity
        else ""
    )
    return CopyScores(result.metric, chart, break_even)


def copy_entries(result: Result) -> Iterator[Entry]:
    """Yield the copy and the near-copies, from the copy outwards."""
    parts = [part for part in result.parts if not part.group]
    by_name = {part.name: part for part in parts}
    for name, words in COPIES.items():
        if name in by_name:
            yield Entry(words, by_name[name].estimate, SQUARE)
    near = [part for part in parts if part.name == PartName.NEAR_COPY]
    for part in sorted(near, key=lambda part: part.level or 0.0):
        yield Entry(f"{counted(int(part.level or 0), 'word')} changed", part.estimate, SQUARE)


def rated_entries(result: Result) -> Iterator[Entry]:
    """Yield the rated candidates: the best, and the average."""
    for part in result.parts:
        if part.name in RATED and not part.group:
            name = PartName(part.name)
            yield Entry(RATED[name], part.estimate, CIRCLE if name is PartName.BEST_RATED else GREY)


def added_copies(results: Sequence[Result], file: str) -> Iterator[AddedCopiesChart]:
    """Chart correlations before and after copies are added, by coefficient."""
    for coefficient, with_copies in COEFFICIENTS.items():
        parts = [
            (r.metric, part_estimate(r, coefficient), part_estimate(r, with_copies))
            for r in results
        ]
        rows = tuple(
            AddedCopies(m, before, after) for m, before, after in parts if before and after
        )
        if rows:
            chart = added_copies_chart(coefficient.value, rows, file)
            yield AddedCopiesChart(coefficient.value, rows, chart)


def added_copies_chart(coefficient: str, rows: Sequence[AddedCopies], file: str) -> ForestChart:
    """Lay out two rows for each metric."""
    entries = [
        Entry(row.metric, estimate, slug, note)
        for row in rows
        for note, estimate, slug in (("before", row.before, CIRCLE), ("after", row.after, SQUARE))
    ]
    name = coefficient.capitalize()
    return forest_chart(
        anchor(f"{file}::{coefficient}", "added"),
        f"{name} before and after",
        f"{name} with human ratings, before and after adding copies rated 0.",
        entries,
        x_title=f"{coefficient} with human ratings",
        zero=False,
    )
