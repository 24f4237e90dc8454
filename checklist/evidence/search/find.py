"""The search through many texts for one that few edits break."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from shakeproof.evidence.rows import (
    ChosenRow,
    ScoreLimits,
    highest_level_keys,
    judged_by,
    judged_pairs,
    lost_to,
    score_limits,
)
from shakeproof.evidence.search.edited_text import EditedText, Scores, edited_text
from shakeproof.evidence.search.minimal import (
    Counterexample,
    EditSets,
    Rater,
    Rating,
    ShrinkTask,
    shrink_together,
)
from shakeproof.evidence.search.shrinking import EditSet, drop_needless, union
from shakeproof.plan.items import Item, ScoreKey
from shakeproof.plan.perturbed import CLEAN
from shakeproof.scoring.score_table import ScoreTable
from shakeproof.stats.rows import tie_width

MAX_SINGLES = 48  # edits of one text that are rated one by one


class SearchedText(NamedTuple):
    """A text to search, and the row of the score table that it belongs to."""

    text: EditedText
    score_key: ScoreKey
    row: ChosenRow


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What a search found, and how many texts and scores it tried."""

    counterexample: Counterexample | None
    furthest: tuple[EditedText, Scores] | None  # the largest excess; None: no text was tried
    texts: int
    calls: int


@dataclass(slots=True)
class RatingLog:
    """All ratings of a search, by text."""

    rater: Rater
    calls: int = 0
    ratings: list[tuple[EditedText, dict[EditSet, Rating]]] = field(default_factory=list)

    def rate(self, work: Sequence[EditSets]) -> list[dict[EditSet, Rating]]:
        """Rate sets of edits of several texts together, and log the ratings."""
        rated = [
            dict(zip(edit_sets, ratings, strict=True))
            for (_, edit_sets), ratings in zip(work, self.rater.rate(work), strict=True)
        ]
        self.calls += sum(len(edit_sets) * len(text.positions) for text, edit_sets in work)
        self.ratings += [(text, ratings) for (text, _), ratings in zip(work, rated, strict=True)]
        return rated

    def entries(self) -> Iterator[tuple[EditedText, EditSet, Rating]]:
        """Yield everything that was rated, in order."""
        for text, ratings in self.ratings:
            yield from ((text, edits, rating) for edits, rating in ratings.items())

    def best(self) -> tuple[EditedText, EditSet, Rating] | None:
        """Return the fewest edits that break a text, of these the most harmful."""
        broken = (entry for entry in self.entries() if entry[2].excess > 0)
        return min(broken, key=lambda entry: (len(entry[1]), -entry[2].excess), default=None)


def texts_to_search(score_table: ScoreTable, item: Item, most: int) -> list[SearchedText]:
    """Return the texts, up to so many, that the edits of the highest level harm most."""
    limits = score_limits(score_table, item)
    rows = [
        (harm, score_key, chosen)
        for score_key in highest_level_keys(item)
        for harm, chosen in _rows_with_harm(score_table, score_key, item, limits)
    ]
    rows.sort(key=lambda entry: -entry[0])
    searched = []
    for _, score_key, chosen in rows[:most]:
        text = edited_text(score_table, score_key, chosen, limits)
        if text is not None and text.edits:
            searched.append(SearchedText(text, score_key, chosen))
    return searched


def _rows_with_harm(
    score_table: ScoreTable, score_key: ScoreKey, item: Item, limits: ScoreLimits | None
) -> list[tuple[float, ChosenRow]]:
    """Return the rows that can be searched, with how far all edits take them out of the limits.

    Where the order of candidates counts, these are the judged pairs with the right order at first.
    """
    clean, perturbed = score_table.scores((score_key[0], CLEAN)), score_table.scores(score_key)
    changed = score_table.changed(score_key[1])
    if limits is not None:
        harm = limits.excess(np.where(changed, perturbed - clean, np.nan))
        rows = np.flatnonzero(np.isfinite(harm))
        return [(float(harm[row]), ChosenRow(int(row))) for row in rows]
    if not item.check.expect.correlational:
        return []
    better, worse = judged_pairs(judged_by(score_table, item)).T
    right = changed[better] & (clean[better] - clean[worse] > tie_width(clean))
    harm = np.where(right, perturbed[worse] - perturbed[better], np.nan)
    pairs = np.flatnonzero(np.isfinite(harm))
    return [
        (float(far), ChosenRow(int(row), lost_to(score_table, int(other)), int(other)))
        for far, row, other in zip(harm[pairs], better[pairs], worse[pairs], strict=True)
    ]


def find_counterexample(
    texts: Sequence[EditedText], rater: Rater, *, max_edits: int, budget: int
) -> SearchResult:
    """Rate the edits of the most promising texts one by one, then the most harmful together.

    Each round takes texts for up to half of the budget that is left, so that few rounds are
    needed and a counterexample that is found early costs little.
    """
    log = RatingLog(rater)
    for text in texts:
        if len(text.edits) <= max_edits:  # rated already, with all edits made
            whole = text.perturbed_scores
            log.ratings.append((text, {text.all_edits: Rating(text.excess(whole), whole)}))
    waiting = sorted(texts, key=lambda text: -text.expected_excess(max_edits))
    while log.best() is None:
        taken, waiting = _take(waiting, budget - log.calls, max_edits)
        if not taken:
            break
        alone = log.rate([(text, single_edits(text)) for text in taken])
        if log.best() is None:
            growing = [growing_sets(ratings, max_edits) for ratings in alone]
            log.rate([work for work in zip(taken, growing, strict=True) if work[1]])
    return _result(log, budget)


def _take(
    waiting: Sequence[EditedText], left: int, max_edits: int
) -> tuple[list[EditedText], list[EditedText]]:
    """Take texts in order, as many as half of the budget allows and at least one that fits."""
    taken: list[EditedText] = []
    rest: list[EditedText] = []
    spent = 0
    for text in waiting:
        singles = len(single_edits(text))
        cost = (singles + max(min(max_edits, singles) - 1, 0)) * len(text.positions)
        if spent + cost <= (left / 2 if taken else left):
            taken.append(text)
            spent += cost
        else:
            rest.append(text)
    return taken, rest


def single_edits(text: EditedText) -> list[EditSet]:
    """Return the edits of a text one by one; of very many, some from all over the text."""
    count = len(text.edits)
    step = max(1.0, count / MAX_SINGLES)
    return [frozenset({int(number * step)}) for number in range(min(count, MAX_SINGLES))]


def growing_sets(alone: dict[EditSet, Rating], max_edits: int) -> list[EditSet]:
    """Return the most harmful two edits, three edits, and so on up to `max_edits`."""
    ranked = sorted(alone, key=lambda edits: -alone[edits].excess)
    return [union(ranked[:size]) for size in range(2, min(max_edits, len(ranked)) + 1)]


def _result(log: RatingLog, budget: int) -> SearchResult:
    """Shrink the best set of edits, if one was found, with what is left of the budget."""
    last = max(log.entries(), key=lambda entry: entry[2].excess, default=None)
    furthest = None if last is None else (last[0], last[2].scores)
    tried = len({id(text) for text, _ in log.ratings})
    best = log.best()
    if best is None:
        return SearchResult(None, furthest, tried, log.calls)
    text, edits, _ = best
    task = ShrinkTask(text, drop_needless(edits), budget - log.calls)
    for other, ratings in log.ratings:
        task.ratings |= ratings if other is text else {}
    (found,) = shrink_together([task], log.rater)
    calls = log.calls + found.calls
    return SearchResult(replace(found, calls=calls), furthest, tried, calls)
