"""Judges that are asked on a scripted server."""

import asyncio
import signal
import threading
import time
from collections import Counter
from datetime import UTC, datetime

import pytest
from replies import ERROR, REFUSAL, instances, script
from server import (
    Reply,
    prompt_of,
    score_reply,
    scripted_server,
)

from shakeproof.metrics.judges.client import seconds_to_wait
from shakeproof.metrics.protocols import Instance


def test_every_candidate_gets_the_score_of_its_answer(judge):
    def answer(request):
        number = int(prompt_of(request).split("\ncandidate ")[1].split("\n")[0])
        return score_reply(1 + number % 5, delay=0.001 * (number % 7))

    with scripted_server(answer) as server:
        scores = judge(server.url).rate(instances(50))

    assert scores == [1 + number % 5 for number in range(50)]


def test_fields_of_the_request_can_be_added_and_left_out(judge):
    more = {"temperature": None, "max_tokens": None, "max_completion_tokens": 9, "seed": 1}
    with scripted_server(lambda _: score_reply(3)) as server:
        judge(server.url, request=more).rate(instances(1))
    (request,) = server.requests

    assert {"temperature", "max_tokens"} & request.keys() == set()
    assert (request["max_completion_tokens"], request["seed"]) == (9, 1)


def test_a_second_run_asks_nothing(judge):
    with scripted_server(script()) as server:
        first = judge(server.url, repeats=2).rate(instances(30))
        second = judge(server.url, repeats=2).rate(instances(30))

    assert first == second == [4.0] * 30
    assert len(server.requests) == 60


def test_no_more_questions_are_asked_at_once_than_allowed(judge):
    with scripted_server(script(rest=score_reply(4, delay=0.01))) as server:
        judge(server.url, concurrency=5).rate(instances(60))

    assert server.most_at_once == 5


def test_a_server_that_refuses_is_asked_less_at_once(judge):
    limit, at_once, lock = 4, Counter(), threading.Lock()

    def answer(_):
        with lock:
            if server._at_once > limit:
                at_once["refused"] += 1
                return REFUSAL
        return score_reply(4, delay=0.01)

    with scripted_server(answer) as server:
        scores = judge(server.url, attempts=30).rate(instances(150))

    assert scores == [4.0] * 150
    assert at_once["refused"] < 150


def test_all_questions_wait_as_long_as_the_server_asks(judge):
    times, pause = [], 0.5

    def answer(_):
        times.append(time.monotonic())
        wait = Reply(ERROR, status=429, headers={"Retry-After": str(pause)})
        return wait if len(times) == 10 else score_reply(4)

    with scripted_server(answer) as server:
        scores = judge(server.url, concurrency=4).rate(instances(30))

    refused = times[9]
    early = [at for at in times[10:] if at < refused + 0.8 * pause]
    assert scores == [4.0] * 30
    assert len(early) < 4  # those that were under way


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        pytest.param("7", 7.0, id="seconds"),
        pytest.param("0.5", 0.5, id="part of a second"),
        pytest.param("Wed, 18 Nov 2026 12:00:30 GMT", 30.0, id="a date"),
        pytest.param("Wed, 18 Nov 2026 11:00:00 GMT", 0.0, id="a date in the past"),
        pytest.param("soon", None, id="nonsense"),
        pytest.param("nan", None, id="no number"),
        pytest.param(None, None, id="nothing"),
    ],
)
def test_retry_after_is_read_as_seconds_or_a_date(header, seconds):
    assert seconds_to_wait(header, datetime(2026, 11, 18, 12, tzinfo=UTC)) == seconds


def test_an_offline_run_answers_from_the_cache_alone(judge):
    with scripted_server(script()) as server:
        judge(server.url).rate(instances(10))
    known = judge(server.url, offline=True).rate(instances(10))
    judged = judge(server.url, offline=True)
    judged.rate(instances(11))

    assert known == [4.0] * 10
    assert "an offline run asks no judge" in judged.error
    assert len(server.requests) == 10


def test_a_prompt_that_fails_for_one_text_costs_nothing(judge, tmp_path):
    (tmp_path / "mine.j2").write_text("{{ candidate }} {{ references[1] }}", "utf-8")
    rated = [*instances(3), Instance("candidate x", ("one", "two"))]
    with scripted_server(script()) as server:
        judged = judge(server.url, prompt="mine.j2")
        judged.rate(rated)

    assert len(server.requests) == 1
    assert len(judged.failures) == 3


def test_an_interrupted_run_keeps_its_answers(judge):
    def interrupt(progress):
        if progress.done >= 20:
            raise KeyboardInterrupt

    with scripted_server(script(rest=score_reply(4, delay=0.005))) as server:
        judged = judge(server.url, concurrency=4)
        judged.engine._progress = interrupt
        with pytest.raises(KeyboardInterrupt):
            judged.rate(instances(100))
        scores = judge(server.url).rate(instances(100))

    assert scores == [4.0] * 100
    assert len(server.requests) <= 100 + 4


def test_an_interrupted_run_waits_for_what_is_being_stored(judge):
    storing = []

    def interrupt(progress):
        if progress.done >= 20 and not storing:
            storing.append("begins")
            signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
            time.sleep(0.3)  # a slow disk
            storing.append("ends")

    with scripted_server(script()) as server:
        judged = judge(server.url, concurrency=4)
        judged.engine._progress = interrupt
        with pytest.raises(KeyboardInterrupt):
            judged.rate(instances(100))

        assert storing == ["begins", "ends"]
        assert len(server.requests) < 100


def test_progress_shows_single_answers(judge):
    seen = []
    with scripted_server(script(rest=score_reply(4, delay=0.002))) as server:
        judged = judge(server.url, concurrency=2)
        judged.engine._progress = lambda progress: seen.append(progress.done)
        judged.rate(instances(30))

    assert len(seen) > 10
    assert seen == sorted(seen)
    assert seen[-1] == 30


def test_a_judge_can_be_asked_where_an_event_loop_runs(judge):
    async def notebook():
        return judge(server.url).rate(instances(5))

    with scripted_server(script()) as server:
        assert asyncio.run(notebook()) == [4.0] * 5
