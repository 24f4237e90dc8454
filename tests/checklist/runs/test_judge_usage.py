"""What a judge cost and would cost, with a judge that is never asked."""

from dataclasses import dataclass, replace
from types import SimpleNamespace

import numpy as np
import pytest

from shakeproof.cli.plan import judge_line
from shakeproof.metrics.asking import Usage
from shakeproof.metrics.engine.cache import Cache
from shakeproof.metrics.failures import Failure, RatingFailed
from shakeproof.plugin.findings import joined
from shakeproof.results import CallCount
from shakeproof.runs.forecast import count_scores
from shakeproof.runs.judge_usage import (
    Judge,
    JudgeForecast,
    asking_signatures,
    find_judges,
    forecast_judge,
    usage_record,
)

CHECKLIST = """\
data: sample
metrics: {judge: {chrf: {}}, chrf: {chrf: {}}}
checks:
  - check: agreement
    expect: {correlation: {coefficient: pearson, at_least: 0}}
"""
PRICES = SimpleNamespace(input=2.0, output=10.0)


@dataclass(frozen=True)
class Draw:
    """A draw of a judge; its prompt is ten bytes longer than the texts."""

    signature: str

    def score(self, tuples):
        raise AssertionError("a judge was asked")

    def ask(self, tuples, answers):
        raise AssertionError("a judge was asked")

    def prompt_bytes(self, texts):
        return 10 + sum(len(text.encode()) for text in texts)


@dataclass(frozen=True)
class Mean:
    """The mean of some draws; nothing is asked about an empty candidate."""

    draws: tuple

    signature = "mean"
    requires = frozenset()

    def needs(self, instance):
        return [(draw, (instance.candidate,)) for draw in self.draws if instance.candidate]

    def combine(self, instance, scores):
        return sum(scores) / len(scores)


MEAN = Mean((Draw("judge|draw:1"), Draw("judge|draw:2")))


def instance(text):
    return SimpleNamespace(candidate=text, references=(), source=None)


def test_the_scorers_are_read_off_the_first_instance_with_a_question():
    assert asking_signatures(MEAN, map(instance, ["", "a"])) == ("judge|draw:1", "judge|draw:2")
    assert asking_signatures(MEAN, [instance("")]) == ()


def test_a_metric_that_fails_has_no_scorers():
    class Broken(Mean):
        def needs(self, instance):
            raise RuntimeError("no idea")

    assert asking_signatures(Broken(()), [instance("a")]) == ()


def test_only_metrics_that_ask_a_service_are_judges(written, planned):
    plan = planned(written(CHECKLIST))
    asking = replace(plan, metrics={**plan.metrics, "judge": MEAN})

    assert find_judges(plan) == []
    assert [judge.metric for judge in find_judges(asking)] == ["judge"]


def test_a_record_has_the_answers_of_the_run_and_of_the_cache_with_their_price():
    judge = Judge("judge", ("judge|draw:1", "judge|draw:2"), "big", PRICES)
    cached = {
        "judge|draw:1": {"big-1": Usage(30, 3_000_000, 100_000)},
        "another": {"big-1": Usage(9, 9, 9)},
    }
    used = {"judge|draw:1": {"big-1": Usage(10, 1_000_000, 50_000)}}
    (answer,) = usage_record(judge, cached, used).answers

    assert (answer.scorer, answer.model) == ("judge|draw:1", "big-1")
    assert (answer.run.calls, answer.cached.calls) == (10, 30)
    assert (answer.run.money, answer.cached.money) == (2.5, 7.0)


def test_a_model_name_cannot_move_the_cursor_of_a_terminal():
    judge = Judge("judge", ("judge|draw:1",), "big")
    cached = {"judge|draw:1": {"big\x1b[2J\n": Usage(1)}}

    assert usage_record(judge, cached, {}).reported == ("big\\x1b[2J\\n",)


def test_tokens_to_come_are_a_quarter_of_the_bytes_and_answers_as_long_as_those_known():
    judge = Judge("judge", ("judge|draw:1",), "big", PRICES)
    prompts = {"judge|draw:1": [400, 402]}
    first = forecast_judge(judge, prompts, {}).to_ask
    known = {"judge|draw:1": {"big-1": Usage(10, 900, 450)}}
    later = forecast_judge(judge, prompts, known).to_ask

    assert (first.calls, first.input_tokens, first.output_tokens) == (2, 201, 20)
    assert later.output_tokens == 90
    assert first.money == pytest.approx((201 * 2 + 20 * 10) / 1e6)


def test_prompts_of_equal_texts_and_of_cached_answers_are_not_counted():
    texts = ["a", "bcd", "é"]
    segments = [[(MEAN, instance(text))] for text in (*texts, "a")]
    with Cache() as cache:
        cache.put_many("judge|draw:2", [("bcd",)], np.array([1.0]))
        first, second = count_scores(segments, cache)

    assert first.prompts == (11, 13, 12)
    assert second.prompts == (11, 12)


def test_a_question_that_cannot_be_written_is_not_counted():
    class Picky(Draw):
        def prompt_bytes(self, texts):
            if texts == ("b",):
                raise RatingFailed(Failure("the prompt cannot be rendered"))
            return 7

    metric = Mean((Picky("judge|draw:1"),))
    with Cache() as cache:
        (count,) = count_scores([[(metric, instance(text))] for text in "abc"], cache)

    assert count.prompts == (7, 7)


BUDGET = {"max_calls": 3000, "max_tokens": 1_000_000}
ASKED = CallCount(calls=4200, input_tokens=2_058_000, output_tokens=42_000, money=5.4)


@pytest.mark.parametrize(
    ("forecast", "line"),
    [
        pytest.param(
            JudgeForecast("judge", ASKED, max_calls=3000),
            "judge: 4,200 calls to make, about 2.1 million tokens, 5.40 at the given prices; "
            "the budget of 3,000 calls is not enough",
            id="too few calls",
        ),
        pytest.param(
            JudgeForecast("judge", ASKED.model_copy(update={"money": None}), **BUDGET),
            "judge: 4,200 calls to make, about 2.1 million tokens; "
            "the budget of 3,000 calls and 1,000,000 tokens is not enough",
            id="too few of both",
        ),
        pytest.param(
            JudgeForecast("judge", CallCount(calls=1, input_tokens=50), **BUDGET),
            "judge: 1 call to make, about 50 tokens; the budget suffices",
            id="enough",
        ),
        pytest.param(
            JudgeForecast("judge", CallCount(calls=2, input_tokens=50)),
            "judge: 2 calls to make, about 50 tokens; no budget is set",
            id="no budget",
        ),
        pytest.param(
            JudgeForecast("judge", CallCount(), **BUDGET),
            "judge: no calls to make, all answers are in the cache",
            id="all cached",
        ),
    ],
)
def test_a_plan_says_whether_the_budget_suffices(forecast, line):
    assert judge_line(forecast) == line


def test_records_of_several_processes_are_joined():
    from built_judges import answers, judge_record, run_with, usage

    records = [
        run_with([], judge_record(usage(answers("draw:1", calls=calls, cached=9)))).checklists[0]
        for calls in (9, 0)
    ]
    (metric,) = joined(records).metrics

    assert (metric.usage.run.calls, metric.usage.cached.calls) == (9, 9)
