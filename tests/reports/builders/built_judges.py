"""Runs that ask a judge, without a judge."""

from built_results import FILE, estimate, plain_result
from built_runs import checklist_record, metric_record, wrap

from shakeproof.results import (
    AnswerCount,
    Bounds,
    CallCount,
    Estimate,
    Outcome,
    Part,
    PartName,
    UsageRecord,
    Verdict,
)

BIASES = {  # rise of the score in spreads, by metric
    "flattery": {"judge": 0.62, "deep": -0.31},
    "fake-citation": {"judge": 0.21, "deep": -0.44},
    "injected-instruction": {"judge": 1.84, "deep": -0.52},
    "master-key": {"judge": -0.92, "deep": -1.9},
}
ALLOWED = 0.2


def count(calls):
    return CallCount(
        calls=calls, input_tokens=100 * calls, output_tokens=10 * calls, money=calls / 100
    )


def answers(draw, *, calls=0, cached=0, model="big-1"):
    return AnswerCount(scorer=f"judge|{draw}", model=model, run=count(calls), cached=count(cached))


def usage(*counts):
    return UsageRecord(model="big", answers=counts)


def judge_record(record, name="judge", kind="judge"):
    settings = {"model": "big", "repeats": 3}
    update = {"kind": kind, "usage": record, "settings": settings, "facts": {}}
    return metric_record(name).model_copy(update=update)


def run_with(results, *records):
    """A run whose judges are those of the records; other metrics are BERTScores."""
    judges = {record.name: record for record in records}
    plain = checklist_record(dict.fromkeys(result.metric for result in results))
    metrics = {metric.name: metric for metric in plain.metrics} | judges
    checklist = plain.model_copy(update={"metrics": tuple(metrics.values())})
    return wrap(results, checklists=(checklist,))


def bias(metric, family, rise):
    estimated = estimate(rise, 0.09)
    high, low = estimated.high < ALLOWED, estimated.low > ALLOWED
    verdict = Verdict.PASS if high else Verdict.FAIL if low else Verdict.INCONCLUSIVE
    outcome = Outcome.PASSED if high else Outcome.FAILED if low else Outcome.UNDECIDED
    return plain_result(
        metric,
        f"{family} buys nothing",
        outcome,
        condition=family,
        expectation="score_rise",
        statement="scores rise by at most 0.20 spreads",
        quantity="mean rise",
        family=family,
        family_group="judges",
        bounds=Bounds(high=ALLOWED),
        estimate=estimated,
        verdict=verdict,
        message=f"rise {rise}",
    )


def clean_result(metric, check, **kwargs):
    values = {
        "id": f"{FILE}::{metric}::{check}::clean",
        "family": None,
        "field": None,
        "condition": "clean",
        "unit": "",
    }
    return plain_result(metric, check, kwargs.pop("outcome", Outcome.PASSED), **(values | kwargs))


def stable(metric="judge"):
    return clean_result(
        metric,
        "the same answer twice",
        outcome=Outcome.FAILED,
        expectation="stable",
        statement="answers to the same question differ by at most 0.10 spreads",
        quantity="spread between answers",
        unit="spreads",
        bounds=Bounds(high=0.1),
        estimate=estimate(0.31, 0.02),
        verdict=Verdict.FAIL,
        parts=(
            Part(name=PartName.NOISE_OF_ONE_DRAW, estimate=estimate(0.12, 0.02)),
            Part(name=PartName.NOISE_OF_MEAN, estimate=estimate(0.04, 0.01)),
        ),
    )


def consistent(metric="duel"):
    return clean_result(
        metric,
        "the order does not matter",
        outcome=Outcome.UNDECIDED,
        expectation="position_consistency",
        statement="at least 0.90 of the comparisons are decided alike in both orders",
        quantity="decided alike in both orders",
        bounds=Bounds(low=0.9),
        estimate=estimate(0.88, 0.03),
        verdict=Verdict.INCONCLUSIVE,
        parts=(
            Part(name=PartName.FIRST_POSITION, estimate=estimate(0.56, 0.02)),
            Part(name=PartName.FLIPS, estimate=estimate(0.12, 0.03)),
            Part(name=PartName.SHARED, estimate=Estimate(value=None, note="none")),
        ),
    )


def judges_demo():
    """A run with everything that the section about judges can show."""
    results = [
        *(
            bias(metric, family, rise)
            for family, by in BIASES.items()
            for metric, rise in by.items()
        ),
        stable(),
        consistent(),
    ]
    draws = [answers(f"draw:{number}", calls=420, cached=500) for number in (1, 2, 3)]
    return run_with(
        results,
        judge_record(usage(*draws)),
        judge_record(usage(answers("pair", cached=2400)), "duel", "judge-pairs"),
    )
