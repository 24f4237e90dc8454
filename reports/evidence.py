"""The texts that broke a metric, marked and kept within a size."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from shakeproof.reports.anchors import anchor
from shakeproof.reports.margins import badness
from shakeproof.reports.marking import Span, marked, shortened
from shakeproof.reports.words import cell
from shakeproof.results import Example, Outcome, Result, TokenMatrix

TEXTS_IN_ROWS = 60  # of the page; the rest stays in run.json
WORST_PER_METRIC = 3
TOKENS = 30  # at either side of a matrix
TELLING = (Outcome.FAILED, Outcome.WARNED, Outcome.KNOWN_FAILURE, Outcome.UNDECIDED)


@dataclass(frozen=True, slots=True)
class Text:
    """A text beside the perturbed one."""

    name: str
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """A token matrix with a depth of colour for each cell."""

    name: str
    segment: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[tuple[int, str], ...]], ...]


@dataclass(frozen=True, slots=True)
class Exhibit:
    """An example as it is shown."""

    example: Example
    spans: tuple[Span, ...]
    minimal: tuple[Span, ...]
    beside: tuple[Text, ...]
    grids: tuple[Grid, ...]

    @property
    def change(self) -> float:
        """Subtract the score before from the score after."""
        return self.example.score_after - self.example.score_before


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """The check in which a text was found."""

    anchor: str
    check: str
    condition: str


@dataclass(frozen=True, slots=True)
class Dossier:
    """The worst texts of one metric."""

    metric: str
    exhibits: tuple[tuple[Whereabouts, Exhibit], ...]


def exhibit(example: Example) -> Exhibit:
    """Mark the edit, and shorten what stands beside it."""
    others = {name: getattr(example, name) for name in ("candidate", "reference", "source")}
    beside = tuple(
        Text(name, shortened([Span("same", text)]))
        for name, text in others.items()
        if text is not None and name != example.field
    )
    minimal = () if example.minimal is None else marked(example.before, example.minimal)
    spans = marked(example.before, example.after)
    return Exhibit(example, spans, minimal, beside, tuple(grids(example)))


def grids(example: Example) -> Iterator[Grid]:
    """Lay out the similarity of tokens before and after."""
    for name, found in (("before", example.matrix_before), ("after", example.matrix_after)):
        if found is not None:
            yield Grid(name, example.segment, found.reference[:TOKENS], tuple(graded(found)))


def graded(found: TokenMatrix) -> Iterator[tuple[str, tuple[tuple[int, str], ...]]]:
    """Give each similarity a depth of colour from 0 to 9."""
    for token, row in zip(found.candidate[:TOKENS], found.similarity, strict=False):
        yield token, tuple((depth(value), f"{value:.2f}") for value in row[:TOKENS])


def depth(similarity: float) -> int:
    """Grade a similarity for colour; what is not above zero gets none."""
    return min(max(int(similarity * 10), 0), 9)


def dossiers(results: Sequence[Result], metrics: Sequence[str]) -> tuple[Dossier, ...]:
    """Pick the worst texts of each metric, no segment twice."""
    found = (dossier(metric, [r for r in results if r.metric == metric]) for metric in metrics)
    return tuple(one for one in found if one.exhibits)


def dossier(metric: str, results: Sequence[Result]) -> Dossier:
    """Pick the worst texts of a metric from its worst results."""
    chosen: dict[str, tuple[Whereabouts, Exhibit]] = {}
    for result in sorted(results, key=badness):
        if result.outcome not in TELLING:
            continue
        for example in result.examples:
            if len(chosen) < WORST_PER_METRIC and example.segment not in chosen:
                chosen[example.segment] = (whereabouts(result), exhibit(example))
    return Dossier(metric, tuple(chosen.values()))


def whereabouts(result: Result) -> Whereabouts:
    """Point to a check."""
    return Whereabouts(anchor(result.id), result.check, cell(result))


def shown_in_rows(results: Sequence[Result]) -> frozenset[str]:
    """Choose the checks whose texts fit on the page, worst first."""
    room, chosen = TEXTS_IN_ROWS, []
    for result in sorted(results, key=badness):
        room -= len(result.examples)
        if room >= 0 and result.examples:
            chosen.append(result.id)
    return frozenset(chosen)
