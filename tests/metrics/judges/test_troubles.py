"""Servers that are busy, broken or gone."""

from collections import Counter
from itertools import count
from random import Random
from socketserver import StreamRequestHandler, ThreadingTCPServer
from threading import Lock, Thread, Timer

import pytest
from replies import ERROR, REFUSAL, instances, once_each, script
from server import (
    Reply,
    ScriptedServer,
    prompt_of,
    score_reply,
    scripted_server,
    text_reply,
)

from shakeproof.metrics.judges import asked


@pytest.mark.parametrize(
    "trouble",
    [
        pytest.param(REFUSAL, id="429"),
        pytest.param(Reply(ERROR, status=429, headers={"Retry-After": "0.02"}), id="Retry-After"),
        pytest.param(Reply(ERROR, status=408), id="408"),
        pytest.param(Reply(ERROR, status=500), id="500"),
        pytest.param(Reply("<html>", status=503), id="503"),
        pytest.param(Reply(drop=True), id="a dropped connection"),
        pytest.param(Reply(score_reply(4).body, cut=True), id="half an answer"),
        pytest.param(Reply("{"), id="broken JSON"),
        pytest.param(Reply("[]"), id="other JSON"),
        pytest.param(text_reply("Well, 4 of 5."), id="an answer that does not fit"),
        pytest.param(text_reply('{"score": 9}'), id="a score beside the scale"),
        pytest.param(Reply({"model": "judge-1"}), id="no choices"),
        pytest.param(Reply({"model": "judge-1", "choices": "x", "usage": 7}), id="no list"),
    ],
)
def test_what_is_worth_it_is_asked_again(judge, trouble):
    with scripted_server(once_each(trouble)) as server:
        scores = judge(server.url, concurrency=8).rate(instances(12))

    assert scores == [4.0] * 12
    assert server.answered <= 24


def test_a_slow_answer_is_asked_for_again(judge):
    with scripted_server(once_each(Reply(hang=True))) as server:
        scores = judge(server.url, timeout=3, concurrency=4).rate(instances(4))

    assert scores == [4.0] * 4


def test_all_troubles_at_once_lose_nothing_and_ask_nothing_twice(judge):
    random, lock, done = Random(7), Lock(), Counter()
    troubles = [
        REFUSAL,
        Reply(ERROR, status=500),
        Reply(drop=True),
        Reply("{"),
        Reply(score_reply(4).body, cut=True),
        text_reply("no"),
    ]

    def answer(request):
        with lock:
            if random.random() < 0.3:
                return random.choice(troubles)
            done[prompt_of(request)] += 1
            return score_reply(4, delay=random.random() / 100)

    with scripted_server(answer) as server:
        judged = judge(server.url, attempts=20)
        scores = judged.rate(instances(200))
        again = judge(server.url).rate(instances(200))

    missing = len(judged.failures)  # two answers in a row that do not fit
    assert sum(score == 4 for score in scores) == 200 - missing
    assert missing < 20
    assert set(done.values()) == {1}
    assert sum(score == 4 for score in again) == 200


def test_a_question_that_always_fails_has_a_reason_and_the_others_go_on(judge):
    def answer(request):
        return Reply(ERROR, status=500) if "candidate 3\n" in prompt_of(request) else score_reply(4)

    with scripted_server(answer) as server:
        judged = judge(server.url)
        scores = judged.rate(instances(20))

    assert scores.count(4.0) == 19
    assert judged.failures == ["no answer in 3 attempts: HTTP 500: something broke"]


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        pytest.param(Reply(ERROR, status=401), "set JUDGE_KEY to a key", id="401"),
        pytest.param(Reply(ERROR, status=403), "set JUDGE_KEY to a key", id="403"),
        pytest.param(Reply(ERROR, status=404), "endpoint must be the base address", id="404"),
        pytest.param(Reply(ERROR, status=402), "no credit left", id="402"),
        pytest.param(
            Reply({"error": {"code": "insufficient_quota"}}, status=429), "no credit", id="quota"
        ),
        pytest.param(
            Reply("", status=307, headers={"Location": "http://127.0.0.1:9/v1"}),
            "redirected",
            id="redirect",
        ),
        pytest.param(
            Reply(ERROR, status=429, headers={"Retry-After": "86400"}),
            "the server asks to wait 86,400 seconds",
            id="a long wait",
        ),
    ],
)
def test_what_no_question_can_get_around_is_one_error_after_one_request(judge, reply, message):
    with scripted_server(script(rest=reply)) as server:
        judged = judge(server.url)
        judged.rate(instances(100))

    assert message in judged.error
    assert len(judged.errors) == 1
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("url", "message"),
    [
        pytest.param("http://127.0.0.1:9/v1", "is the server running?", id="nobody listens"),
        pytest.param("http://no-host.invalid/v1", "name of the endpoint's host", id="no name"),
    ],
)
def test_a_server_that_is_not_there_is_one_error(judge, url, message):
    judged = judge(url)
    judged.rate(instances(100))

    assert message in judged.error


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        pytest.param(b"", "is the server running?", id="the connection ends"),
        pytest.param(b"HTTP/1.1 400 Bad\r\n\r\n", "no secure connection", id="not encrypted"),
    ],
)
def test_no_secure_connection_is_given_up_unless_it_was_only_closed(judge, answer, message):
    class Handler(StreamRequestHandler):
        def handle(self):
            self.request.recv(10_000)
            self.request.sendall(answer)

    with ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}).start()
        judged = judge(f"https://127.0.0.1:{server.server_address[1]}/v1")
        judged.rate(instances(3))
        server.shutdown()

    assert message in judged.error


def test_a_server_that_ends_in_the_middle_is_given_up_and_its_answers_are_kept(judge):
    turns = count()

    def answer(_):
        if next(turns) < 40:
            return score_reply(4)
        server.end()
        return Reply(drop=True)

    with scripted_server(answer) as server:
        judged = judge(server.url, concurrency=4)
        judged.rate(instances(100))
    with scripted_server(script()) as second:
        scores = judge(second.url).rate(instances(100))

    assert "the answers so far are kept" in judged.error
    assert scores == [4.0] * 100
    assert len(second.requests) == 100 - server.answered


def test_a_server_that_is_started_again_is_asked_again(judge, monkeypatch):
    monkeypatch.setattr(asked, "FIRST_DELAY", 0.1)
    turns, second = count(), ScriptedServer(script())

    def answer(_):
        turn = next(turns)
        if turn < 20:
            return score_reply(4)
        server.end()
        if turn == 20:
            again.start()
        return Reply(drop=True)

    with scripted_server(answer) as server:
        again = Timer(0.3, lambda: second.start(server.port))
        scores = judge(server.url, concurrency=4, attempts=8).rate(instances(60))
    again.join()
    second.stop()

    assert scores == [4.0] * 60
    assert len(second.requests) == 40
