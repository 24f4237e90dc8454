import pytest

from shakeproof.results import counted


@pytest.mark.parametrize(
    ("number", "noun", "text"),
    [
        (1, "check", "1 check"),
        (0, "check", "0 checks"),
        (2_000, "check", "2,000 checks"),
        (2, "unexpected pass", "2 unexpected passes"),
    ],
)
def test_a_noun_follows_its_number(number, noun, text):
    assert counted(number, noun) == text
