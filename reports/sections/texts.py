"""The worst texts of each metric, with their edits marked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from shakeproof.reports.charts.bars import BarChart, bar_chart
from shakeproof.reports.charts.matrix import TokenChart, count_cells, token_chart
from shakeproof.reports.wording.format import describe_condition, number
from shakeproof.reports.wording.marking import Span, mark_edits, mark_sides, show_text
from shakeproof.reports.wording.names import MetricKey, anchor, group_by_metric, metric_key
from shakeproof.reports.wording.outcomes import worst_first
from shakeproof.results import ChecklistRecord, Example, Outcome, Result, counted

MAX_METRICS = 12  # whose texts are shown in the section of texts
TEXTS_PER_METRIC = 3
MAX_CELLS = 8_000  # of token matrices on a page
CELLS_OVER_CHECKS = 800_000  # the more checks, the fewer cells
SHOWN_OUTCOMES = (Outcome.FAILED, Outcome.WARNED, Outcome.KNOWN_FAILURE, Outcome.UNDECIDED)

COMPARED_WITH = {  # of metrics that compare candidates with another text than the reference
    "bertscore-free": "source",
    "parascore-free": "source",
    "parascore": "source or reference",  # whichever is more similar
}

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
    before: tuple[Span, ...]
    after: tuple[Span, ...]
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
    before, after = mark_sides(example.before, example.after, example.spans)
    return ShownExample(
        example=example,
        before=before,
        after=after,
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
    results: Sequence[Result],
    labels: Mapping[MetricKey, str],
    checklists: Sequence[ChecklistRecord] = (),
) -> tuple[MetricTexts, ...]:
    """Show the worst texts of each metric; of many metrics, those with the worst results."""
    kinds = {
        (record.file, metric.name): metric.kind
        for record in checklists
        for metric in record.metrics
    }
    by_metric = group_by_metric(results, labels)
    chosen = {metric: choose_texts(members) for metric, members in by_metric.items()}
    with_texts = [metric for metric, texts in chosen.items() if texts]
    worst = sorted(with_texts, key=lambda metric: worst_first(chosen[metric][0][0]))[:MAX_METRICS]
    shown = {metric: chosen[metric] for metric in with_texts if metric in worst}
    room = min(MAX_CELLS, CELLS_OVER_CHECKS // max(len(results), 1))
    with_matrices = choose_matrices(list(shown.values()), room)
    return tuple(
        metric_texts(metric, texts, with_matrices, kinds) for metric, texts in shown.items()
    )


def count_metrics_with_texts(results: Sequence[Result], labels: Mapping[MetricKey, str]) -> int:
    """Count the metrics of which there are texts to show."""
    shown = [r for r in results if r.examples and r.outcome in SHOWN_OUTCOMES]
    return len(group_by_metric(shown, labels))


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
    metric: str,
    texts: Sequence[ChosenText],
    with_matrices: frozenset[str],
    kinds: Mapping[MetricKey, str],
) -> MetricTexts:
    """Show the worst texts of a metric; its name is that on the page."""
    examples = []
    for result, example in texts:
        link = CheckLink(anchor(result.id), result.check, describe_condition(result))
        shown, key = show_example(example), text_key(result, example)
        if key in with_matrices:
            compared = COMPARED_WITH.get(kinds.get(metric_key(result), ""), "reference")
            shown = replace(shown, matrices=tuple(matrix_charts(example, key, compared)))
        examples.append((link, shown))
    return MetricTexts(metric, tuple(examples), bar_chart(texts[0][0], metric))


def matrix_charts(example: Example, key: str, compared: str) -> Iterator[TokenChart]:
    """Lay out the token similarity before and after; `compared` names the columns' text."""
    for name, matrix in (("Before", example.matrix_before), ("After", example.matrix_after)):
        chart = matrix and token_chart(anchor(f"{key}::{name}", "tokens"), name, matrix, compared)
        if chart:
            yield chart
