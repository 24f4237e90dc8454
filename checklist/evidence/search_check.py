"""The check `search`: a search for a text that few edits break, from scores to a verdict."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from shakeproof.evidence.examples import example_of, with_counterexample
from shakeproof.evidence.search.find import SearchResult, find_counterexample, texts_to_search
from shakeproof.evidence.search.minimal import Rater, shrink_with_hypothesis
from shakeproof.expectations.search import Search
from shakeproof.plan.items import Item
from shakeproof.results import Estimate, Example, Verdict, counted
from shakeproof.scoring.score_table import ScoreTable
from shakeproof.stats.kinds.scores import no_spread
from shakeproof.stats.messages import describe_estimate, describe_side, limit
from shakeproof.stats.verdicts import Assessment, Judgement


@dataclass(frozen=True, slots=True)
class SearchVerdict:
    """A verdict, and the counterexample if the search found one."""

    assessment: Assessment
    examples: tuple[Example, ...] = ()


def check_by_search(score_table: ScoreTable, item: Item, expect: Search) -> SearchVerdict:
    """Search for a text that few edits break; a counterexample fails the check."""
    searched = texts_to_search(score_table, item, expect.budget)
    rater = Rater(score_table.engine, score_table.metrics[item.metric])
    texts = [entry.text for entry in searched]
    result = find_counterexample(texts, rater, max_edits=expect.edits, budget=expect.budget)
    if result.furthest is None:
        small = f"a budget of {counted(expect.budget, 'score')} is too small for any text"
        reason = small if searched else _why_nothing_to_search(score_table, item, expect)
        estimate = Estimate(value=None, note=reason)
        message = f"no text was tried: {reason}"
        return SearchVerdict(_assessment(Verdict.INCONCLUSIVE, message, estimate))
    found = result.counterexample
    if expect.polish and found:
        found = shrink_with_hypothesis(found, rater, expect.budget - result.calls)
        result = replace(result, counterexample=found, calls=found.calls)
    examples = [
        with_counterexample(score_table, item, example_of(score_table, score_key, row), found)
        for text, score_key, row in searched
        if found and text is found.text
    ]
    return SearchVerdict(_judge(expect, result), tuple(examples))


def _why_nothing_to_search(score_table: ScoreTable, item: Item, expect: Search) -> str:
    if expect.text_limits is None:
        return "no pair of candidates is in the right order"
    rows = np.isfinite(score_table.scores(item.score_keys[0]))
    reason = no_spread(score_table.observe(item), item.compared.clean, rows)
    return reason if reason and expect.text_limits.spreads else "no changed text has a score"


def _judge(expect: Search, result: SearchResult) -> Assessment:
    value, found = _value(result), result.counterexample
    estimate = Estimate(
        value=value, low=value, high=value, confidence=1.0, segments=result.texts, method="search"
    )
    tried = (
        f"{counted(result.texts, 'text' if expect.text_limits else 'pair')} "
        f"and {counted(result.calls, 'score')} tried"
    )
    statement = _compare_with_bounds(expect, value, broken=found is not None)
    if found is None:
        return _assessment(Verdict.PASS, f"{statement}; {tried}", estimate)
    by = f"by {counted(len(found.edits), 'edit')} of segment {found.text.segment.id!r}"
    return _assessment(Verdict.FAIL, f"{statement}, {by}; {tried}", estimate)


def _assessment(verdict: Verdict, message: str, estimate: Estimate) -> Assessment:
    return Assessment(estimate, (), Judgement(verdict, message), np.empty(0))


def _value(result: SearchResult) -> float:
    """Return how far the edits moved the score at most, or the number of flips found."""
    found = result.counterexample
    text, scores = (found.text, found.scores) if found else result.furthest or (None, ())
    if text is None or text.limits is None:
        return float(found is not None)
    return text.limits.movement(scores[0] - text.clean_scores[0]) / text.limits.unit


def _compare_with_bounds(expect: Search, value: float, *, broken: bool) -> str:
    """Compare with the bounds; a tie with a bound that asks for movement is not above it."""
    if expect.text_limits is None:
        return f"{counted(round(value), 'flip')} found"
    bounds, shown = (
        expect.bounds,
        describe_estimate(Estimate(value=value), expect.label, expect.unit),
    )
    if broken and bounds.low is not None and value >= bounds.low and bounds.high is None:
        return f"{shown} not above {limit(bounds.low)} required"
    return f"{shown} {describe_side(bounds, value, value)}"
