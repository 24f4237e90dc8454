"""What judges cost, added up and in words."""

import pytest
from built_judges import answers, judge_record, run_with, usage
from built_runs import wrap

from shakeproof.results import (
    AnswerCount,
    CallCount,
    UsageRecord,
    describe_calls,
    format_tokens,
    merged_usage,
    usage_lines,
)


def test_draws_are_added_up_for_the_run_and_for_the_cache():
    record = usage(answers("draw:1", calls=2, cached=10), answers("draw:2", calls=3, cached=10))

    assert record.run.calls == 5
    assert record.cached.calls == 20
    assert record.run.tokens == 5 * 110
    assert record.run.money == pytest.approx(5 * 0.01)


def test_money_is_unknown_without_prices():
    free = AnswerCount(scorer="s", model="m", run=CallCount(calls=1, input_tokens=10))
    record = UsageRecord(model="m", answers=(free,))

    assert record.run.money is None
    assert describe_calls(record.run) == "1 call, 10 tokens"


def test_processes_add_up_what_they_asked_for_but_share_a_cache():
    first = usage(answers("draw:1", calls=7, cached=10))
    second = usage(answers("draw:1", calls=1, cached=11), answers("draw:2", calls=1, cached=1))
    joined = merged_usage([first, second])

    assert [answer.run.calls for answer in joined.answers] == [8, 1]
    assert [answer.cached.calls for answer in joined.answers] == [11, 1]


@pytest.mark.parametrize(
    ("record", "line"),
    [
        pytest.param(
            usage(answers("draw:1", calls=4200, cached=4200)),
            "judge: 4,200 calls, 462,000 tokens, 42.00 at the given prices; answered by big-1",
            id="asked",
        ),
        pytest.param(
            usage(answers("draw:1", calls=0, cached=4200)),
            "judge: no new calls, 4,200 answers in the cache; answered by big-1",
            id="cached",
        ),
        pytest.param(usage(), "judge: no answers from 'big'", id="nothing"),
        pytest.param(
            usage(answers("draw:1", calls=1, cached=1), answers("draw:2", model="b", calls=1)),
            "judge: 2 calls, 220 tokens, 0.02 at the given prices; answered by big-1 and b",
            id="two models",
        ),
    ],
)
def test_a_run_says_in_a_line_what_a_judge_cost(record, line):
    assert usage_lines(run_with([], judge_record(record))) == [line]


def test_a_judge_that_two_checklists_share_is_named_once():
    run = run_with([], judge_record(usage(answers("draw:1", calls=1))))
    (checklist,) = run.checklists
    twice = run.model_copy(update={"checklists": (checklist, checklist)})

    assert len(usage_lines(twice)) == 1


def test_a_run_without_judges_says_nothing():
    assert usage_lines(wrap([])) == []


@pytest.mark.parametrize(
    ("tokens", "words"),
    [
        pytest.param(1, "1 token", id="one"),
        pytest.param(999_999, "999,999 tokens", id="below a million"),
        pytest.param(2_140_000, "2.1 million tokens", id="millions"),
    ],
)
def test_many_tokens_are_written_in_millions(tokens, words):
    assert format_tokens(tokens) == words


def test_a_little_money_is_not_written_as_nothing():
    assert describe_calls(CallCount(calls=1, money=0.0002)).endswith(
        "less than 0.01 at the given prices"
    )
