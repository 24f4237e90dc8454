"""Messages for users: one line each, which shows in any terminal."""

import pytest

from shakeproof.errors import SpecError, SpecErrors, unknown

ESCAPES = "\x1b]0;title\x07\x9b31m\r\n\u2028\u202e"


@pytest.mark.parametrize(
    "error",
    [SpecError(f"a{ESCAPES}"), SpecErrors([f"a{ESCAPES}"]), unknown("metric", ESCAPES, [ESCAPES])],
)
def test_control_characters_are_escaped_in_every_message(error):
    assert str(error).isprintable()
    assert "x1b]0;title" in str(error)


def test_each_mistake_has_a_line_of_its_own():
    assert str(SpecErrors(["a", "b\nc"])) == "a\nb\\nc"


def test_a_long_message_keeps_its_place_and_its_way_out():
    message = str(SpecError(f"file:1:2: unknown key {'x' * 5000!r}; did you mean 'y'?"))

    assert message.startswith("file:1:2: unknown key 'xxx")
    assert message.endswith("xxx'; did you mean 'y'?")
    assert len(message) < 1000
