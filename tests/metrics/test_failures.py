import numpy as np
import pytest

from shakeproof.metrics.failures import Failure, as_score, failure_of, not_finite


class Hostile(Exception):
    def __str__(self):
        raise RuntimeError

    __repr__ = __str__


@pytest.mark.parametrize(
    ("value", "score"),
    [
        pytest.param(0.5, 0.5, id="float"),
        pytest.param(2, 2.0, id="int"),
        pytest.param(np.float32(0.25), 0.25, id="NumPy's float32"),
        pytest.param(np.array(0.25), 0.25, id="array without dimensions"),
        pytest.param(float("inf"), float("inf"), id="infinity"),
    ],
)
def test_numbers_are_scores(value, score):
    assert as_score(value) == score
    assert type(as_score(value)) is float


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        pytest.param("0.5", "'0.5'", id="text"),
        pytest.param(b"1", "b'1'", id="bytes"),
        pytest.param(True, "True", id="truth value"),
        pytest.param(np.bool_(True), repr(np.bool_(True)), id="NumPy's truth value"),
        pytest.param(np.array([1.0, 2.0]), "array([1., 2.])", id="array"),
        pytest.param(Hostile(), "a Hostile that cannot be shown", id="without repr"),
        pytest.param("\x1b[2J" + "x" * 300, "'\\x1b[2J" + "x" * 192 + "…", id="long"),
    ],
)
def test_anything_else_is_no_score_and_is_shown(value, shown):
    assert as_score(value) == Failure("returned no number", shown)


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        pytest.param(KeyError("a"), "KeyError: 'a'", id="message"),
        pytest.param(MemoryError(), "MemoryError", id="no message"),
        pytest.param(ValueError("two\nlines"), "ValueError: two lines", id="lines"),
        pytest.param(ValueError("\x1b[31mred"), "ValueError: \\x1b[31mred", id="codes"),
        pytest.param(Hostile(), "Hostile: a Hostile that cannot be shown", id="without str"),
    ],
)
def test_an_exception_is_one_line(error, reason):
    assert failure_of(error).reason == reason


def test_numbers_that_are_not_finite_count_as_missing():
    assert not_finite(0.5) is None
    assert not_finite(float("nan")) == Failure("returned nan")
    assert not_finite(float("-inf")) == Failure("returned -inf")
