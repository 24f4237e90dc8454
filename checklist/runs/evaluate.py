"""Evaluate an item: read its scores, have its expectation assessed, find examples."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from shakeproof.data.ratings import MEAN, PLAIN
from shakeproof.evidence.break_even import break_even_parts
from shakeproof.evidence.examples import worst_examples
from shakeproof.evidence.histogram import score_changes
from shakeproof.evidence.search_check import check_by_search
from shakeproof.expectations import Evaluation, Expectation
from shakeproof.expectations.assess import assess
from shakeproof.expectations.baseline import NoWorseThanBaseline
from shakeproof.expectations.rescored import Rescored
from shakeproof.expectations.search import Search
from shakeproof.metrics.engine.cache import Cache
from shakeproof.metrics.engine.engine import Engine, MissingScores
from shakeproof.metrics.protocols import Instance, Metric
from shakeproof.plan.items import Item, Plan, ScoreKey
from shakeproof.plan.perturbed import CLEAN
from shakeproof.results import (
    Example,
    Outcome,
    Result,
    Severity,
    Verdict,
    counted,
    describe_leaning,
    outcome_of,
)
from shakeproof.runs.baseline import loss_since_stored_run
from shakeproof.runs.missing import judged_with_missing, missing_at_most
from shakeproof.scoring.missing import left_out
from shakeproof.scoring.score_table import ScoreTable
from shakeproof.scoring.tuning import calibrated
from shakeproof.stats.compare import pack_influence
from shakeproof.stats.messages import describe_course
from shakeproof.stats.observations import Ints, Vector
from shakeproof.stats.verdicts import Assessment, disagreements, violations


class MetricFailed(Exception):
    """A metric could not be built or run; its items fail and no others.

    The message is one line; `traceback` shows where a function of the user raised, if one did.
    """

    def __init__(self, message: str, traceback: str = "") -> None:
        super().__init__(message)
        self.traceback = traceback


def evaluate(
    score_table: ScoreTable, item: Item, *, with_texts: bool = True, search_budget: int = 0
) -> Result:
    """Estimate and judge what an item asks, with examples if it does not pass.

    `search_budget` scores may be spent on the fewest edits that fail, for a failure.
    """
    for name in dict.fromkeys(name for name, _ in item.score_keys):
        if reason := score_table.failures.get(name):
            raise MetricFailed(f"metric {name!r}: {reason}")
    _read_scores(score_table, item, with_texts)
    try:
        _check_finite(score_table, item, with_texts)
        return _evaluated(score_table, item, with_texts, search_budget)
    except MissingScores as error:
        raise _metric_failed(item.metric, error, with_texts) from None


def _metric_failed(name: str, error: MissingScores, with_texts: bool) -> MetricFailed:
    message = f"metric {name!r}: {error.described(texts=with_texts)}"
    return MetricFailed(message, error.failure.traceback if with_texts else "")


def _read_scores(score_table: ScoreTable, item: Item, with_texts: bool) -> None:
    """Read all scores of the item; MetricFailed names the metric that has none, if any."""
    for name, condition in item.score_keys:
        try:
            score_table.scores((name, condition))
        except MissingScores as error:
            raise _metric_failed(name, error, with_texts) from None


def _check_finite(score_table: ScoreTable, item: Item, with_texts: bool) -> None:
    """Raise MetricFailed for a metric that has no finite score under any condition of the item.

    Such a metric does not work. Without this rule its checks would be undecided, as if more data
    could help.
    """
    by_metric: dict[str, list[ScoreKey]] = {}
    for score_key in item.score_keys:
        by_metric.setdefault(score_key[0], []).append(score_key)
    candidates = counted(len(score_table.candidates.segment), "candidate")
    for name, keys in by_metric.items():
        if not any(np.isfinite(score_table.scores(score_key)).any() for score_key in keys):
            failure = score_table.failures_of(keys[0])[0]
            message = f"metric {name!r} returned no finite score for any of {candidates}"
            reason = failure.described(texts=with_texts)
            raise MetricFailed(f"{message}: {reason}", failure.traceback if with_texts else "")


def _evaluated(score_table: ScoreTable, item: Item, with_texts: bool, budget: int) -> Result:
    assessment, examples = _assess_with_examples(score_table, item, budget)
    judgement, expect = assessment.judgement, item.check.expect
    shown = with_texts and judgement.verdict is not Verdict.PASS
    empty = empty_result(score_table.plan, item, outcome_of(judgement.verdict))
    return empty.model_copy(
        update={
            "estimate": assessment.estimate,
            "quantity": assessment.quantity or empty.quantity,
            "bounds": assessment.bounds or empty.bounds,
            "parts": (*assessment.parts, *break_even_parts(score_table, item)),
            "verdict": judgement.verdict,
            "leaning": judgement.leaning,
            "message": describe(assessment, expect),
            "advice": judgement.advice,
            "p": judgement.p,
            "realised": score_table.realised(item.score_keys[-1]) if item.perturb else None,
            "changes": score_changes(score_table, item),
            "examples": examples() if shown else (),
            "influence": pack_influence(assessment.influence),
            "missing": left_out(score_table, item, texts=with_texts),
        }
    )


def describe(assessment: Assessment, expect: Expectation) -> str:
    """Write the line of a result: which way it leans, from which number to which, the estimate.

    Where each group is judged, the numbers of all groups together are left out.
    """
    judgement, value = assessment.judgement, assessment.estimate.value
    course = "" if expect.each_group else describe_course(assessment.parts)
    line = ", ".join(filter(None, [course, judgement.message]))
    bounds = assessment.bounds or expect.bounds
    leaning = describe_leaning(judgement.leaning, expect.name, value or 0.0, bounds)
    return f"{leaning}: {line}" if leaning else line


def _assess_with_examples(
    score_table: ScoreTable, item: Item, budget: int
) -> tuple[Assessment, Callable[[], tuple[Example, ...]]]:
    """Judge an item, and return how to find its examples if they are wanted."""
    if isinstance(item.check.expect, Search):
        searched = check_by_search(score_table, item, item.check.expect)
        return searched.assessment, lambda: searched.examples
    assessment = assess_item(score_table, item)
    failed = assessment.judgement.verdict is Verdict.FAIL
    search_budget = budget if failed else 0
    return assessment, lambda: worst_examples(score_table, item, search_budget=search_budget)


def assess_item(score_table: ScoreTable, item: Item) -> Assessment:
    """Estimate and judge what an item asks, in the way its expectation is evaluated."""
    checklist, expect = score_table.plan.checklist, calibrated(score_table, item)
    match expect:
        case Rescored():
            return _rescored(expect, score_table, item.metric)
        case Search():
            return check_by_search(score_table, item, expect).assessment
    estimated = expect.evaluation is not Evaluation.EACH_SCORE
    assessment = assess(
        expect,
        item.compared,
        score_table.observe(item, paired=estimated),
        draws=checklist.draws,
        seed=checklist.seed,
        confidence=checklist.confidence,
        method=checklist.interval,
    )
    if isinstance(expect, NoWorseThanBaseline):
        assessment = loss_since_stored_run(expect, score_table.plan, item, assessment)
    missing = left_out(score_table, item, texts=False) if estimated else None
    return judged_with_missing(assessment, missing, missing_at_most(checklist, item))


def _rescored(axiom: Rescored, score_table: ScoreTable, name: str) -> Assessment:
    """Rate some texts twice, in the two ways of the axiom, and count where the scores differ."""
    metric, segments = score_table.metrics[name], score_table.plan.segments
    texts = (one.text for segment in segments for one in segment.candidates)
    lengths = np.fromiter(map(len, texts), np.int64)
    rows = short_to_long(lengths, axiom.texts)
    instances = [score_table.instance(CLEAN, row) for row in rows]
    first, second = axiom.twice(lambda texts: rate_afresh(metric, texts), instances)
    broken = disagreements(first, second, axiom.tolerance)
    segment_count = len(np.unique(score_table.candidates.segment[rows]))
    estimate, judgement = violations(int(broken.sum()), len(rows), segment_count)
    return Assessment(estimate, (), judgement, np.empty(0))


def short_to_long(lengths: Ints, most: int) -> list[int]:
    """Choose some candidates of all lengths, so that in a batch the short ones are padded."""
    ordered: list[int] = np.argsort(lengths, kind="stable").tolist()
    if len(ordered) <= most:
        return ordered
    return [ordered[at * (len(ordered) - 1) // (most - 1)] for at in range(most)]


def rate_afresh(metric: Metric, instances: Sequence[Instance]) -> Vector:
    """Rate instances without the cache, all at once and in this order."""
    with Cache() as cache:
        engine = Engine(cache)
        engine.fill([[(metric, instance) for instance in instances]])
        return engine.read(metric, instances)


def describe_rating(rating: str) -> str:
    """Write whose ratings decide, after what they decide; "" for ratings about no aspect."""
    if rating == PLAIN:
        return ""
    return " for the mean rating" if rating == MEAN else f" for {rating}"


def family_group(plan: Plan, name: str) -> str:
    """Return the group of a family; texts that came with the data may name one we do not know."""
    family = plan.checklist.families.get(name)
    return family.group if family else ""


def empty_result(plan: Plan, item: Item, outcome: Outcome) -> Result:
    """Return what an item is about, before anything is estimated."""
    check, perturb = item.check, item.perturb
    expect, by = check.expect, describe_rating(item.rating)
    rating = None if item.rating == PLAIN else item.rating
    return Result(
        id="::".join([plan.file, item.metric, check.name, item.name]),
        file=plan.file,
        line=check.line,
        metric=item.metric,
        check=check.name,
        expectation=expect.name,
        statement=f"{expect.statement}; rating: {rating}" if rating else expect.statement,
        quantity=expect.quantity + by,
        unit=expect.unit,
        coefficient=expect.coefficient + by if expect.coefficient else None,
        rating=rating,
        family=perturb.family if perturb else None,
        family_group=family_group(plan, perturb.family) if perturb else "",
        field=perturb.on if perturb else None,
        level=item.level,
        levels=perturb.levels if perturb else (),
        seeds=item.seeds,
        stored=bool(perturb and perturb.stored),
        bounds=expect.bounds,
        severity=Severity(check.severity),
        known_failure=item.known_failure is not None,
        outcome=outcome,
    )
