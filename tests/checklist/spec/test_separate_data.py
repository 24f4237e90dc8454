"""Data sets under `each`: every check is made for each of them by itself."""

import pytest

from shakeproof.spec.model import split_data_sets
from shakeproof.spec.read import load

REST = """\
checklist: mine
metrics: {chrf: chrf}
checks: [{check: a, perturb: {upper-case: {on: candidate}}, expect: same_scores}]
"""


@pytest.mark.parametrize(
    ("each", "data"),
    [
        ("[a.jsonl, b/c.jsonl, sample]", {"a": "a.jsonl", "c": "b/c.jsonl", "sample": "sample"}),
        ("{x: a.jsonl, y: b/a.jsonl}", {"x": "a.jsonl", "y": "b/a.jsonl"}),
    ],
    ids=["list", "names"],
)
def test_a_checklist_is_made_of_each_data_set(written, each, data):
    parts = split_data_sets(load(written(f"data: {{each: {each}}}\n{REST}")))

    assert {part.data_set: part.data[""] for part in parts} == data
    assert [part.title for part in parts] == [f"mine [{name}]" for name in data]


def test_groups_stay_together(written):
    checklist = load(written(f"data: {{a: a.jsonl, b: b.jsonl}}\n{REST}"))

    assert split_data_sets(checklist) == (checklist,)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("{each: a.jsonl}", "1:14: each must be a list of paths or a mapping of names"),
        ("{each: []}", "1:14: each must be a list of paths or a mapping of names, got nothing"),
        ("{each: [a.jsonl], g: b.jsonl}", "1:25: each stands alone, without 'g'"),
        ("{each: [a.jsonl, b/a.jsonl]}", "1:24: two data sets are named 'a'; name them: each: "),
        ("{each: [a.jsonl, 3]}", "1:24: each must list paths, got 3"),
        ("{each: {a: [b]}}", "1:18: data set 'a' must be a path, got a list"),
        ("{each: {'a::b': c}}", "1:15: the name of a data set may not contain '::'"),
    ],
)
def test_mistakes_under_each_are_one_line(written, error_lines, data, message):
    (line,) = error_lines(load, written(f"data: {data}\n{REST}"))

    assert line.startswith(f"c.checklist.yaml:{message}")
