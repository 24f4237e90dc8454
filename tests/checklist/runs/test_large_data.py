"""Data that are not kept in memory give the run that they give in memory."""

import os

import pytest

from shakeproof.data import large_files, lazy
from shakeproof.files import Limit
from shakeproof.plan import texts_on_disk
from shakeproof.runs.driver import Driver

CHECKLIST = """\
data: {a: data.jsonl, b: other.jsonl}
language: en
seeds: 2
confidence: 0.9
EXTRA
metrics: {chrf: {chrf: {}}, cased: {python: mine:cased}}
checks:
  - check: typing errors
    perturb: {keyboard-typo: {on: candidate, levels: [0.1, 0.3]}}
    expect: {correlation_drop: {coefficient: pearson, at_most: 0.01}}
  - check: the texts of another segment
    perturb: {another-segment: {on: candidate}, replace-sentence: {on: reference, levels: [1]}}
    expect: {score_change: {at_most: 0.1}}
  - check: the same score whatever the batch
    metrics: [chrf]
    expect: {batch_independence: {}}
"""


@pytest.fixture
def in_blocks(monkeypatch):
    """Return a function after which no file is kept in memory."""

    def in_blocks():
        monkeypatch.setattr(large_files, "IN_MEMORY", Limit("SHAKEPROOF_IN_MEMORY_MB", 0, "MB"))
        for module in (lazy, texts_on_disk):
            monkeypatch.setattr(module, "BLOCK", 7)

    return in_blocks


@pytest.mark.parametrize(
    "extra",
    [
        pytest.param("", id="as it is"),
        pytest.param("development: {share: 0.31, by: candidates}", id="a part set aside"),
        pytest.param("extend_with_copies: 5", id="copies added"),
    ],
)
def test_a_run_is_the_same_as_in_memory(project, in_blocks, extra):
    project.write_data("other", 30)
    project.write(CHECKLIST.replace("EXTRA", extra))
    options = ("--shakeproof-limit=35", "--shakeproof-cache=scores.sqlite")
    kept = project.run_text(*options)
    (project.path / "scores.sqlite").unlink()
    in_blocks()

    assert project.run_text(*options) == kept
    assert "error" not in {result["outcome"] for result in project.read_json()["results"]}


def test_a_file_that_changes_during_a_run_is_one_line(project, in_blocks, monkeypatch):
    project.write(CHECKLIST.replace("EXTRA", "").replace("b: other", "b: data"))
    score = Driver.score

    def score_later(driver, selected):
        os.utime("data.jsonl", ns=(0, 0))
        score(driver, selected)

    monkeypatch.setattr(Driver, "score", score_later)
    in_blocks()
    outcome = project.runpytest("-p", "no:cacheprovider")

    assert "INTERNALERROR" not in outcome.stdout.str()
    assert "Traceback" not in outcome.stdout.str()
    outcome.stdout.fnmatch_lines(["*data.jsonl: the file changed during the run; run again*"])
