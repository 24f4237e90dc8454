"""Expectations about the scores themselves: falling, preferring the better text, axioms."""

import numpy as np
import pytest
from compared_scores import COMPARED

from shakeproof.expectations import EXPECTATIONS
from shakeproof.expectations.assess import assess
from shakeproof.results import Verdict


def test_falling_scores_are_monotone_and_not_rising(check):
    falling, rising = check("monotone"), check("monotone", direction="rising")

    assert falling.judgement.verdict is Verdict.PASS
    assert rising.judgement.verdict is Verdict.FAIL
    assert rising.judgement.message.startswith("0")
    assert [part.name for part in rising.parts if " to " in part.name] == ["0 to 0.3", "0.3 to 0.6"]


def test_segments_that_behave_have_an_exact_interval(check):
    found = check("segments_behave", scores="drop", at_least=0.5)

    assert found.estimate.method == "Clopper-Pearson"
    assert found.judgement.verdict is Verdict.PASS


def test_all_segments_behaving_do_not_prove_everything(observe):
    clean = np.random.default_rng(0).normal(size=60)
    observed = observe({"clean": clean, "noisy": clean - 1}, segment=np.repeat(np.arange(30), 2))
    found = assess(EXPECTATIONS["segments_behave"](at_least=0.95), COMPARED, observed)

    assert found.estimate.value == 1
    assert found.estimate.low == pytest.approx(0.884, abs=5e-4)
    assert found.judgement.verdict is Verdict.INCONCLUSIVE


def test_originals_and_better_candidates_are_preferred(check):
    assert check("prefers_original", at_least=0.5).judgement.verdict is Verdict.PASS
    assert check("prefers_better", rating_gap=1, at_least=0.5).judgement.verdict is Verdict.PASS


@pytest.mark.parametrize(
    ("name", "settings", "scores", "message"),
    [
        pytest.param(
            "score_range",
            {"low": 0, "high": 1},
            {"clean": [0.5, 1.0, 1.2], "noisy": [0.0, 0.0, 0.0]},
            "1 violation in 3 scores",
            id="out of range",
        ),
        pytest.param(
            "identity",
            {},
            {"clean": [0.5, 1.0, np.nan], "noisy": [1.0, 0.9, 1.0]},
            "1 violation in 3 scores",
            id="above the reference",
        ),
        pytest.param(
            "empty_text",
            {},
            {"clean": [0.5, 0.4, 0.3], "noisy": [0.0, np.nan, 0.9]},
            "2 violations in 3 scores",
            id="no score and a high one",
        ),
        pytest.param(
            "same_scores",
            {},
            {"clean": [0.5, 0.4, np.nan], "noisy": [0.5 + 1e-7, 0.4, np.nan]},
            "0 violations in 3 scores",
            id="equal but for rounding",
        ),
    ],
)
def test_axioms_are_exact_and_never_undecided(name, settings, scores, message, observe):
    found = assess(EXPECTATIONS[name](**settings), COMPARED, observe(scores))

    assert found.judgement.message == message
    assert found.judgement.verdict is (Verdict.PASS if message[0] == "0" else Verdict.FAIL)
    assert found.judgement.p is None
