"""Answers that name another model than before."""

from replies import instances, script
from server import (
    prompt_of,
    score_reply,
    scripted_server,
)

from shakeproof.metrics.asking import Usage


def test_an_answer_of_another_model_is_a_failure_and_is_paid_for(judge):
    def answer(request):
        other = "candidate 7\n" in prompt_of(request)
        return score_reply(4, model="judge-2" if other else "judge-1")

    with scripted_server(answer) as server:
        judged = judge(server.url)
        judged.rate(instances(20))

    assert judged.failures == [
        "answered by another model than before: answered by 'judge-2' instead of 'judge-1'"
    ]
    (usage,) = judged.engine.used().values()
    assert usage == {"judge-1": Usage(19, 1900, 190), "judge-2": Usage(1, 100, 10)}


def test_another_model_many_times_is_one_error_that_says_what_to_write(judge):
    with scripted_server(script()) as server:
        judge(server.url).rate(instances(10))
    with scripted_server(script(rest=score_reply(2, model="judge-2"))) as server:
        judged = judge(server.url)
        judged.rate(instances(60))
        anew = judge(server.url, reported="judge-2").rate(instances(60))
        again = judge(server.url)
        again.rate(instances(60))

    assert "write reported: judge-2" in judged.error
    assert anew == [2.0] * 60
    assert "write reported: judge-2" in again.error


def test_draws_must_come_from_one_model(judge):
    with scripted_server(lambda _: score_reply(4, model=f"m{len(server.requests) > 10}")) as server:
        judged = judge(server.url, repeats=2)
        judged.rate(instances(10))

    assert "write reported: mTrue" in judged.error
