"""Budgets of judges, and what their answers cost."""

import pytest
from replies import ERROR, instances, once_each, script
from server import (
    Reply,
    score_reply,
    scripted_server,
    text_reply,
)

from shakeproof.metrics.asking import Usage


def test_a_budget_of_calls_is_never_exceeded_and_a_second_run_goes_on(judge):
    options = {"budget": {"calls": 50}, "repeats": 2}
    with scripted_server(script()) as server:
        first = judge(server.url, **options)
        first.rate(instances(40))
        calls = len(server.requests)
        second = judge(server.url, **options)
        scores = second.rate(instances(40))

    assert calls == 50
    assert first.kinds == {"the budget of 50 calls is spent"}
    assert scores == [4.0] * 40
    assert len(server.requests) == 80


def test_answers_that_do_not_fit_count_for_the_budget(judge):
    with scripted_server(once_each(text_reply("hm"))) as server:
        judge(server.url, budget={"calls": 30}).rate(instances(40))

    assert len(server.requests) == 30


def test_calls_that_the_server_did_not_take_do_not_count(judge):
    with scripted_server(once_each(Reply(ERROR, status=500))) as server:
        scores = judge(server.url, budget={"calls": 10}).rate(instances(10))

    assert scores == [4.0] * 10
    assert len(server.requests) == 20


def test_a_budget_of_tokens_is_never_exceeded(judge):
    reply = score_reply(4, tokens=(200, 20), delay=0.005)
    with scripted_server(script(rest=reply)) as server:
        judged = judge(server.url, budget={"tokens": 10_000}, max_tokens=100)
        judged.rate(instances(100))

    spent = 220 * server.answered
    assert 10_000 - 2_000 < spent <= 10_000
    assert judged.kinds == {"the budget of 10,000 tokens is spent"}


def test_a_budget_is_shared_by_all_that_one_run_scores(judge):
    with scripted_server(script()) as server:
        judged = judge(server.url, budget={"calls": 30})
        judged.rate(instances(20))
        judged.rate(instances(20, first=20))

    assert len(server.requests) == 30


def test_usage_is_counted_by_scorer_and_model(judge):
    with scripted_server(script(rest=score_reply(4, tokens=(7, 3)))) as server:
        judge(server.url, repeats=2).rate(instances(5))
        judged = judge(server.url, repeats=2)
        judged.rate(instances(8))

    assert [*judged.engine.usage().values()] == [{"judge-1": Usage(8, 56, 24)}] * 2
    assert [*judged.engine.used().values()] == [{"judge-1": Usage(3, 21, 9)}] * 2


@pytest.mark.parametrize("count", [10**30, -5, True, 1.5, "7", None])
def test_a_nonsensical_number_of_tokens_does_no_harm(judge, count):
    with scripted_server(script(rest=score_reply(4, tokens=(count, count)))) as server:
        judged = judge(server.url, budget={"tokens": 10_000})
        scores = judged.rate(instances(2))

    assert 4.0 in scores
    assert judged.engine.usage()


def test_a_budget_of_tokens_counts_with_the_limit_that_is_sent(judge):
    request = {"max_tokens": None, "max_completion_tokens": 5_000}
    with scripted_server(script()) as server:
        judged = judge(server.url, budget={"tokens": 4_000}, request=request)
        judged.rate(instances(1))

    assert server.requests == []
    assert "the budget of 4,000 tokens is spent" in judged.error
