import pytest
from pydantic import ValidationError

from shakeproof.metrics.judges.options import JudgeOptions, JudgePairsOptions
from shakeproof.metrics.judges.templates import PromptError
from shakeproof.metrics.settings import Settings
from shakeproof.validation import validate

BASE = {"endpoint": "http://127.0.0.1:1/v1", "model": "m"}


def built(**more):
    return JudgeOptions.model_validate({**BASE, **more}).build({}, Settings())


def signature(**more):
    return built(**more).scorers[0].signature


@pytest.mark.parametrize(
    "endpoint",
    [
        pytest.param("http://user:hunter2@host/v1", id="password"),
        pytest.param("http://hunter2@host/v1", id="user"),
        pytest.param("https://host/v1?key=hunter2", id="query"),
        pytest.param("https://host/v1#hunter2", id="fragment"),
        pytest.param("hunter2://host", id="scheme"),
        pytest.param("host:8000/hunter2", id="no scheme"),
        pytest.param("http:///hunter2", id="no host"),
        pytest.param("http://host:hunter2/v1", id="no port"),
        pytest.param("http://ho st/hunter2", id="a blank"),
    ],
)
def test_an_endpoint_that_is_refused_is_not_quoted(endpoint):
    options, problems = validate(JudgeOptions, {**BASE, "endpoint": endpoint})

    assert options is None
    assert problems[0].message.startswith("endpoint")
    assert "hunter2" not in problems[0].message


def test_a_password_in_a_variable_is_refused_when_the_metric_is_built():
    options = JudgeOptions(endpoint="${JUDGE_URL}", model="m")
    complete = options.model_copy(update={"endpoint": "http://user:hunter2@host/v1"})
    with pytest.raises(ValueError, match="endpoint must not contain a user name") as error:
        complete.build({}, Settings())

    assert "hunter2" not in str(error.value)


def test_a_key_in_the_place_of_its_name_is_refused_and_not_quoted():
    _, problems = validate(JudgeOptions, {**BASE, "key": "sk-hunter2"})

    assert "name of an environment variable" in problems[0].message
    assert "hunter2" not in problems[0].message


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param({"scale": [5, 1]}, id="upside down"),
        pytest.param({"scale": [1, 5], "labels": {"a": 1, "b": 0}}, id="both"),
        pytest.param({"labels": {"a": 1}}, id="one label"),
        pytest.param({"labels": {"a": 1, "b": float("nan")}}, id="a label without a score"),
        pytest.param({"scale": [float("nan"), 5]}, id="no number"),
        pytest.param({"scale": [0, 100], "from": "logprobs"}, id="logprobs of long numbers"),
        pytest.param({"scale": [0.0, 1.0], "from": "logprobs"}, id="logprobs of a continuum"),
        pytest.param({"form": "logprobs"}, id="misspelt"),
    ],
)
def test_an_answer_that_cannot_be_read_is_refused(answer):
    with pytest.raises(ValidationError):
        JudgeOptions.model_validate({**BASE, "answer": answer})


@pytest.mark.parametrize("kind", [JudgeOptions, JudgePairsOptions])
def test_options_are_written_as_they_are_read(kind):
    options = kind.model_validate({**BASE, "answer": {"from": "logprobs"}})

    assert options.model_dump(mode="json")["answer"]["from"] == "logprobs"
    assert kind.model_validate_json(options.model_dump_json(exclude_unset=True)) == options


@pytest.mark.parametrize(
    "more",
    [
        pytest.param({"model": "other"}, id="model"),
        pytest.param({"temperature": 0.7}, id="temperature"),
        pytest.param({"max_tokens": 7}, id="max_tokens"),
        pytest.param({"prompt": "fluency"}, id="prompt"),
        pytest.param({"answer": {"scale": [1, 7]}}, id="scale"),
        pytest.param({"answer": {"scale": [1.0, 5.0]}}, id="numbers that are not whole"),
        pytest.param({"answer": {"labels": {"a": 1, "b": 0}}}, id="labels"),
        pytest.param({"answer": {"from": "logprobs"}}, id="from"),
        pytest.param({"format": "none"}, id="format"),
        pytest.param({"reported": "m-2026-11"}, id="reported"),
    ],
)
def test_the_signature_names_all_that_an_answer_depends_on(more):
    assert signature(**more) != signature()


@pytest.mark.parametrize(
    "more",
    [
        pytest.param({"endpoint": "https://elsewhere/v1"}, id="endpoint"),
        pytest.param({"key": "OTHER_KEY"}, id="key"),
        pytest.param({"concurrency": 1}, id="concurrency"),
        pytest.param({"budget": {"calls": 7}}, id="budget"),
        pytest.param({"repeats": 3}, id="repeats"),
        pytest.param({"price": {"input": 1, "output": 2}}, id="price"),
    ],
)
def test_the_signature_names_nothing_else(more):
    assert signature(**more) == signature()


def test_a_rubric_is_part_of_the_signature():
    one, other = (signature(prompt="rubric", rubric=text) for text in ("be kind", "be strict"))

    assert one != other


def test_each_draw_has_a_signature_of_its_own():
    names = [scorer.signature for scorer in built(repeats=3).scorers]

    assert [name.rpartition("|")[2] for name in names] == ["draw:1", "draw:2", "draw:3"]


def test_a_rubric_is_needed_where_it_is_shown_and_nowhere_else():
    with pytest.raises(PromptError, match="write rubric"):
        built(prompt="rubric")
    with pytest.raises(PromptError, match="remove rubric"):
        built(prompt="fluency", rubric="be kind")


def test_no_key_is_in_the_representation_of_a_metric(monkeypatch):
    monkeypatch.setenv("JUDGE_KEY", "sk-hunter2")

    assert "hunter2" not in repr(built())


def test_the_length_of_a_prompt_is_known_before_anything_is_asked():
    short, long = (
        built(prompt="fluency").scorers[0].prompt_bytes((text, "")) for text in ("ä", "ä" * 101)
    )

    assert long - short == 200


def test_other_fields_of_the_request_are_in_the_signature():
    assert "|request:{" not in signature(request={})
    assert '|request:{"seed": 1}|' in signature(request={"seed": 1})


def test_fields_that_have_a_meaning_of_their_own_are_refused():
    _, problems = validate(JudgeOptions, {**BASE, "request": {"stream": True}})

    assert "request may not have 'stream', which shakeproof sets" in problems[0].message


def test_a_budget_of_tokens_needs_answers_of_limited_length():
    unlimited = {**BASE, "request": {"max_tokens": None}}
    _, problems = validate(JudgeOptions, {**unlimited, "budget": {"tokens": 1_000}})

    assert "add max_completion_tokens" in problems[0].message
    assert validate(JudgeOptions, {**unlimited, "budget": {"calls": 10}})[1] == []
