"""The worst texts of each metric, with their edits marked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from shakeproof.reports.charts.bars import BarChart, bar_chart
from shakeproof.reports.charts.matrix import TokenChart, count_cells, token_chart
from shakeproof.reports.wording.format import describe_condition, number
from shakeproof.reports.wording.marking import Span, mark_edits, show_text
from shakeproof.reports.wording.names import MetricKey, anchor, group_by_metric, metric_key
from shakeproof.reports.wording.outcomes import worst_first
from shakeproof.results import Example, Outcome, Result, counted

MAX_METRICS = 12  # whose texts are shown in the section of texts
TEXTS_PER_METRIC = 3
MAX_CELLS = 8_000  # of token matrices on a page
CELLS_OVER_CHECKS = 1_200_000  # the more checks, the fewer cells
SHOWN_OUTCOMES = (Outcome.FAILED, Outcome.WARNED, Outcome.KNOWN_FAILURE, Outcome.UNDECIDED)

ChosenText = tuple[Result, Example]


@dataclass(frozen=True, slots=True)
class OtherText:
    """A text of the segment that was not perturbed."""

    name: str
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class ShownExample:
    """An example as it is shown."""

    example: Example
    spans: tuple[Span, ...]
    minimal: tuple[Span, ...]
    search: str  # what the search for the fewest edits found
    others: tuple[OtherText, ...]
    matrices: tuple[TokenChart, ...] = ()

    @property
    def change(self) -> float:
        """Return the change of the score."""
        return self.example.score_after - self.example.score_before

    @property
    def similarity_change(self) -> str:
        """Write how the highest similarities changed, where both matrices are shown."""
        if len(self.matrices) < 2:
            return ""
        before, after = (number(chart.mean, 2) for chart in self.matrices)
        return f"The highest similarity in a row is {before} on average before, {after} after."


@dataclass(frozen=True, slots=True)
class CheckLink:
    """A link to the check in which a text was found."""

    anchor: str
    check: str
    condition: str


@dataclass(frozen=True, slots=True)
class MetricTexts:
    """The worst texts of one metric, and how its scores changed in the check of the first."""

    metric: str
    examples: tuple[tuple[CheckLink, ShownExample], ...]
    changes: BarChart | None


def show_example(example: Example) -> ShownExample:
    """Mark the edits of an example, and shorten its other texts."""
    texts = {name: getattr(example, name) for name in ("candidate", "reference", "source")}
    fewer = example.minimal is not None and example.minimal != example.after
    return ShownExample(
        example=example,
        spans=mark_edits(example.before, example.after, example.spans),
        minimal=mark_edits(example.before, example.minimal or "", example.minimal_spans)
        if fewer
        else (),
        search=describe_search(example),
        others=tuple(
            OtherText(name, show_text(text))
            for name, text in texts.items()
            if text is not None and name != example.field
        ),
    )


def describe_search(example: Example) -> str:
    """Write what the search for the fewest edits found, as far as that is known."""
    fewest, edits, score = example.edits_minimal, example.edits, example.score_minimal
    share = "" if fewest is None or edits is None else f"{fewest} of {counted(edits, 'edit')}"
    parts = [
        "every edit is needed" if example.minimal == example.after else share,
        "" if score is None else f"score {number(score)}",
        f"{counted(example.calls, 'score')} computed in the search" if example.calls else "",
    ]
    return ", ".join(filter(None, parts))


def worst_texts(
    results: Sequence[Result], labels: Mapping[MetricKey, str]
) -> tuple[MetricTexts, ...]:
    """Show the worst texts of each metric; of many metrics, those with the worst results."""
    chosen = {key: choose_texts(members) for key, members in group_by_metric(results).items()}
    with_texts = [key for key, texts in chosen.items() if texts]
    worst = sorted(with_texts, key=lambda key: worst_first(chosen[key][0][0]))[:MAX_METRICS]
    shown = {key: chosen[key] for key in with_texts if key in worst}
    room = min(MAX_CELLS, CELLS_OVER_CHECKS // max(len(results), 1))
    with_matrices = choose_matrices(list(shown.values()), room)
    return tuple(metric_texts(labels[key], texts, with_matrices) for key, texts in shown.items())


def count_metrics_with_texts(results: Sequence[Result]) -> int:
    """Count the metrics of which there are texts to show."""
    return len({metric_key(r) for r in results if r.examples and r.outcome in SHOWN_OUTCOMES})


def choose_texts(results: Sequence[Result]) -> list[ChosenText]:
    """Choose the worst texts of a metric from its worst results, no segment twice."""
    by_segment: dict[str, ChosenText] = {}
    for result in sorted(results, key=worst_first):
        for example in result.examples if result.outcome in SHOWN_OUTCOMES else ():
            if len(by_segment) < TEXTS_PER_METRIC:
                by_segment.setdefault(example.segment, (result, example))
    return list(by_segment.values())


def choose_matrices(chosen: Sequence[Sequence[ChosenText]], room: int) -> frozenset[str]:
    """Choose the texts whose token matrices fit on the page: the worst of each metric first."""
    ranked = [
        texts[rank] for rank in range(TEXTS_PER_METRIC) for texts in chosen if rank < len(texts)
    ]
    keys = []
    for result, example in ranked:
        needed = count_cells(example.matrix_before) + count_cells(example.matrix_after)
        room -= needed
        if needed and room >= 0:
            keys.append(text_key(result, example))
    return frozenset(keys)


def text_key(result: Result, example: Example) -> str:
    """Return what identifies a text on the page."""
    return f"{result.id}::{example.segment}"


def metric_texts(
    metric: str, texts: Sequence[ChosenText], with_matrices: frozenset[str]
) -> MetricTexts:
    """Show the worst texts of a metric; its name is that on the page."""
    examples = []
    for result, example in texts:
        link = CheckLink(anchor(result.id), result.check, describe_condition(result))
        shown, key = show_example(example), text_key(result, example)
        if key in with_matrices:
            shown = replace(shown, matrices=tuple(matrix_charts(example, key)))
        examples.append((link, shown))
    return MetricTexts(metric, tuple(examples), bar_chart(texts[0][0], metric))


def matrix_charts(example: Example, key: str) -> Iterator[TokenChart]:
    """Lay out the token similarity before and after."""
    for name, matrix in (("Before", example.matrix_before), ("After", example.matrix_after)):
        chart = matrix and token_chart(anchor(f"{key}::{name}", "tokens"), name, matrix)
        if chart:
            yield chart
