"""A perturbation that moves the agreement for one aspect, and not that for another."""

from pathlib import Path

import numpy as np
import pytest
from compared_scores import COMPARED
from pydantic import ValidationError
from scipy.stats import kendalltau, pearsonr, spearmanr

from shakeproof.data.segments import Candidate, Segment
from shakeproof.errors import SpecError
from shakeproof.expectations import EXPECTATIONS, AspectDrop
from shakeproof.expectations.assess import assess
from shakeproof.plan.data_needs import unmet_needs
from shakeproof.plan.items import planned_items
from shakeproof.plan.kinds import kinds_of
from shakeproof.results import Bounds, Verdict
from shakeproof.spec.read import parse
from shakeproof.stats.kinds.agreement import Agreement
from shakeproof.stats.observations import Candidates, Observations

SEGMENTS, SIZE = 120, 4
ASKED = {"of": "fluency", "at_least": 0.05, "others_at_most": 0.05}


def observations(missing=0, seed=5):
    """Return scores that follow both aspects when clean, and one of them under noise."""
    rng = np.random.default_rng(seed)
    fluency, coherence, *noise = rng.normal(size=(5, SEGMENTS * SIZE))
    fluency[:missing] = np.nan
    seen = np.nan_to_num(fluency)
    candidates = Candidates(
        segments=SEGMENTS,
        segment=np.repeat(np.arange(SEGMENTS), SIZE),
        rating=np.full(SEGMENTS * SIZE, np.nan),
        pairs=np.empty((0, 2), np.int64),
        group=np.zeros(SEGMENTS, np.int64),
        ratings={"coherence": coherence, "fluency": fluency, "length": noise[0]},
    )
    scores = {"clean": seen + coherence + noise[1], "noisy": coherence + noise[1] + noise[2] / 2}
    changed = {"clean": np.zeros(len(seen), bool), "noisy": np.ones(len(seen), bool)}
    return Observations(candidates, scores, changed)


def judged(observed, **settings):
    expectation = AspectDrop.model_validate({**ASKED, **settings})
    expectation = expectation.with_aspects(("coherence", "fluency", "length"))
    return assess(expectation, COMPARED, observed, draws=500)


@pytest.mark.parametrize(
    ("name", "function"),
    [("pearson", pearsonr), ("spearman", spearmanr), ("tau-b", kendalltau)],
)
def test_drops_are_the_differences_of_scipy(name, function):
    observed = observations(missing=40)
    assessment = judged(observed, coefficient=name)
    ratings = observed.candidates.ratings
    rows = np.isfinite(ratings["fluency"])  # rated for all aspects
    parts = {part.name: part.estimate.value for part in assessment.parts}

    for aspect in ("fluency", "coherence", "length"):
        clean, noisy = (
            function(observed.scores[key][rows], ratings[aspect][rows]).statistic
            for key in ("clean", "noisy")
        )
        assert parts[f"for {aspect}"] == pytest.approx(clean - noisy, abs=1e-9)
        assert parts[f"clean, for {aspect}"] == pytest.approx(clean, abs=1e-9)
        assert parts[f"perturbed, for {aspect}"] == pytest.approx(noisy, abs=1e-9)


def test_the_interval_is_that_of_a_drop_by_that_aspect_alone():
    observed = observations()
    alone = EXPECTATIONS["correlation_drop"](at_most=0.05)
    by_fluency = Observations(
        Candidates(
            **{
                name: getattr(observed.candidates, name)
                for name in ("segments", "segment", "pairs", "group")
            },
            rating=observed.candidates.ratings["fluency"],
        ),
        observed.scores,
        observed.changed,
    )
    estimate = assess(alone, COMPARED, by_fluency, draws=500).estimate
    parts = {part.name: part.estimate for part in judged(observed).parts}

    assert parts["for fluency"] == estimate


@pytest.mark.parametrize(
    ("settings", "verdict", "quantity", "bounds"),
    [
        ({}, Verdict.PASS, "drop of pearson for length", Bounds(high=0.2)),
        (
            {"of": "coherence", "others": ["length"]},
            Verdict.FAIL,
            "drop of pearson for coherence",
            Bounds(low=0.05),
        ),
        (
            {"of": "length", "at_least": -1, "others": ["fluency"]},
            Verdict.FAIL,
            "drop of pearson for fluency",
            Bounds(high=0.2),
        ),
    ],
    ids=["one moves", "it does not move", "another moves"],
)
def test_all_claims_must_hold_and_the_one_that_decides_is_named(
    settings, verdict, quantity, bounds
):
    assessment = judged(observations(), others_at_most=0.2, **settings)

    assert assessment.judgement.verdict is verdict
    assert (assessment.quantity, assessment.bounds) == (quantity, bounds)
    assert assessment.judgement.message.startswith(quantity.removeprefix("drop of pearson "))


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"others": ["fluency"]}, "others must be different aspects"),
        ({"others": ["a", "a"]}, "others must be different aspects"),
        ({"coefficient": "wmt-kendall"}, "add rating_gap to wmt-kendall"),
        ({"others": []}, "at least 1 item"),
    ],
)
def test_settings_that_compare_nothing_are_refused(settings, problem):
    with pytest.raises(ValidationError, match=problem):
        AspectDrop.model_validate({**ASKED, **settings})


CHECKLIST = """\
data: sample
metrics: {chrf: {chrf: {}}}
checks:
  - check: one
    perturb: {visual: {on: reference, levels: [0.1]}}
    expect: {aspect_drop: {of: fluency, at_least: 0, others_at_most: 1}}
"""
PATH = Path("a.checklist.yaml")


def unmet(text, **ratings):
    segment = Segment("1", (Candidate("a", ratings=ratings),), ("r",))
    return unmet_needs(parse(text, PATH), kinds_of([segment]), {})


def test_the_data_need_the_aspect_and_others():
    assert unmet(CHECKLIST, fluency=1.0, style=1.0) == []
    assert unmet(CHECKLIST, fluency=1.0) == [
        "a.checklist.yaml:4: check 'one': aspect_drop compares aspects, but there are ratings for "
        "'fluency' only"
    ]
    assert unmet(CHECKLIST, fluenci=1.0, style=1.0) == [
        "a.checklist.yaml:4: check 'one': the data have no ratings for 'fluency'; did you mean "
        "'fluenci'?"
    ]


def test_all_aspects_of_the_data_are_the_others():
    (item,) = planned_items(parse(CHECKLIST, PATH), ("style", "fluency", "length"))

    assert item.check.expect.aspects == ("fluency", "style", "length")
    assert (item.name, item.rating) == ("visual-0.1", "rating")


def test_the_check_chooses_no_rating():
    with pytest.raises(SpecError, match=r"7:5: aspect_drop names its aspects itself"):
        parse(f"{CHECKLIST}    rating: style\n", PATH)


def test_it_says_what_is_expected():
    expectation = AspectDrop.model_validate({**ASKED, "others": ["style", "length"]})

    assert expectation.statement == (
        "drop of pearson for fluency is at least 0.05, and for style and length at most 0.05 "
        "(all candidates)"
    )
    assert isinstance(expectation.statistic(COMPARED).agreement, Agreement)
