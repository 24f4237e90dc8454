import json
from math import log

import pytest

from shakeproof.metrics.failures import Failure
from shakeproof.metrics.judges.answers import PREFERENCE, AnswerForm, Labels, NoLogprobs, Scale

STARS = AnswerForm(Scale(1, 5))
SHARE = AnswerForm(Scale(0.0, 1.0))
WORDS = AnswerForm(Labels((("good", 1.0), ("bad", 0.0))))


def said(text):
    return {"message": {"content": text}, "finish_reason": "stop"}


def tokens(**masses):
    top = [{"token": token, "logprob": log(mass)} for token, mass in masses.items()]
    return {"logprobs": {"content": [{"token": top[0]["token"], "top_logprobs": top}]}}


@pytest.mark.parametrize(
    ("form", "text", "score"),
    [
        pytest.param(STARS, '{"score": 4}', 4.0, id="a whole number"),
        pytest.param(STARS, ' {"score": 4.0}\n', 4.0, id="a whole number with a point"),
        pytest.param(STARS, '```json\n{"score": 2}\n```', 2.0, id="in one code fence"),
        pytest.param(SHARE, '{"score": 0.25}', 0.25, id="a number between"),
        pytest.param(WORDS, '{"label": "bad"}', 0.0, id="a label"),
        pytest.param(AnswerForm(PREFERENCE), '{"better": "tie"}', 0.5, id="a tie"),
    ],
)
def test_an_answer_that_fits_is_a_score(form, text, score):
    assert form.read(said(text)) == score


@pytest.mark.parametrize(
    ("form", "text"),
    [
        pytest.param(STARS, "4", id="a bare number"),
        pytest.param(STARS, "The score is 4.", id="a number in a sentence"),
        pytest.param(STARS, 'Sure! {"score": 4}', id="JSON in a sentence"),
        pytest.param(STARS, '```\n```\n{"score": 4}\n```\n```', id="two fences"),
        pytest.param(STARS, '{"score": 6}', id="above the scale"),
        pytest.param(STARS, '{"score": 3.5}', id="between two numbers"),
        pytest.param(STARS, '{"score": "4"}', id="a number in quotes"),
        pytest.param(STARS, '{"score": 1e999}', id="infinity instead of a whole number"),
        pytest.param(STARS, '{"score": true}', id="a truth value"),
        pytest.param(STARS, '{"score": null}', id="nothing"),
        pytest.param(STARS, '{"score": 1, "score": 5}', id="two scores"),
        pytest.param(STARS, '{"score": 4, "reason": "good"}', id="more than the score"),
        pytest.param(STARS, '{"rating": 4}', id="another name"),
        pytest.param(STARS, "[4]", id="a list"),
        pytest.param(SHARE, '{"score": NaN}', id="no number"),
        pytest.param(SHARE, '{"score": 1e999}', id="infinity"),
        pytest.param(WORDS, '{"label": "Good"}', id="another label"),
        pytest.param(WORDS, '{"label": ["good"]}', id="a list of labels"),
        pytest.param(STARS, "[" * 100_000, id="too deep"),
        pytest.param(STARS, "", id="an empty answer"),
    ],
)
def test_anything_else_is_a_failure(form, text):
    failure = form.read(said(text))

    assert isinstance(failure, Failure)
    assert failure.kind.startswith("the answer does not fit")


@pytest.mark.parametrize(
    "choice",
    [
        pytest.param({}, id="no message"),
        pytest.param({"message": {"content": None}}, id="no text"),
        pytest.param({"message": {"content": None, "refusal": "no"}}, id="a refusal"),
        pytest.param({"message": {"content": [{"text": "4"}]}}, id="parts"),
    ],
)
def test_a_choice_without_text_is_a_failure(choice):
    assert isinstance(STARS.read(choice), Failure)


def test_what_the_judge_said_is_in_the_detail_alone():
    failure = STARS.read(said("a secret text"))

    assert "secret" not in failure.kind
    assert "secret" in failure.detail


def test_the_schema_lists_the_whole_numbers_of_the_scale():
    schema = STARS.request["response_format"]["json_schema"]

    assert schema["strict"] is True
    assert schema["schema"]["properties"]["score"]["enum"] == [1, 2, 3, 4, 5]
    assert schema["schema"]["additionalProperties"] is False
    assert json.dumps(schema)


@pytest.mark.parametrize("form", ["json_schema", "json_object", "none"])
def test_the_format_decides_what_the_server_is_asked_to_keep_to(form):
    request = AnswerForm(Scale(1, 5), format=form).request

    assert request.get("response_format", {}).get("type", "none") == form


LOGPROBS = AnswerForm(Scale(1, 5), "logprobs")


def test_log_probabilities_give_the_mean_of_the_scale():
    assert LOGPROBS.read(tokens(**{"4": 0.6, "5": 0.3, "x": 0.1})) == pytest.approx(
        (4 * 0.6 + 5 * 0.3) / 0.9
    )


def test_tokens_of_one_number_are_added_up():
    assert LOGPROBS.read(tokens(**{"4": 0.5, " 4": 0.25, " 1": 0.25})) == pytest.approx(3.25)


def test_too_little_probability_on_the_scale_is_a_failure():
    assert isinstance(LOGPROBS.read(tokens(**{"4": 0.49, "I": 0.51})), Failure)
    assert LOGPROBS.read(tokens(**{"4": 0.5, "I": 0.5})) == 4.0


def test_a_token_that_begins_one_label_alone_stands_for_it():
    form = AnswerForm(PREFERENCE, "logprobs")

    assert form.read(tokens(first=0.5, sec=0.3, t=0.2)) == pytest.approx(0.5 + 0.1)


def test_a_server_without_log_probabilities_is_no_failure_of_one_text():
    with pytest.raises(NoLogprobs):
        LOGPROBS.read(said("4"))
