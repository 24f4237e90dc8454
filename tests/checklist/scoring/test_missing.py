"""Missing scores: left out in pairs, counted, and too many of them decide nothing."""

import numpy as np
import pytest

import shakeproof
from shakeproof.metrics.engine.cache import Cache
from shakeproof.metrics.engine.engine import Engine
from shakeproof.results import Outcome, missing_lines
from shakeproof.scoring.score_table import ScoreTable

METRIC = """\
def score(candidate, reference):
    words, expected = set(candidate.split()), set(reference.split())
    if any(f"door {3 * number}" in candidate for number in NUMBERS):
        raise ValueError(f"cannot rate {candidate!r}")
    return len(words & expected) / max(len(words | expected), 1)
"""
NOISE = """\
checklist: noise
data: data.jsonl
language: en
seeds: 2
metrics: {mine: {python: fragile:score}}
checks:
  - check: capitals
    perturb: {keyboard-typo: {on: reference, levels: [0.2]}}
    expect: {score_change: {at_most: 9}}
"""


@pytest.fixture
def run(project, monkeypatch):
    """Run the checklist with a metric that cannot rate the last candidate of some segments."""
    monkeypatch.chdir(project.path)

    def run(numbers, added="", **options):
        project.makefile(".py", fragile=METRIC.replace("NUMBERS", repr(tuple(numbers))))
        return shakeproof.run(project.write(NOISE + added, "noise"), **options)

    return run


def missing_of(run):
    return run.checklists[0].metrics[0].missing


def test_one_missing_score_is_left_out_and_counted(run):
    found = run([7])
    (result,) = found.results

    assert result.outcome is Outcome.PASSED
    assert (result.missing.count, result.missing.of) == (1, 120)
    assert result.missing.reasons == ("ValueError: cannot rate 'somebody closed door 21'",)
    assert [(one.family, one.level, one.count, one.of) for one in missing_of(found)] == [
        (None, None, 1, 120),
        ("keyboard-typo", 0.2, 2, 240),  # two seeds
    ]
    assert missing_lines(found) == [
        "mine: 3 of 360 scores missing (0.8 %): ValueError: cannot rate 'somebody closed door 21'"
    ]


def test_nothing_is_said_where_nothing_is_missing(run):
    found = run([])

    assert found.results[0].missing is None
    assert missing_of(found) == ()
    assert missing_lines(found) == []


@pytest.mark.parametrize(
    ("numbers", "added", "outcome"),
    [
        pytest.param([7, 8], "", Outcome.UNDECIDED, id="more than 1 %"),
        pytest.param([7, 8], "missing_at_most: 0.02\n", Outcome.PASSED, id="more are allowed"),
        pytest.param([7], "missing_at_most: 0\n", Outcome.UNDECIDED, id="none is allowed"),
        pytest.param(
            [7], "    missing_at_most: 0\n", Outcome.UNDECIDED, id="none is allowed by the check"
        ),
        pytest.param(
            [7, 8],
            "    missing_at_most: 0.5\nmissing_at_most: 0\n",
            Outcome.PASSED,
            id="the check decides before the checklist",
        ),
    ],
)
def test_a_check_with_too_many_missing_scores_is_undecided(run, numbers, added, outcome):
    (result,) = run(numbers, added).results

    assert result.outcome is outcome
    if outcome is Outcome.UNDECIDED:
        allowed = "1 %" if not added else "0 %"
        share = {1: "0.8 %", 2: "1.7 %"}[len(numbers)]
        counts = f"{len(numbers)} of 120 candidates ({share}, {allowed} allowed)"
        assert result.message == f"no score for {counts}: ValueError"
        assert "missing_at_most" in result.advice


def test_without_texts_the_reasons_quote_none(run):
    found = run([7], texts=False)

    assert found.results[0].missing.reasons == ("ValueError",)
    assert "closed door" not in found.model_dump_json()


def test_a_share_that_cannot_be_one_is_refused(project):
    project.write(NOISE + "missing_at_most: 2\n", "noise")
    result = project.runpytest()

    result.stdout.fnmatch_lines(["*missing_at_most*"])
    result.assert_outcomes(errors=1)


def test_a_candidate_is_left_out_under_every_condition(project, planned):
    project.write(NOISE, "noise")
    project.makefile(".py", fragile=METRIC.replace("NUMBERS", "()"))
    plan = planned(project.path / "noise.checklist.yaml")
    table, (item,) = ScoreTable(plan, Engine(Cache())), plan.items
    clean, *noisy = item.score_keys
    table.replace_scores(clean, np.where(np.arange(120) == 5, np.nan, 1.0))
    for number, score_key in enumerate(noisy):
        table.replace_scores(score_key, np.where(np.arange(120) == 9 + number, np.nan, 2.0))
    observed = table.observe(item)

    for scores in observed.scores.values():
        assert np.flatnonzero(np.isnan(scores)).tolist() == [5, 9, 10]
    alone = table.observe(item, paired=False)
    assert np.flatnonzero(np.isnan(alone.scores[clean])).tolist() == [5]


def test_all_workers_of_xdist_count_the_same(project):
    project.write(NOISE.replace("levels: [0.2]", "levels: [0.1, 0.2, 0.3]"), "noise")
    project.makefile(".py", fragile=METRIC.replace("NUMBERS", "(7,)"))
    content = project.run_json("-n2")

    assert [one["missing"]["count"] for one in content["results"]] == [1, 1, 1]
    assert [one["count"] for one in content["checklists"][0]["metrics"][0]["missing"]] == [
        1,
        2,
        2,
        2,
    ]
