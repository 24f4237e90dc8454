"""Every kind of counterexample can be kept: its checklist loads, and fails as the check did."""

import pytest

from shakeproof.results import Outcome

CHECKLIST = """\
data: sample
language: en
source_language: en
draws: 200
metrics:
  words: word-f1
  gain: {parascore: {similarity: words, omega: 0.3}}
checks:
  - check: few edits do little
    metrics: [METRIC]
    perturb: {PERTURB}
    expect: EXPECT
"""
TYPOS = "keyboard-typo: {on: FIELD, levels: [0.3]}"
MOVEMENTS = {
    "the change is limited": "{score_change: {at_most: 0.1}}",
    "the signed change is limited": "{score_change: {at_most: 0.1, signed: true}}",
    "the drop is limited": "{score_drop: {at_most: 0.1}}",
    "the raw drop is limited": "{score_drop: {at_most: 0.01, unit: raw}}",
    "a drop is required": "{score_drop: {at_least: 9}}",
    "a rise is required": "{score_rise: {at_least: 0.5}}",
    "scores stay the same": "same_scores",
    "segments change by little": "{segments_behave: {scores: change, by: 0.1, at_least: 0.9}}",
    "segments rise": "{segments_behave: {scores: rise, at_least: 0.9}}",
    "the original is preferred": "{prefers_original: {at_least: 0.999, tie: 0.05}}",
    "the original is not preferred": "{prefers_original: {at_most: 0.01, tie: 0.05}}",
    "a search limits the change": "{search: {at_most: 0.1}}",
    "a search limits the drop": "{search: {scores: drop, at_most: 0.1, unit: raw}}",
    "a search requires a drop": "{search: {scores: drop, at_least: 0}}",
}
ORDERS = {
    "the correlation falls": "{correlation_drop: {at_most: -0.9}}",
    "retention falls": "{retention: {at_least: 9}}",
    "pairs of ratings turn round": "{prefers_better: {rating_gap: 0.1, at_least: 0.999}}",
    "ties are wide": "{prefers_better: {rating_gap: 0.1, tie: 0.1, at_least: 0.999}}",
    "a search finds a flip": "{search: {scores: flip}}",
}


def text(expect, perturb, field, metric="words"):
    filled = CHECKLIST.replace("PERTURB", perturb).replace("FIELD", field)
    return filled.replace("EXPECT", expect).replace("METRIC", metric)


@pytest.fixture
def pins(run_checklist):
    """Run a check and the checklist of each of its counterexamples."""

    def run(content):
        (failed,) = run_checklist(content).results
        examples = [example for example in failed.examples if example.pin]
        runs = [
            run_checklist(example.pin, f"pin{n}.checklist.yaml")
            for n, example in enumerate(examples)
        ]
        assert failed.outcome is Outcome.FAILED
        assert examples
        return [(example, *pinned.results) for example, pinned in zip(examples, runs, strict=True)]

    return run


def assert_all_fail(pinned):
    for example, result in pinned:
        (again,) = result.examples
        assert result.outcome is Outcome.FAILED
        assert (again.minimal, again.score_minimal) == (example.minimal, example.score_minimal)


@pytest.mark.parametrize("field", ["candidate", "reference"])
@pytest.mark.parametrize("expect", MOVEMENTS.values(), ids=MOVEMENTS)
def test_a_text_that_moves_too_far_or_too_little(pins, expect, field):
    assert_all_fail(pins(text(expect, TYPOS, field)))


@pytest.mark.parametrize("field", ["candidate", "reference"])
@pytest.mark.parametrize("expect", ORDERS.values(), ids=ORDERS)
def test_a_better_candidate_that_falls_behind_a_worse_one(pins, expect, field):
    assert_all_fail(pins(text(expect, TYPOS, field)))


@pytest.mark.parametrize("expect", ["{score_change: {at_most: 0.01}}", "{search: {scores: flip}}"])
def test_a_changed_source(pins, expect):
    assert_all_fail(pins(text(expect, TYPOS, "source", "gain")))
