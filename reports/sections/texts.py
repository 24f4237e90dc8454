"""The texts that broke a metric, marked and kept within a size."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from shakeproof.reports.charts.bars import BarChart, bar_chart
from shakeproof.reports.charts.matrix import TokenChart, cells, token_chart
from shakeproof.reports.wording.anchors import anchor
from shakeproof.reports.wording.format import cell, many, number
from shakeproof.reports.wording.margins import badness
from shakeproof.reports.wording.marking import Span, marked, shortened
from shakeproof.results import Example, Outcome, Result

TEXTS_IN_ROWS = 30  # of the page; the rest stays in run.json
MOST_METRICS = 12  # whose texts have a place of their own
WORST_PER_METRIC = 3
MOST_CELLS = 8_000  # of token matrices on a page
CELLS_OVER_CHECKS = 1_200_000  # the more checks, the less room is left for them
TELLING = (Outcome.FAILED, Outcome.WARNED, Outcome.KNOWN_FAILURE, Outcome.UNDECIDED)


@dataclass(frozen=True, slots=True)
class Text:
    """A text beside the perturbed one."""

    name: str
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Exhibit:
    """An example as it is shown."""

    example: Example
    spans: tuple[Span, ...]
    minimal: tuple[Span, ...]
    found: str  # how the fewest edits were found
    beside: tuple[Text, ...]
    matrices: tuple[TokenChart, ...] = ()

    @property
    def change(self) -> float:
        """Subtract the score before from the score after."""
        return self.example.score_after - self.example.score_before

    @property
    def closeness(self) -> str:
        """Say what became of the closest tokens, where both matrices are shown."""
        if len(self.matrices) < 2:
            return ""
        before, after = (number(chart.mean, 2) for chart in self.matrices)
        return f"The closest token of the reference is at {before} on average, then at {after}."


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """The check in which a text was found."""

    anchor: str
    check: str
    condition: str


@dataclass(frozen=True, slots=True)
class Dossier:
    """The worst texts of one metric, and how its scores moved where the first was found."""

    metric: str
    exhibits: tuple[tuple[Whereabouts, Exhibit], ...]
    changes: BarChart | None


def exhibit(example: Example) -> Exhibit:
    """Mark the edit, and shorten what stands beside it."""
    others = {name: getattr(example, name) for name in ("candidate", "reference", "source")}
    beside = tuple(
        Text(name, shortened([Span("same", text)]))
        for name, text in others.items()
        if text is not None and name != example.field
    )
    fewer = example.minimal is not None and example.minimal != example.after
    minimal = marked(example.before, example.minimal or "") if fewer else ()
    spans = marked(example.before, example.after)
    return Exhibit(example, spans, minimal, search(example), beside)


def search(example: Example) -> str:
    """Tell what the search for the fewest edits found, as far as that is known."""
    fewest, edits, score = example.edits_minimal, example.edits, example.score_minimal
    told = [
        "" if fewest is None or edits is None else f"{fewest} of {many(edits, 'edit')}",
        "" if score is None else f"score {number(score)}",
        f"found with {many(example.calls, 'score')}" if example.calls else "",
    ]
    spared = "no edit can be spared" if example.minimal == example.after else ""
    return ", ".join(filter(None, [spared or told[0], *told[1:]]))


def dossiers(results: Sequence[Result], metrics: Sequence[str]) -> tuple[Dossier, ...]:
    """Pick the worst texts of each metric, no segment twice, and of many metrics the worst."""
    found = {one: chosen_texts([r for r in results if r.metric == one]) for one in metrics}
    broken = [one for one in metrics if found[one]]
    worst = sorted(broken, key=lambda one: badness(found[one][0][0]))[:MOST_METRICS]
    chosen = {one: found[one] for one in broken if one in worst}
    room = min(MOST_CELLS, CELLS_OVER_CHECKS // max(len(results), 1))
    shown = shown_by_token(list(chosen.values()), room)
    return tuple(dossier(metric, texts, shown) for metric, texts in chosen.items())


def broken_metrics(results: Sequence[Result]) -> int:
    """Count the metrics of which there are texts to show."""
    return len({one.metric for one in results if one.examples and one.outcome in TELLING})


def chosen_texts(results: Sequence[Result]) -> list[tuple[Result, Example]]:
    """Pick the worst texts of a metric from its worst results."""
    found: dict[str, tuple[Result, Example]] = {}
    for result in sorted(results, key=badness):
        for example in result.examples if result.outcome in TELLING else ():
            if len(found) < WORST_PER_METRIC:
                found.setdefault(example.segment, (result, example))
    return list(found.values())


def shown_by_token(chosen: Sequence[Sequence[tuple[Result, Example]]], room: int) -> frozenset[str]:
    """Choose the texts that are shown token by token: the worst of each metric first."""
    ranked = [
        texts[rank] for rank in range(WORST_PER_METRIC) for texts in chosen if rank < len(texts)
    ]
    shown = []
    for result, example in ranked:
        needed = cells(example.matrix_before) + cells(example.matrix_after)
        room -= needed
        if needed and room >= 0:
            shown.append(key_of(result, example))
    return frozenset(shown)


def key_of(result: Result, example: Example) -> str:
    """Tell a text on the page from all others."""
    return f"{result.id}::{example.segment}"


def dossier(
    metric: str, texts: Sequence[tuple[Result, Example]], by_token: frozenset[str]
) -> Dossier:
    """Show the worst texts of a metric."""
    exhibits = tuple(
        (whereabouts(result), with_matrices(exhibit(example), key_of(result, example), by_token))
        for result, example in texts
    )
    return Dossier(metric, exhibits, bar_chart(texts[0][0]))


def with_matrices(shown: Exhibit, key: str, by_token: frozenset[str]) -> Exhibit:
    """Add the similarity of tokens before and after, if this text is to have it."""
    return (
        replace(shown, matrices=tuple(matrices(shown.example, key))) if key in by_token else shown
    )


def matrices(example: Example, key: str) -> Iterator[TokenChart]:
    """Lay out the similarity of tokens before and after."""
    for name, found in (("Before", example.matrix_before), ("After", example.matrix_after)):
        chart = found and token_chart(anchor(f"{key}::{name}", "tokens"), name, found)
        if chart:
            yield chart


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
