"""Data that are not kept in memory give the run that they give in memory."""

import os
from pathlib import Path

import pytest

from shakeproof.cli.main import main
from shakeproof.data import large_files, lazy
from shakeproof.data.large_files import LargeFile
from shakeproof.files import Limit
from shakeproof.metrics.engine.cache import Cache
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


SHARDED = """\
data: data.jsonl
language: en
metrics: {chrf: {chrf: {}}}
checks:
  - check: noise
    perturb: {FAMILY: {on: candidate}}
    expect: {score_change: {at_most: 0.1}}
"""


def score(*arguments):
    """Run `shakeproof score`; return the number of lines of data that were read as segments."""
    read = []
    with pytest.MonkeyPatch.context() as patch:
        scan = LargeFile.scan
        patch.setattr(
            LargeFile, "scan", lambda file, part: read.append(scan(file, part)) or read[-1]
        )
        assert main(["score", "caps.checklist.yaml", *arguments]) == 0
    return sum(len(lines.starts) for lines in read)


def test_a_shard_of_large_data_reads_only_its_part(project, in_blocks, monkeypatch):
    monkeypatch.chdir(project.path)
    project.write(SHARDED.replace("FAMILY", "upper-case"))
    in_blocks()
    lines = [score("--shard", f"{n}/3", "--cache", f"s{n}.sqlite") for n in (1, 2, 3)]
    merge = ["cache", "merge", "s1.sqlite", "s2.sqlite", "s3.sqlite", "--file", "all.sqlite"]
    assert main(merge) == 0
    score("--cache", "whole.sqlite")
    merged, whole = (scores_in(name) for name in ("all.sqlite", "whole.sqlite"))

    assert sum(lines) == 40
    assert max(lines) < 20
    assert merged == whole


def test_a_shard_reads_all_where_segments_borrow_from_others(project, in_blocks, monkeypatch):
    monkeypatch.chdir(project.path)
    project.write(SHARDED.replace("FAMILY", "another-segment"))
    in_blocks()

    assert score("--shard", "1/3") == 40


def scores_in(name):
    with Cache(Path(name)) as cache:
        return cache.info().scores
