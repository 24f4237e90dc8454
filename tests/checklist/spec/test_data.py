"""Segments written out under `data:`, in the checklist itself."""

import json

import jsonschema
import pytest

from shakeproof.errors import SpecError
from shakeproof.results import Outcome
from shakeproof.spec.read import load
from shakeproof.spec.schema import checklist_schema

CHECKLIST = """\
data:
  - id: 7
    references: [the cat sat on the mat]
    candidates: [{text: the cat sat, rating: 1}, {text: a dog, rating: 0}]
    perturbed: {candidates: {mine: {1: [the CAT sat, a dog]}}}
  - {id: b, references: [two], candidates: [{text: o}], perturbed: {candidates: {mine: {1: [o]}}}}
language: en
metrics:
  words: word-f1
checks:
  - check: capitals do not matter
    perturb: {mine: {on: candidate, stored: true}}
    expect: same_scores
"""


def test_segments_are_read_from_the_checklist(run_checklist):
    found = run_checklist(CHECKLIST)
    (record,) = found.checklists[0].data

    assert found.results[0].outcome is Outcome.FAILED
    assert found.results[0].examples[0].after == "the CAT sat"
    assert (record.name, record.segments, record.candidates) == ("written out", 2, 3)
    assert len(record.sha256) == 64


def test_the_limit_counts_for_them_too(run_checklist):
    found = run_checklist(CHECKLIST, limit=1)

    assert found.checklists[0].data[0].segments == 1


@pytest.mark.parametrize(
    ("old", "new", "lines"),
    [
        pytest.param("id: b, ", "", ["6:5: the segment has no id"], id="no id"),
        pytest.param("id: b", "id: 7", ["6:5: id '7' is used twice"], id="twice"),
        pytest.param(
            "[{text: o}]",
            "[{txt: o}]",
            ["6:5: candidate 0 has no text"],
            id="no text",
        ),
        pytest.param(
            "candidates: [{text: o}]",
            "candidate: two",
            [
                "6:5: perturbed candidates 'mine' at 1 must have 0 texts, got 1",
                "6:5: the segment has no candidates; write [] where there are none",
            ],
            id="no candidates",
        ),
    ],
)
def test_their_mistakes_are_reported_with_line_and_column(written, old, new, lines):
    path = written(CHECKLIST.replace(old, new))

    with pytest.raises(SpecError) as caught:
        load(path)

    assert str(caught.value).split("\n") == [f"c.checklist.yaml:{line}" for line in lines]


def test_a_list_of_anything_else_is_no_data(written):
    lines = CHECKLIST.split("\n")
    path = written("\n".join(["data: [a.jsonl, b.jsonl]", *lines[6:]]))

    with pytest.raises(SpecError, match="data must be a name, a path or a mapping of groups"):
        load(path)


def test_editors_accept_them():
    data = [{"id": "1", "candidates": [{"text": "a"}]}]
    whole = {
        "data": data,
        "metrics": {"words": "word-f1"},
        "checks": [{"check": "x", "expect": {"search": {"scores": "flip"}}}],
    }

    jsonschema.validate(whole, checklist_schema())
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**whole, "data": [{"id": "1"}]}, checklist_schema())
    assert json.dumps(checklist_schema()["properties"]["data"]).count('"candidates"') == 1
