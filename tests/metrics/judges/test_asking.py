import asyncio
import time
from collections import Counter
from datetime import UTC, datetime
from itertools import count
from random import Random
from threading import Lock, Timer

import pytest
from server import (
    Reply,
    ScriptedServer,
    better_reply,
    prompt_of,
    score_reply,
    scripted_server,
    text_reply,
)

from shakeproof.metrics.asking import Usage
from shakeproof.metrics.judges import asked
from shakeproof.metrics.judges.client import find_proxy, seconds_to_wait
from shakeproof.metrics.judges.texts import pair_texts
from shakeproof.metrics.protocols import Instance

ERROR = {"error": {"message": "something broke"}}
REFUSAL = Reply(ERROR, status=429)


def instances(count, first=0):
    return [
        Instance(f"candidate {number}", ("a reference",), "a source")
        for number in range(first, first + count)
    ]


def script(*replies, rest=None):
    """Answer with each reply in turn, and then with `rest`."""
    turns, lock = iter(replies), Lock()

    def answer(_):
        with lock:
            return next(turns, rest or score_reply(4))

    return answer


def once_each(first, then=None):
    """Answer each question with `first` the first time, and then with `then`."""
    seen = Counter()

    def answer(request):
        seen[prompt_of(request)] += 1
        return first if seen[prompt_of(request)] == 1 else then or score_reply(4)

    return answer


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
        scores = judge(server.url, timeout=1, concurrency=4).rate(instances(4))

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
    ("reply", "reason", "calls"),
    [
        pytest.param(text_reply("good"), "the answer does not fit: no JSON: good", 2, id="text"),
        pytest.param(
            text_reply('{"score": 4', finish="length"),
            "the answer is cut off after 256 tokens; raise max_tokens",
            1,
            id="length",
        ),
        pytest.param(
            text_reply(None, finish="content_filter"),
            "the server's filter withheld the answer",
            1,
            id="filter",
        ),
        pytest.param(
            text_reply(None, refusal="I cannot"),
            "the answer does not fit: a refusal: I cannot",
            2,
            id="refusal",
        ),
        pytest.param(
            Reply(ERROR, status=400),
            "the server refuses the question (HTTP 400): something broke",
            1,
            id="400",
        ),
    ],
)
def test_an_answer_without_a_score_is_paid_for_and_is_a_failure(judge, reply, reason, calls):
    def answer(request):
        return reply if "candidate 3\n" in prompt_of(request) else score_reply(4)

    with scripted_server(answer) as server:
        judged = judge(server.url)
        judged.rate(instances(10))

    assert judged.failures == [reason]
    assert len(server.requests) == 9 + calls
    (usage,) = judged.engine.used().values()
    assert usage["judge-1"].calls == server.answered


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


def test_a_judge_that_never_fits_is_one_error_after_a_few_answers(judge):
    with scripted_server(script(rest=text_reply("hm"))) as server:
        judged = judge(server.url)
        judged.rate(instances(500))

    assert "none of the first 20 questions has a usable answer" in judged.error
    assert server.answered <= 2 * (20 + 32)
    (usage,) = judged.engine.used().values()
    assert usage["judge-1"].calls == server.answered


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


def test_no_more_questions_are_asked_at_once_than_allowed(judge):
    with scripted_server(script(rest=score_reply(4, delay=0.01))) as server:
        judge(server.url, concurrency=5).rate(instances(60))

    assert server.most_at_once == 5


def test_a_server_that_refuses_is_asked_less_at_once(judge):
    limit, at_once, lock = 4, Counter(), Lock()

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


def test_an_offline_run_answers_from_the_cache_alone(judge):
    with scripted_server(script()) as server:
        judge(server.url).rate(instances(10))
    known = judge(server.url, offline=True).rate(instances(10))
    judged = judge(server.url, offline=True)
    judged.rate(instances(11))

    assert known == [4.0] * 10
    assert "an offline run asks no judge" in judged.error
    assert len(server.requests) == 10


