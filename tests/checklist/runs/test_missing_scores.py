"""Candidates without a score leave a check, and run.json counts them, whatever is expected."""

import json

import pytest

import shakeproof
from shakeproof.expectations import EXPECTATIONS
from shakeproof.results import Outcome

METRIC = """\
from math import nan

import mine


def partial(candidate, reference):
    return nan if candidate.lower().startswith("the bridge") else mine.cased(candidate, reference)
"""
STATISTIC = """\
from shakeproof.stats.kinds.scores import MeanScore


def build(compared):
    return MeanScore((compared.clean,))
"""
HEAD = """\
data: data.jsonl
language: en
source_language: en
draws: 200
metrics:
  some: {python: partial:partial}
  words: word-f1
  length: length
checks:
"""
EXPECT = {
    "correlation": "{at_least: 0.1}",
    "correlation_drop": "{at_most: 0.5}",
    "retention": "{at_least: 0.5}",
    "retention_area": "{at_least: 0.5}",
    "correlation_in_slices": "{slices_by: words, slices: 2, at_least: -1}",
    "attribution": "{held: words, varied: length, at_least: 0.1}",
    "more_robust_than": "{metric: words}",
    "beats_yardsticks": "{yardsticks: [words]}",
    "score_change": "{at_most: 0.5}",
    "score_drop": "{at_least: 0.5}",
    "score_rise": "{at_least: 0.5}",
    "monotone": "{}",
    "segments_behave": "{at_least: 0.5}",
    "prefers_original": "{at_least: 0.5}",
    "prefers_better": "{at_least: 0.5}",
    "copy_penalty": "{at_least: 0.5}",
    "score_range": "{low: 0, high: 1}",
    "identity": "{}",
    "empty_text": "{}",
    "same_scores": "{}",
    "symmetry": "{}",
    "batch_independence": "{}",
    "order_independence": "{}",
    "search": "{}",
    "python": "{statistic: 'statistic:build', at_least: 0}",
}
WITHOUT_PERTURB = {
    name
    for name, expectation in EXPECTATIONS.items()
    if not expectation.needs_perturb or expectation.default_perturb
}
ABOUT_JUDGES = {name for name, kind in EXPECTATIONS.items() if kind.compares_views}
COPIED = {"copy_penalty", "identity"}  # every candidate becomes a text that cannot be rated


def check_of(name):
    perturb = "" if name in WITHOUT_PERTURB else "    perturb: {upper-case: {on: candidate}}\n"
    return (
        f"  - check: {name}\n    metrics: [some]\n{perturb}    expect: {{{name}: {EXPECT[name]}}}\n"
    )


def count_missing(result):
    return result.missing.count if result.missing else 0


def test_every_expectation_counts_the_candidates_without_a_score(project):
    project.makefile(".py", partial=METRIC, statistic=STATISTIC)
    path = project.write(HEAD + "".join(map(check_of, EXPECT)))
    results = shakeproof.run(path).results

    assert set(EXPECT) == set(EXPECTATIONS) - {"no_worse_than_baseline", *ABOUT_JUDGES}
    assert {result.outcome for result in results}.isdisjoint({Outcome.ERROR})
    assert {result.expectation: count_missing(result) for result in results} == {
        name: 18 if name in COPIED else 12 for name in EXPECT
    }


STORED = """\
data: scored.jsonl
metrics:
  known: {stored: BLEURT}
  words: word-f1
checks:
  - check: agrees
    expect: {correlation: {at_least: -0.9}}
  - check: in range
    metrics: [known]
    expect: {score_range: {low: 0, high: 1}}
"""


@pytest.mark.parametrize("missing", [{"scores": {"BLEURT": None}}, {"scores": {}}, {}])
def test_one_missing_stored_score_is_left_out_and_counted(project, missing):
    rows = [json.loads(line) for line in (project.path / "data.jsonl").read_text().splitlines()]
    for row in rows:
        for position, candidate in enumerate(row["candidates"]):
            candidate["scores"] = {"BLEURT": 0.9 - 0.3 * position}
    rows[3]["candidates"][1] = {"text": "a", "rating": 0.5, **missing}
    project.makefile(".jsonl", scored="\n".join(map(json.dumps, rows)))
    known, words, in_range = shakeproof.run(project.write(STORED)).results

    assert [count_missing(result) for result in (known, words, in_range)] == [1, 0, 1]
    assert [known.outcome, in_range.outcome] == [Outcome.PASSED, Outcome.PASSED]
    assert "1 candidate without a score left out" in known.estimate.note
