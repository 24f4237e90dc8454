"""The search on a real model: few edits, the same ones every time, within the budget."""

import json
from importlib.resources import files

import pytest

import shakeproof
from shakeproof.results import Outcome

CHECKLIST = """\
data: few.jsonl
language: en
draws: 1000
metrics:
  deep: {bertscore: {model: minilm, layer: last}}
  para: {parascore: {similarity: deep, omega: 0.45}}
  words: word-f1
checks:
  - check: typing errors hardly matter
    metrics: [METRICS]
    perturb: {keyboard-typo: {on: reference, levels: [0.3]}}
    expect: {score_change: {LIMIT}}
  - check: no three typing errors matter
    metrics: [deep]
    perturb: {keyboard-typo: {on: reference, levels: [0.3]}}
    expect: {search: {budget: 100}}
"""
BUDGET = 200
SEGMENTS = 36


@pytest.fixture
def few(written, tmp_path):
    """Write a checklist about some short segments, with two candidates each to save time."""

    def write(lines, metrics, limit):
        rows = [json.loads(line) for line in lines]
        rows = [one for one in rows if len(one["candidates"]) > 1 and len(one["source"]) < 200]
        kept = [
            {
                "id": one["id"],
                "source": one["source"],
                "references": one["references"][:1],
                "candidates": [{"text": each["text"]} for each in one["candidates"][:2]],
            }
            for one in rows[:SEGMENTS]
        ]
        (tmp_path / "few.jsonl").write_text("\n".join(map(json.dumps, kept)), encoding="utf-8")
        return written(CHECKLIST.replace("METRICS", metrics).replace("LIMIT", limit))

    return write


def found(run):
    """List the counterexamples of a run."""
    return [
        (one.segment, one.minimal, one.edits_minimal, one.calls, round(one.score_minimal, 5))
        for result in run.results
        for one in result.examples
    ]


def runs(path, tmp_path):
    """Run from a cold cache, from the warm one, and from another cold one."""
    return [
        shakeproof.run(path, cache=tmp_path / name, offline=True, search=BUDGET)
        for name in ("one", "one", "two")
    ]


def few_edits_every_time(path, tmp_path):
    """See that few edits break the last layer, and give what was found by metric and check."""
    cold, warm, again = runs(path, tmp_path)
    results = {(one.metric, one.expectation): one for one in cold.results}
    screened, searched = results["deep", "score_change"], results["deep", "search"]

    assert screened.outcome is searched.outcome is Outcome.FAILED
    assert len(screened.examples) == 3
    assert all(1 <= one.edits_minimal <= 3 for one in screened.examples)
    assert sum(one.calls for one in screened.examples) <= BUDGET
    assert searched.examples[0].edits_minimal <= 3
    assert searched.examples[0].calls <= 100
    assert cold.results == warm.results
    assert found(cold) == found(again)
    return results


@pytest.mark.model
def test_few_edits_break_the_last_layer_on_the_sample(few, tmp_path):
    sample = (files("shakeproof") / "samples" / "sample.jsonl").read_text(encoding="utf-8")
    path = few(sample.splitlines(), "deep, para, words", "at_most: 0.005")
    results = few_edits_every_time(path, tmp_path)
    shown = {
        metric: [one for one in results[metric, "score_change"].examples if one.matrix_before]
        for metric in ("deep", "para", "words")
    }

    assert 1 <= len(shown["deep"]) <= 3
    assert 1 <= len(shown["para"]) <= 3
    assert not shown["words"]
    for one in (*shown["deep"], *shown["para"]):
        for matrix in (one.matrix_before, one.matrix_after):
            assert len(matrix.similarity) == len(matrix.candidate) <= 40
            assert {len(row) for row in matrix.similarity} == {len(matrix.reference)}
            assert max(map(max, matrix.similarity)) <= 1.001


@pytest.mark.model
@pytest.mark.realdata
def test_few_edits_break_the_last_layer_on_real_translations(few, tmp_path, shared):
    data = (shared / "data" / "wmt19-kk-en.jsonl").read_text(encoding="utf-8")
    path = few(data.split("\n")[:80], "deep", "at_most: 0.002, unit: raw")
    few_edits_every_time(path, tmp_path)
