"""How answers of servers are read: by a schema, by log-probabilities, as preferences."""

import pytest
from replies import ERROR, instances, script
from server import (
    Reply,
    better_reply,
    prompt_of,
    score_reply,
    scripted_server,
    text_reply,
)

from shakeproof.metrics.judges.texts import pair_texts
from shakeproof.metrics.protocols import Instance


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


def test_a_judge_that_never_fits_is_one_error_after_a_few_answers(judge):
    with scripted_server(script(rest=text_reply("hm"))) as server:
        judged = judge(server.url)
        judged.rate(instances(500))

    assert "none of the first 20 questions has a usable answer" in judged.error
    assert server.answered <= 2 * (20 + 32)
    (usage,) = judged.engine.used().values()
    assert usage["judge-1"].calls == server.answered


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