def test_log_probabilities_give_a_score_between_two_numbers(judge):
    reply = text_reply("4", logprobs={"4": -0.5, "5": -1.0})
    with scripted_server(script(rest=reply)) as server:
        (score,) = judge(server.url, answer={"from": "logprobs"}).rate(instances(1))

    assert 4 < score < 5
    assert server.requests[0]["logprobs"] is True
    assert server.requests[0]["top_logprobs"] == 20
    assert "response_format" not in server.requests[0]


def test_a_server_without_log_probabilities_is_one_error(judge):
    with scripted_server(script()) as server:
        judged = judge(server.url, answer={"from": "logprobs"})
        judged.rate(instances(50))

    assert "no log-probabilities" in judged.error
    assert len(server.requests) == 1


def test_a_pair_is_rated_by_the_preference_for_the_first(pairs):
    def answer(request):
        text = prompt_of(request)
        return better_reply("first" if text.index("\nred\n") < text.index("\nblue\n") else "second")

    with scripted_server(answer) as server:
        judged = pairs(server.url, prompt="fluency")
        (scorer,) = judged.metric.scorers
        shown = Instance("x")
        tuples = [pair_texts("red", "blue", shown), pair_texts("blue", "red", shown)]
        judged.metric = Rates(scorer)
        judged.engine.fill([(judged.metric, texts)] for texts in map(Tuple, tuples))
        scores = [judged.engine.scores(judged.metric, [Tuple(texts)])[0][0] for texts in tuples]

    assert scores == [1.0, 0.0]


class Tuple:
    """An instance that is a tuple of texts."""

    candidate, references, source = "", (), None

    def __init__(self, texts):
        self.texts = texts


class Rates:
    """A metric that is the score of a tuple."""

    def __init__(self, scorer):
        self.scorer = scorer

    def needs(self, instance):
        return [(self.scorer, instance.texts)]


def test_the_key_is_sent_and_hidden_wherever_the_server_repeats_it(judge, monkeypatch, caplog):
    monkeypatch.setenv("JUDGE_KEY", "sk-hunter2")
    caplog.set_level(0)

    def answer(request):
        if "candidate 3\n" in prompt_of(request):
            return Reply({"error": {"message": "your key sk-hunter2 is odd"}}, status=400)
        if "candidate 4\n" in prompt_of(request):
            return text_reply("sk-hunter2")
        return score_reply(4, model="model of sk-hunter2")

    with scripted_server(answer) as server:
        judged = judge(server.url)
        judged.rate(instances(10))

    assert {headers["authorization"] for headers in server.headers} == {"Bearer sk-hunter2"}
    assert sum("[key]" in reason for reason in judged.failures) == 2
    assert "hunter2" not in str(judged.failures) + caplog.text + str(judged.engine.usage())
    assert "hunter2" not in repr(judged)


def test_a_key_that_the_server_refuses_is_not_shown(judge, monkeypatch):
    monkeypatch.setenv("JUDGE_KEY", "sk-hunter2")
    reply = Reply({"error": "Incorrect API key provided: sk-hunter2"}, status=401)
    with scripted_server(script(rest=reply)) as server:
        judged = judge(server.url)
        judged.rate(instances(3))

    assert judged.error == (
        "the server refuses the key (HTTP 401); check the key in JUDGE_KEY: "
        "Incorrect API key provided: [key]"
    )


@pytest.mark.parametrize(
    ("key", "message"),
    [
        pytest.param("", "MY_KEY is not set", id="not set"),
        pytest.param("hunter2\nhunter3", "characters that no key has", id="two lines"),
        pytest.param("hunter2 ü", "characters that no key has", id="no ASCII"),
    ],
)
def test_a_key_that_cannot_be_sent_is_an_error_that_does_not_show_it(
    judge, monkeypatch, key, message
):
    monkeypatch.setenv("MY_KEY", key)
    judged = judge("http://127.0.0.1:9/v1", key="MY_KEY")
    judged.rate(instances(3))

    assert message in judged.error
    assert "hunter" not in judged.error


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


