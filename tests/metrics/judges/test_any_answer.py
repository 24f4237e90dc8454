"""Whatever a server answers is a score or a failure, and what it costs a number of tokens."""

import json
from contextlib import suppress
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shakeproof.metrics.failures import Failure
from shakeproof.metrics.judges.answers import PREFERENCE, AnswerForm, Labels, NoLogprobs, Scale
from shakeproof.metrics.judges.asked import MAX_TOKENS, usage_in

ROUNDING = 1e-12
NAMES = (
    *("message", "content", "refusal", "logprobs", "token", "logprob", "top_logprobs"),
    *("score", "label", "better", "usage", "prompt_tokens", "completion_tokens"),
)
FORMS = [
    pytest.param(AnswerForm(values, source), id=f"{name}, {source}")
    for name, values in (
        ("whole numbers", Scale(1, 5)),
        ("numbers", Scale(0.0, 1.0)),
        ("labels", Labels((("good", 1.0), ("bad", 0.0)))),
        ("pairs", PREFERENCE),
    )
    for source in ("schema", "logprobs")
    if not (name == "numbers" and source == "logprobs")  # refused in a checklist
]
LARGE = st.sampled_from((inf, -inf, 10**400, 1e300))
LEAVES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.sampled_from(("4", "good", "first", '{"score": 4}', '{"score": 1e999}', '{"label": {}}'))
    | st.text(max_size=5)
)
JSON = st.recursive(
    LEAVES,
    lambda parts: (
        st.lists(parts, max_size=3) | st.dictionaries(st.sampled_from(NAMES), parts, max_size=4)
    ),
    max_leaves=12,
)
TOKENS = st.sampled_from(("1", " 4", "5", "good", "first", "\n", "")) | JSON
TOP = st.fixed_dictionaries({"token": TOKENS, "logprob": LARGE | LEAVES})
ENTRIES = st.fixed_dictionaries({"token": TOKENS, "top_logprobs": st.lists(TOP | JSON) | JSON})
LOGPROBS = st.fixed_dictionaries({"content": st.lists(ENTRIES | JSON, max_size=2)})
OBJECTS = st.dictionaries(st.sampled_from(NAMES), JSON, max_size=4)


def low_and_high(form):
    values = form.values
    numbers = (values.low, values.high) if isinstance(values, Scale) else values.tokens.values()
    return min(numbers), max(numbers)


@pytest.mark.parametrize("form", FORMS)
@given(choice=OBJECTS, content=LARGE | JSON, logprobs=LOGPROBS)
def test_an_answer_is_a_score_on_the_scale_or_a_failure(form, choice, content, logprobs):
    text = json.dumps({form.values.key: content}).replace("Infinity", "1e999")  # which is JSON
    low, high = low_and_high(form)
    for answer in (choice, {"message": {"content": text}}, {"logprobs": logprobs}):
        with suppress(NoLogprobs):
            result = form.read(answer)

            assert isinstance(result, Failure) or low - ROUNDING <= result <= high + ROUNDING


@given(content=OBJECTS)
def test_usage_is_never_negative_nor_endless(content):
    usage = usage_in(content)

    assert 0 <= usage.input_tokens <= MAX_TOKENS
    assert 0 <= usage.output_tokens <= MAX_TOKENS
