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
from shakeproof.plan.items import Block, Plan, PlannedItem
from shakeproof.plan.perturbed import CLEAN
from shakeproof.results import Example, Histogram
from shakeproof.scoring.score_table import Observer, items_of
from shakeproof.stats.rows import TIE

BINS = 21  # of a histogram, at most
DIGITS = 6  # of its edges
UNSETTLED = "fewer edits may do, the search ended with its calls"


def worst_texts(
    observer: Observer, item: PlannedItem, effort: Effort = NONE
) -> tuple[Example, ...]:
    """Show where the item's perturbation did most harm, at its highest level.

    It depends on the effort whether the fewest edits that still break the metric are shown too.
    """
    if item.perturb is None:
        return ()
    block, picks = item.blocks[-1], picked(observer, item)
    examples = [example_of(observer, block, one) for one in picks]
    if effort.calls > 0:
        examples = _minimal(observer, item, picks, examples, effort)
    if effort.matrices:
        examples = _matched(observer, block, picks, examples)
    return tuple(examples)


def example_of(observer: Observer, block: Block, pick: Pick) -> Example:
    """Show one text before and after, with what stands around it."""
    name, condition = block
    number, position = place_of(observer.frame, pick.row)
    segment, damaged = observer.plan.segments[number], observer.segments(condition)[number]
    field, candidate = condition.field, segment.candidates[position]
    before, after = (edited_texts(one, field, position) for one in (segment, damaged))
    return Example(
        segment=segment.id,
        field=field,
        before="\n".join(before),
        after="\n".join(after),
        score_before=float(observer.scores((name, CLEAN))[pick.row]),
        score_after=float(observer.scores(block)[pick.row]),
        candidate=None if field == "candidate" else candidate.text,
        reference=segment.references[0] if segment.references else None,
        source=segment.source,
        rating=candidate.rating,
        remark=pick.remark,
    )


def _minimal(
    observer: Observer,
    item: PlannedItem,
    picks: Sequence[Pick],
    examples: Sequence[Example],
    effort: Effort,
) -> list[Example]:
    """Add the fewest edits to each example for which they can be found."""
    block, standard = item.blocks[-1], standard_of(observer, item)
    asked = [trial_for(observer, block, pick, standard) for pick in picks]
    trials = {number: trial for number, trial in enumerate(asked) if trial is not None}
    rater = Rater(observer.engine, observer.plan.metrics[item.metric])
    try:
        found = dict(zip(trials, minimised(list(trials.values()), rater, effort), strict=True))
    except MissingScores:  # the metric rates no more, but the check was judged already
        return list(examples)
    return [
        with_minimal(observer.plan, item, example, found.get(number))
        for number, example in enumerate(examples)
    ]


def with_minimal(
    plan: Plan, item: PlannedItem, example: Example, found: Counterexample | None
) -> Example:
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
    observer: Observer, block: Block, picks: Sequence[Pick], examples: Sequence[Example]
) -> list[Example]:
    """Add what the metric makes of the tokens of each text, before and after."""
    name, condition = block
    seen = []
    for pick in picks:
        number, position = place_of(observer.frame, pick.row)
        segments = observer.plan.segments[number], observer.segments(condition)[number]
        before, after = (items_of(one)[position] for one in segments)
        seen.append((before, after))
    return with_matrices(examples, observer.engine, observer.plan.metrics[name], seen)


def score_changes(observer: Observer, item: PlannedItem) -> Histogram | None:
    """Count the changes of score at the highest level, over seeds, where texts changed."""
    if item.perturb is None:
        return None
    clean = observer.scores(item.blocks[0])
    rises = [
        (observer.scores(block) - clean)[observer.changed(block[1])] for block in highest(item)
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
