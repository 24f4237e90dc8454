"""Whatever stands in a file, it is read or refused in lines; nothing else comes out."""

import json
import re
from pathlib import Path

from hypothesis import example, given, settings
from hypothesis import strategies as st

from shakeproof.data.loading import parse_data
from shakeproof.errors import SpecError
from shakeproof.spec.positions import read_yaml
from shakeproof.spec.read import parse

GOOD = """\
checklist: noise
data: sample
language: en
seed: 7
families:
  hurried: {chain: [lower-case, {keyboard-typo: 0.1}, {umlauts: 0.5}]}
  umlauts: {replace: {ä: ae, ö: [oe, o]}, keeps_meaning: true, on: [reference], level: share}
  commas: {regex: ',', with: '', languages: [en]}
metrics:
  chrf: {chrf: {beta: 2}}
  deep: {bertscore: {model: minilm, layer: last}}
  para: {parascore: {similarity: deep, omega: 0.45}}
checks:
  - check: one
    metrics: [chrf]
    perturb: {visual: {on: reference, levels: [0.1, 0.2]}}
    expect: {correlation_drop: {coefficient: wmt-kendall, at_most: 0.10}}
    known_failure: {metrics: [chrf], levels: [0.2], reason: why}
  - check: two
    perturb: {upper-case: {on: candidate}}
    expect: {score_change: {at_most: 0.2}}
    severity: warn
    requires: [cuda]
"""
WORDS = re.findall(r"[\w-]+", GOOD)
scalars = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(WORDS) | st.text()
)
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(WORDS) | st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)


def trails(value, trail=()):
    yield trail
    if isinstance(value, list):
        value = dict(enumerate(value))
    for key, one in value.items() if isinstance(value, dict) else ():
        yield from trails(one, (*trail, key))


def replaced(value, trail, new):
    if not trail:
        return new
    copy = value.copy()
    copy[trail[0]] = replaced(value[trail[0]], trail[1:], new)
    return copy


CONTENT = read_yaml(GOOD, "f.yaml").content


@settings(max_examples=150)
@given(st.sampled_from(list(trails(CONTENT))), values)
@example(("metrics", "para"), {"a\n": 1, "b": 2})
def test_any_value_anywhere_is_read_or_refused_with_its_place(error_lines, trail, value):
    text = json.dumps(replaced(CONTENT, trail, value))

    assert all(
        re.match(r"f\.yaml:\d+:\d+: .", line) for line in error_lines(parse, text, Path("f.yaml"))
    )


@settings(max_examples=100)
@given(st.integers(0, len(GOOD)), st.integers(0, 12), st.text(max_size=3))
def test_any_slip_of_the_hand_is_read_or_refused_with_its_place(error_lines, at, removed, inserted):
    text = GOOD[:at] + inserted + GOOD[at + removed :]

    assert all(
        re.match(r"f\.yaml:\d+:\d+: .", line) for line in error_lines(parse, text, Path("f.yaml"))
    )


SEGMENT = {
    "id": "1",
    "source": "x",
    "references": ["r"],
    "candidates": [{"text": "a", "rating": 1, "systems": ["A"], "scores": {"B": 1}}],
    "preferences": [],
    "perturbed": {"references": {"visual": {"0.1": ["q"]}}},
    "group": "g",
}


@settings(max_examples=150)
@given(st.sampled_from(list(trails(SEGMENT))), values)
def test_any_value_in_a_segment_is_read_or_refused_with_its_line(trail, value):
    content = json.dumps(replaced(SEGMENT, trail, value)).encode()
    try:
        lines = [] if parse_data(content, "d.jsonl", name="d").segments else ["nothing"]
    except SpecError as error:
        lines = str(error).split("\n")

    assert all(line.startswith("d.jsonl:1: ") for line in lines)