def test_progress_shows_single_answers(judge):
    seen = []
    with scripted_server(script(rest=score_reply(4, delay=0.002))) as server:
        judged = judge(server.url, concurrency=2)
        judged.engine._progress = lambda progress: seen.append(progress.done)
        judged.rate(instances(30))

    assert len(seen) > 10
    assert seen == sorted(seen)
    assert seen[-1] == 30


@pytest.mark.parametrize(
    ("endpoint", "proxy"),
    [
        pytest.param("http://host/v1", "http://proxy:1", id="http"),
        pytest.param("https://host/v1", "http://proxy:2", id="https"),
        pytest.param("http://inside.example/v1", None, id="no proxy"),
        pytest.param("http://127.0.0.1:8000/v1", None, id="this machine"),
    ],
)
def test_proxies_of_the_environment_are_used(monkeypatch, endpoint, proxy):
    monkeypatch.setenv("http_proxy", "http://proxy:1")
    monkeypatch.setenv("https_proxy", "http://proxy:2")
    monkeypatch.setenv("no_proxy", "inside.example")

    assert find_proxy(endpoint) == proxy


def test_a_judge_can_be_asked_where_an_event_loop_runs(judge):
    async def notebook():
        return judge(server.url).rate(instances(5))

    with scripted_server(script()) as server:
        assert asyncio.run(notebook()) == [4.0] * 5


def with_choice(**choice):
    return {"model": "judge-1", "choices": [choice]}


@pytest.mark.parametrize("source", ["schema", "logprobs"])
@pytest.mark.parametrize(
    "body",
    [
        pytest.param({"model": "judge-1", "choices": [None]}, id="no choice"),
        pytest.param(with_choice(message="4", logprobs={"content": [None]}), id="no entry"),
        pytest.param(with_choice(message=[], logprobs={"content": [{"token": 4}]}), id="number"),
        pytest.param(
            with_choice(logprobs={"content": [{"token": "4", "top_logprobs": [{"token": "4"}]}]}),
            id="no logprob",
        ),
        pytest.param(
            with_choice(logprobs={"content": [{"token": "4", "top_logprobs": {"4": -1}}]}),
            id="a mapping",
        ),
        pytest.param(
            with_choice(
                logprobs={"content": [{"top_logprobs": [{"token": "4", "logprob": "high"}]}]}
            ),
            id="a text",
        ),
    ],
)
def test_a_malformed_answer_is_the_failure_of_one_text(judge, source, body):
    good = text_reply('{"score": 4}', logprobs={"4": 0.0})

    def answer(request):
        return Reply(body) if "candidate 3\n" in prompt_of(request) else good

    with scripted_server(answer) as server:
        judged = judge(server.url, answer={"from": source})
        scores = judged.rate(instances(6))

    assert scores.count(4.0) == 5
    assert "the answer does not fit" in judged.failures[0]


def test_a_log_probability_above_zero_counts_as_certain(judge):
    reply = text_reply("4", logprobs={"4": 1e6, "2": 0.0})
    with scripted_server(script(rest=reply)) as server:
        (score,) = judge(server.url, answer={"from": "logprobs"}).rate(instances(1))

    assert score == 3.0


@pytest.mark.parametrize("count", [10**30, -5, True, 1.5, "7", None])
def test_a_nonsensical_number_of_tokens_does_no_harm(judge, count):
    with scripted_server(script(rest=score_reply(4, tokens=(count, count)))) as server:
        judged = judge(server.url, budget={"tokens": 10_000})
        scores = judged.rate(instances(2))

    assert 4.0 in scores
    assert judged.engine.usage()


def test_a_server_that_is_started_again_is_asked_again(judge, monkeypatch):
    monkeypatch.setattr(asked, "FIRST_DELAY", 0.1)
    turns, second = count(), ScriptedServer(script())

    def answer(_):
        if next(turns) < 20:
            return score_reply(4)
        server.end()
        return Reply(drop=True)

    with scripted_server(answer) as server:
        again = Timer(0.5, lambda: second.start(server.port))
        again.start()
        scores = judge(server.url, concurrency=4, attempts=8).rate(instances(60))
    again.join()
    second.stop()

    assert scores == [4.0] * 60
    assert len(second.requests) == 40
