"""Runs of older versions are read as the present one would have written them."""

import json

import pytest

from shakeproof.results import SCHEMA, ChangeKind, PartName
from shakeproof.runs.archive import read_run

CHECKLIST = """\
data: sample
language: en
cluster: domain
tolerance: {spread: 0.1}
families: {mine: {replace: {a: b}, keeps_meaning: true}}
metrics: {chrf: chrf}
checks:
  - check: capitals do not matter
    perturb: {upper-case: {on: candidate}}
    expect: {score_change: {unit: raw, at_most: 0.2}}
"""
RESULT = {
    "id": "c::chrf::capitals do not matter::upper-case",
    "file": "c",
    "line": 8,
    "metric": "chrf",
    "check": "capitals do not matter",
    "expectation": "score_change",
    "statement": "",
    "quantity": "change",
    "bounds": {"high": 0.2},
    "verdict": "pass",
    "outcome": "passed",
    "parts": [{"name": "wins", "estimate": {"value": 0.5}}],
    "change": {"value": 0.3, "low": 0.2, "high": 0.4},
    "examples": [
        {
            "segment": "1",
            "field": "candidate",
            "before": "a cat",
            "after": "a CAT",
            "score_before": 1,
            "score_after": 0,
        }
    ],
}
RUN = {
    "schema_version": "shakeproof-run/2",
    "shakeproof": "0.1.0",
    "started": "2026-01-01T00:00:00Z",
    "seconds": 1,
    "command": "pytest",
    "environment": {},
    "settings": {},
    "checklists": [
        {
            "file": "c",
            "title": "c",
            "sha256": "",
            "text": CHECKLIST,
            "seed": 0,
            "data": [],
            "metrics": [],
        }
    ],
    "results": [RESULT],
}


@pytest.fixture
def read(tmp_path):
    def read(content):
        path = tmp_path / "run.json"
        path.write_text(json.dumps(content))
        return read_run(path)

    return read


def test_what_a_record_did_not_hold_is_read_from_the_checklist(read):
    record = read(RUN).checklists[0]

    assert (record.cluster, record.tolerance.spread) == ("domain", 0.1)
    assert record.families == {"mine": {"replace": {"a": "b"}, "keeps_meaning": True}}
    assert record.checks["capitals do not matter"].settings["unit"] == "raw"


def test_parts_changes_and_texts_get_their_present_form(read):
    run = read(RUN)
    result = run.results[0]

    assert run.schema_version == SCHEMA
    assert result.parts[0].name == PartName.COPY_WINS
    assert (result.change.kind, result.change.regressed) == (ChangeKind.WORSE, False)
    assert [(span.kind, span.text) for span in result.examples[0].spans] == [
        ("same", "a "),
        ("removed", "cat"),
        ("added", "CAT"),
    ]


@pytest.mark.parametrize(
    "text", ["", "[", "checks: 3", "checks: [{check: a, expect: {nothing_known: {}}}]"]
)
def test_a_text_that_is_not_understood_leaves_the_defaults(read, text):
    checklist = {**RUN["checklists"][0], "text": text}
    record = read({**RUN, "checklists": [checklist]}).checklists[0]

    assert (record.cluster, record.checks) == (None, {})
