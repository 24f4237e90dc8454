"""Examples: the texts that a perturbation harmed most, with the fewest edits that do it."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan

from shakeproof.evidence.rows import ChosenRow, choose_rows, judged_by, position_of, score_limits
from shakeproof.evidence.search.counterexample_checklist import counterexample_checklist
from shakeproof.evidence.search.edited_text import edited_field, edited_text
from shakeproof.evidence.search.minimal import Counterexample, Rater, minimal_counterexamples
from shakeproof.metrics.engine.engine import MissingScores
from shakeproof.plan.items import Item, ScoreKey
from shakeproof.plan.perturbed import CLEAN
from shakeproof.results import Example
from shakeproof.scoring.score_table import ScoreTable
from shakeproof.text import spans_between

BUDGET_USED_UP = "search budget used up, fewer edits may do"


def worst_examples(
    score_table: ScoreTable, item: Item, *, search_budget: int = 0
) -> tuple[Example, ...]:
    """Return the texts that the item's perturbation harmed most, at its highest level.

    A search budget is the number of scores that may be spent on finding, in all of them together,
    the fewest edits that still break the metric.
    """
    if item.perturb is None:
        return ()
    rows = choose_rows(score_table, item)
    examples = [example_of(score_table, item, item.score_keys[-1], row) for row in rows]
    if search_budget > 0:
        examples = _with_fewest_edits(score_table, item, rows, examples, search_budget)
    return tuple(examples)


def example_of(
    score_table: ScoreTable, item: Item, score_key: ScoreKey, chosen: ChosenRow
) -> Example:
    """Return the text of a row before and after, with the other texts of its segment."""
    name, condition = score_key
    rating = float(judged_by(score_table, item).rating[chosen.row])
    number, position = position_of(score_table.candidates, chosen.row)
    segment = score_table.plan.segments[number]
    candidate, field = segment.candidates[position], condition.field
    before, after = (
        "\n".join(edited_field(version, field, position))
        for version in (segment, score_table.segment(condition, number))
    )
    return Example(
        segment=segment.id,
        field=field,
        before=before,
        after=after,
        spans=spans_between(before, after),
        score_before=float(score_table.scores((name, CLEAN))[chosen.row]),
        score_after=float(score_table.scores(score_key)[chosen.row]),
        candidate=None if field == "candidate" else candidate.text,
        reference=segment.references[0] if segment.references else None,
        source=segment.source,
        rating=None if isnan(rating) else rating,
        remark=chosen.remark,
    )


def _with_fewest_edits(
    score_table: ScoreTable,
    item: Item,
    rows: Sequence[ChosenRow],
    examples: Sequence[Example],
    budget: int,
) -> list[Example]:
    """Add the fewest edits to each example for which they can be found."""
    score_key, limits = item.score_keys[-1], score_limits(score_table, item)
    texts = [edited_text(score_table, score_key, row, limits) for row in rows]
    searched = [(number, text) for number, text in enumerate(texts) if text is not None]
    rater = Rater(score_table.engine, score_table.metrics[item.metric])
    try:
        counterexamples = minimal_counterexamples([text for _, text in searched], rater, budget)
    except MissingScores:  # the metric fails on an edited text; the check was judged already
        return list(examples)
    by_number = dict(zip((number for number, _ in searched), counterexamples, strict=True))
    return [
        with_counterexample(score_table, item, example, by_number.get(number))
        for number, example in enumerate(examples)
    ]


def with_counterexample(
    score_table: ScoreTable, item: Item, example: Example, counterexample: Counterexample | None
) -> Example:
    """Add the fewest edits that were found, and a checklist that repeats them."""
    if counterexample is None:
        return example
    minimal = "\n".join(counterexample.text.texts(counterexample.edits))
    remarks = [example.remark, "" if counterexample.finished else BUDGET_USED_UP]
    return example.model_copy(
        update={
            "minimal": minimal,
            "minimal_spans": spans_between(example.before, minimal),
            "score_minimal": counterexample.scores[0],
            "edits": len(counterexample.text.edits),
            "edits_minimal": len(counterexample.edits),
            "calls": counterexample.calls,
            "pin": counterexample_checklist(score_table, item, counterexample),
            "remark": "; ".join(filter(None, remarks)),
        }
    )
