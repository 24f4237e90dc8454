"""The search as a check in its own right: from scores to a verdict."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from shakeproof.evidence.examples import example_of, with_minimal
from shakeproof.evidence.search.hunting import Hunt, hunt
from shakeproof.evidence.search.leads import leads
from shakeproof.evidence.search.polish import polished
from shakeproof.evidence.search.rounds import Rater
from shakeproof.expectations.search import Search
from shakeproof.plan.items import Item
from shakeproof.results import Estimate, Example, Verdict
from shakeproof.scoring.score_table import ScoreTable
from shakeproof.stats.assess import Assessment
from shakeproof.stats.format import count, limit
from shakeproof.stats.kinds.scores import no_spread
from shakeproof.stats.verdicts import Judgement
from shakeproof.stats.wording import Words, side


@dataclass(frozen=True, slots=True)
class Exploration:
    """A verdict, and the counterexample if it is a bad one."""

    assessment: Assessment
    examples: tuple[Example, ...] = ()


def explore(score_table: ScoreTable, item: Item, expect: Search) -> Exploration:
    """Hunt for a text that few edits break; what is found fails the check."""
    begun = leads(score_table, item, expect.budget)
    rater = Rater(score_table.engine, score_table.metrics[item.metric])
    trials = [lead.trial for lead in begun]
    result = hunt(trials, rater, most=expect.edits, calls=expect.budget)
    if result.furthest is None:
        why = f"no text can be tried with {count(expect.budget, 'score')}"
        return Exploration(_undecided(why if begun else _nothing(score_table, item, expect)))
    if expect.polish and result.found:
        better = polished(result.found, rater, expect.budget - result.calls)
        result = replace(result, found=better, calls=better.calls)
    examples = [
        with_minimal(
            score_table.plan, item, example_of(score_table, lead.score_key, lead.pick), result.found
        )
        for lead in begun
        if result.found and lead.trial is result.found.trial
    ]
    return Exploration(_assessment(expect, result), tuple(examples))


def _nothing(score_table: ScoreTable, item: Item, expect: Search) -> str:
    """Say why there is nothing to try."""
    if expect.fault is None:
        return "no pair of candidates is in the right order"
    rows = np.isfinite(score_table.scores(item.score_keys[0]))
    flat = no_spread(score_table.observe(item.score_keys), item.compared.clean, rows)
    return flat if flat and expect.fault.spreads else "no changed text has a score"


def _undecided(why: str) -> Assessment:
    message = f"nothing was tried: {why}"
    return _judged(Verdict.INCONCLUSIVE, message, Estimate(value=None, note=why))


def _assessment(expect: Search, result: Hunt) -> Assessment:
    value, found = _value(result), result.found
    estimate = Estimate(
        value=value, low=value, high=value, confidence=1.0, segments=result.texts, method="search"
    )
    what = "text" if expect.fault else "pair"
    tried = f"{count(result.texts, what)} and {count(result.calls, 'score')} tried"
    stated = _stated(expect, value, broken=found is not None)
    if found is None:
        return _judged(Verdict.PASS, f"{stated}; {tried}", estimate)
    by = f"by {count(len(found.edits), 'edit')} of segment {found.trial.segment.id!r}"
    return _judged(Verdict.FAIL, f"{stated}, {by}; {tried}", estimate)


def _judged(verdict: Verdict, message: str, estimate: Estimate) -> Assessment:
    return Assessment(estimate, (), Judgement(verdict, message), np.empty(0))


def _value(result: Hunt) -> float:
    """Give how far the furthest edits moved the score, or the number of flips found."""
    trial, scores = result.furthest or (None, ())
    if result.found is not None:
        trial, scores = result.found.trial, result.found.scores
    if trial is None or trial.standard is None:
        return float(result.found is not None)
    return trial.standard.moved(scores[0] - trial.clean[0]) / trial.standard.unit


def _stated(expect: Search, value: float, *, broken: bool) -> str:
    """Compare with the bounds; a tie with a bound that asks for movement is not above it."""
    if expect.fault is None:
        return f"{count(round(value), 'flip')} found"
    bounds, stated = expect.bounds, Words(expect.noun, expect.unit).state(Estimate(value=value))
    if broken and bounds.low is not None and value >= bounds.low and bounds.high is None:
        return f"{stated} not above {limit(bounds.low)} required"
    return f"{stated} {side(bounds, value, value)}"
