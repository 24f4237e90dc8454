"""Evidence: the texts that broke a metric, and the fewest edits that do."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from shakeproof.evidence.search.minimal import NONE, Effort, minimised
from shakeproof.evidence.search.pins import pin
from shakeproof.evidence.search.places import highest, place_of, standard_of
from shakeproof.evidence.search.rounds import Counterexample, Rater
from shakeproof.evidence.search.trials import edited_texts
from shakeproof.evidence.token_matrices import with_matrices
from shakeproof.evidence.worst import Pick, picked, trial_for
from shakeproof.metrics.engine.engine import MissingScores
from shakeproof.plan.items import Item, Plan, ScoreKey
from shakeproof.plan.perturbed import CLEAN
from shakeproof.results import Example, Histogram
from shakeproof.scoring.score_table import ScoreTable, instances_of
from shakeproof.stats.rows import TIE

BINS = 21  # of a histogram, at most
DIGITS = 6  # of its edges
UNSETTLED = "fewer edits may do, the search ended with its calls"


def worst_texts(score_table: ScoreTable, item: Item, effort: Effort = NONE) -> tuple[Example, ...]:
    """Show where the item's perturbation did most harm, at its highest level.

    It depends on the effort whether the fewest edits that still break the metric are shown too.
    """
    if item.perturb is None:
        return ()
    score_key, picks = item.score_keys[-1], picked(score_table, item)
    examples = [example_of(score_table, score_key, one) for one in picks]
    if effort.calls > 0:
        examples = _minimal(score_table, item, picks, examples, effort)
    if effort.matrices:
        examples = _matched(score_table, score_key, picks, examples)
    return tuple(examples)


def example_of(score_table: ScoreTable, score_key: ScoreKey, pick: Pick) -> Example:
    """Show one text before and after, with what stands around it."""
    name, condition = score_key
    number, position = place_of(score_table.candidates, pick.row)
    segment, damaged = score_table.plan.segments[number], score_table.segments(condition)[number]
    field, candidate = condition.field, segment.candidates[position]
    before, after = (edited_texts(one, field, position) for one in (segment, damaged))
    return Example(
        segment=segment.id,
        field=field,
        before="\n".join(before),
        after="\n".join(after),
        score_before=float(score_table.scores((name, CLEAN))[pick.row]),
        score_after=float(score_table.scores(score_key)[pick.row]),
        candidate=None if field == "candidate" else candidate.text,
        reference=segment.references[0] if segment.references else None,
        source=segment.source,
        rating=candidate.rating,
        remark=pick.remark,
    )


def _minimal(
    score_table: ScoreTable,
    item: Item,
    picks: Sequence[Pick],
    examples: Sequence[Example],
    effort: Effort,
) -> list[Example]:
    """Add the fewest edits to each example for which they can be found."""
    score_key, standard = item.score_keys[-1], standard_of(score_table, item)
    asked = [trial_for(score_table, score_key, pick, standard) for pick in picks]
    trials = {number: trial for number, trial in enumerate(asked) if trial is not None}
    rater = Rater(score_table.engine, score_table.metrics[item.metric])
    try:
        found = dict(zip(trials, minimised(list(trials.values()), rater, effort), strict=True))
    except MissingScores:  # the metric rates no more, but the check was judged already
        return list(examples)
    return [
        with_minimal(score_table.plan, item, example, found.get(number))
        for number, example in enumerate(examples)
    ]


def with_minimal(plan: Plan, item: Item, example: Example, found: Counterexample | None) -> Example:
    """Add a counterexample, and the checklist that pins it."""
    if found is None:
        return example
    remarks = [example.remark, "" if found.settled else UNSETTLED]
    return example.model_copy(
        update={
            "minimal": "\n".join(found.trial.texts(found.edits)),
            "score_minimal": found.scores[0],
            "edits": len(found.trial.changes),
            "edits_minimal": len(found.edits),
            "calls": found.calls,
            "pin": pin(plan, item, found),
            "remark": "; ".join(filter(None, remarks)),
        }
    )


def _matched(
    score_table: ScoreTable, score_key: ScoreKey, picks: Sequence[Pick], examples: Sequence[Example]
) -> list[Example]:
    """Add what the metric makes of the tokens of each text, before and after."""
    name, condition = score_key
    seen = []
    for pick in picks:
        number, position = place_of(score_table.candidates, pick.row)
        segments = score_table.plan.segments[number], score_table.segments(condition)[number]
        before, after = (instances_of(one)[position] for one in segments)
        seen.append((before, after))
    return with_matrices(examples, score_table.engine, score_table.metrics[name], seen)


def score_changes(score_table: ScoreTable, item: Item) -> Histogram | None:
    """Count the changes of score at the highest level, over seeds, where texts changed."""
    if item.perturb is None:
        return None
    clean = score_table.scores(item.score_keys[0])
    rises = [
        (score_table.scores(score_key) - clean)[score_table.changed(score_key[1])]
        for score_key in highest(item)
    ]
    found = np.concatenate(rises)
    found = found[np.isfinite(found)]
    if not len(found):
        return None
    same = np.ptp(found) <= TIE
    ends = (found.min() - TIE, found.max() + TIE) if same else None
    bins = 1 if same else min(BINS, int(np.sqrt(len(found))))
    counts, edges = np.histogram(found, bins=bins, range=ends)
    shown = (float(f"{edge:.{DIGITS}g}") for edge in edges)
    return Histogram(edges=tuple(shown), counts=tuple(counts.tolist()))
