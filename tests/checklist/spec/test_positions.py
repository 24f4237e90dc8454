"""YAML as plain values, with positions."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shakeproof.spec.positions import Position, read_yaml


def content(text):
    return read_yaml(text, "file").content


@pytest.mark.parametrize(
    ("written", "value"),
    [
        pytest.param("no", "no", id="Norwegian is no truth value"),
        pytest.param("1e-3", 0.001, id="exponent without a dot"),
        pytest.param("010", 10, id="leading zero is no octal"),
        pytest.param("1:30", "1:30", id="no base sixty"),
        pytest.param("2020-01-01", "2020-01-01", id="a date is text"),
        pytest.param("~", None, id="null"),
        pytest.param("true", True, id="truth"),
        pytest.param("'7'", "7", id="quoted number"),
        pytest.param("!!str 7", "7", id="explicit text"),
        pytest.param("0x1F", 31, id="hexadecimal"),
        pytest.param("שלום 🎉", "שלום 🎉", id="right to left and emoji"),
    ],
)
def test_scalars_are_read_as_yaml_1_2(written, value):
    assert content(f"key: {written}") == {"key": value}


def test_keys_are_always_text():
    assert content("{1: a, true: b, ~: c}") == {"1": "a", "true": "b", "~": "c"}


def test_every_key_and_value_has_its_position():
    document = read_yaml("a: 1\nb:\n  - x\n  - {c: 2}\n", "file")

    assert document.position(("b",), key=True) == Position(2, 1)
    assert document.position(("b", 1, "c"), key=True) == Position(4, 6)
    assert document.position(("b", 1, "c")) == Position(4, 9)


def test_a_missing_value_has_the_position_of_what_is_around_it():
    document = read_yaml("a:\n  b: 1\n", "file")

    assert document.position(("a", "z")) == Position(1, 1)
    assert document.position(("z",)) == Position(1, 1)


def test_an_empty_value_has_the_position_of_its_key():
    document = read_yaml("a: 1\nb:\nc: 2\n", "file")

    assert document.position(("b",)) == Position(2, 1)


def test_own_keys_win_over_merged_ones_wherever_the_merge_is():
    text = "base: &base {p: 1, q: 2}\nlast: {q: 3, <<: *base}\nfirst: {<<: *base, q: 3}\n"

    assert content(text)["last"] == content(text)["first"] == {"p": 1, "q": 3}


def test_earlier_mappings_win_in_a_merged_list():
    text = "a: &a {p: 1}\nb: &b {p: 2, q: 2}\nc: {<<: [*a, *b]}\n"

    assert content(text)["c"] == {"p": 1, "q": 2}


def test_a_merged_key_is_no_duplicate():
    assert content("a: &a {p: 1}\nb: {p: 2, <<: *a}\n")["b"] == {"p": 2}


def test_all_duplicates_are_reported_at_once(error_lines):
    text = "a: 1\na: 2\nb: {c: 1, c: 2}\n"

    assert error_lines(read_yaml, text, "file") == [
        "file:2:1: duplicate key 'a'; the first is on line 1",
        "file:3:11: duplicate key 'c'; the first is on line 3",
    ]


@given(st.text(max_size=80) | st.text(alphabet="ab:-[]{}&*!<'\"# \n\t?|>%@,0.", max_size=60))
def test_any_text_is_read_or_refused_in_lines_with_positions(error_lines, text):
    assert all(re.match(r"file:\d+:\d+: .", line) for line in error_lines(read_yaml, text, "file"))
