"""Expectations as a checklist writes them: what they need, what they say, how they are judged."""

import numpy as np
import pytest
from pydantic import ValidationError

from shakeproof.expectations import EXPECTATIONS, Evaluation
from shakeproof.expectations.assess import assess
from shakeproof.results import Verdict
from shakeproof.stats.observations import ComparedScores

TIES = "scores within 1e-06 tie, relative to the largest if that is below 1"
SETTINGS = {
    "correlation": {"at_least": 0.2},
    "correlation_drop": {"coefficient": "wmt-kendall", "at_most": 0.1},
    "retention": {"at_least": 0.8},
    "retention_area": {"at_least": 0.8},
    "correlation_in_slices": {"slices_by": "other", "at_least": 0.1},
    "attribution": {"held": "other", "varied": "third", "at_least": 0.1},
    "more_robust_than": {"metric": "other"},
    "beats_yardsticks": {"yardsticks": ["other"]},
    "no_worse_than_baseline": {"baseline": "run.json"},
    "score_change": {"at_most": 0.2},
    "score_drop": {"at_least": 0.2},
    "score_rise": {"at_most": 0.2},
    "monotone": {},
    "segments_behave": {"at_least": 0.9},
    "prefers_original": {"at_least": 0.9},
    "prefers_better": {"at_least": 0.6},
    "copy_penalty": {"at_least": 0.5},
    "stable": {"at_most": 0.1},
    "position_consistency": {"at_least": 0.9},
    "position_preference": {"at_least": 0.45, "at_most": 0.55},
    "score_range": {"low": 0},
    "identity": {},
    "empty_text": {},
    "same_scores": {},
    "symmetry": {},
    "batch_independence": {},
    "order_independence": {},
    "search": {},
    "python": {"statistic": "my_module:statistic", "at_most": 1},
}
COMPARED = ComparedScores("clean", (0.3,), (("noisy",),))


@pytest.fixture
def check(observe):
    """Assess an expectation on 60 segments of 5 graded candidates under growing noise."""
    rng = np.random.default_rng(12)
    quality = rng.normal(size=300)
    grade = np.round(2 * quality + rng.normal(size=300)).clip(-3, 2)
    clean = quality + 0.5 * rng.normal(size=300)
    error = rng.normal(size=300)
    scores = {
        "clean": clean,
        "noisy": clean + 0.8 * error - 0.5,
        "noisier": clean + 1.6 * error - 1.0,
        "other": quality + 0.5 * rng.normal(size=300),
        "other noisy": rng.normal(size=300),
        "other noisier": rng.normal(size=300),
        "third": rng.uniform(size=300),
    }
    observed = observe(scores, segment=np.repeat(np.arange(60), 5), rating=grade)
    others = {
        "other": ComparedScores("other", (0.3, 0.6), (("other noisy",), ("other noisier",))),
        "third": ComparedScores("third"),
    }
    levels = ComparedScores("clean", (0.3, 0.6), (("noisy",), ("noisier",)), others)
    one = ComparedScores("clean", (0.3,), (("noisy",),), others)

    def run(name, **settings):
        expectation = EXPECTATIONS[name](**settings)
        compared = levels if expectation.over_levels else one
        return assess(expectation, compared, observed, draws=2_000)

    return run


@pytest.mark.parametrize("name", EXPECTATIONS)
def test_every_expectation_states_itself(name):
    expectation = EXPECTATIONS[name](**SETTINGS[name])

    assert EXPECTATIONS[name].summary.endswith(".")
    assert expectation.statement
    assert expectation.quantity
    assert expectation.bounds.low is not None or expectation.bounds.high is not None


@pytest.mark.parametrize(
    ("name", "settings", "statement"),
    [
        pytest.param(
            "correlation_drop",
            {"coefficient": "wmt-kendall", "at_most": 0.1},
            f"drop of wmt-kendall is at most 0.10 (people's pairs; {TIES}; ties count as wrong)",
            id="preferences",
        ),
        pytest.param(
            "correlation",
            {"coefficient": "wmt-kendall", "tie": 0.01, "rating_gap": 2, "at_least": 0},
            "correlation (wmt-kendall, ratings 2 apart) is at least 0.00 "
            "(pairs of an input; scores within 0.01 tie; ties count as wrong)",
            id="a tie of its own",
        ),
        pytest.param(
            "prefers_original",
            {"at_least": 0.9},
            "share of changed candidates that score higher unperturbed is at least 0.90 "
            f"({TIES}; ties count as wrong)",
            id="original",
        ),
        pytest.param(
            "prefers_better",
            {"at_least": 0.9, "tie": 0.5},
            "share of judged pairs with the better candidate ahead is at least 0.90 "
            "(scores within 0.5 tie; ties count as wrong)",
            id="better",
        ),
        pytest.param(
            "correlation",
            {"at_least": 0.2, "each": "group"},
            "correlation (pearson) is at least 0.20, in each group (all candidates)",
            id="each group",
        ),
        pytest.param(
            "retention",
            {"coefficient": "tau-b", "by": "segment", "at_least": 0.8},
            f"retention is at least 0.8 (mean over segments; {TIES})",
            id="within segments",
        ),
        pytest.param(
            "beats_yardsticks",
            {"coefficient": "acc-eq", "yardsticks": ["a", "b"]},
            "acc-eq is larger than that of a, b "
            "(all pairs of an input; scores closer than a calibrated threshold tie)",
            id="calibrated ties",
        ),
    ],
)
def test_a_correlation_states_its_rule_defaults_included(name, settings, statement):
    assert EXPECTATIONS[name](**settings).statement == statement


def test_an_expectation_names_how_it_is_evaluated():
    by_evaluation = {}
    for name, model in EXPECTATIONS.items():
        by_evaluation.setdefault(model.evaluation, set()).add(name)
    by_statistic = by_evaluation.pop(Evaluation.STATISTIC)

    assert by_evaluation == {
        Evaluation.EACH_SCORE: {"score_range", "identity", "empty_text", "same_scores"},
        Evaluation.RESCORING: {"symmetry", "batch_independence", "order_independence"},
        Evaluation.SEARCH: {"search"},
        Evaluation.STORED_RUN: {"no_worse_than_baseline"},
    }
    assert {"correlation_drop", "score_change", "copy_penalty", "python"} <= by_statistic


@pytest.mark.parametrize("name", EXPECTATIONS)
def test_unknown_settings_are_refused(name):
    with pytest.raises(ValidationError, match="at_mots"):
        EXPECTATIONS[name](**SETTINGS[name], at_mots=1)


@pytest.mark.parametrize(
    ("name", "settings", "message"),
    [
        pytest.param(
            "correlation",
            {"rating_gap": 25, "at_least": 0},
            "rating_gap belongs to wmt-kendall, not to pearson",
            id="a gap without pairs",
        ),
        pytest.param(
            "correlation",
            {"coefficient": "tau-c", "by": "system", "at_least": 0},
            "by: system takes pearson, spearman, tau-b, soft-pairwise, not tau-c",
            id="no such coefficient between systems",
        ),
        pytest.param(
            "correlation_drop",
            {"coefficient": "soft-pairwise", "by": "segment", "at_most": 0},
            "soft-pairwise compares systems; add by: system",
            id="systems compared within segments",
        ),
        pytest.param("correlation", {"coefficient": "peerson"}, "pearson", id="a misspelt one"),
        pytest.param("score_range", {}, "say low, high or both", id="a range without ends"),
    ],
)
def test_settings_that_do_not_fit_are_refused(name, settings, message):
    with pytest.raises(ValidationError, match=message):
        EXPECTATIONS[name](**settings)


@pytest.mark.parametrize(
    ("settings", "required"),
    [
        ({"coefficient": "pearson"}, {"ratings"}),
        ({"coefficient": "wmt-kendall"}, {"preferences"}),
        ({"coefficient": "wmt-kendall", "rating_gap": 25}, {"ratings"}),
    ],
)
def test_a_coefficient_says_what_it_needs_of_the_data(settings, required):
    assert EXPECTATIONS["correlation"](**settings, at_least=0).required_data == required


def test_a_drop_is_shown_with_its_curve(check):
    found = check("correlation_drop", at_most=0.05)
    parts = {part.name: part for part in found.parts}

    assert found.judgement.verdict is Verdict.FAIL
    assert found.judgement.message.startswith("drop 0.")
    assert found.judgement.p < 0.025
    assert (parts["clean"].level, parts["perturbed"].level) == (0.0, 0.3)
    difference = parts["clean"].estimate.value - parts["perturbed"].estimate.value
    assert found.estimate.value == pytest.approx(difference)


@pytest.mark.parametrize(("at_least", "verdict"), [(0.5, Verdict.PASS), (0.99, Verdict.FAIL)])
@pytest.mark.parametrize("name", ["retention", "retention_area"])
def test_retention_is_stated_as_a_ratio(name, at_least, verdict, check):
    found = check(name, at_least=at_least)
    names = {"retention": "retention", "retention_area": "area under retention"}
    share = next(part for part in found.parts if part.name == names[name])

    assert found.judgement.verdict is verdict
    assert found.judgement.message.startswith(f"{share.name} 0.")
    assert (found.estimate.value > 0) == (share.estimate.value > at_least)


def test_retention_of_no_correlation_is_undefined(check, observe):
    rng = np.random.default_rng(0)
    scores = {name: rng.normal(size=200) for name in ("clean", "noisy")}
    observed = observe(scores, segment=np.repeat(np.arange(40), 5), rating=rng.normal(size=200))
    found = assess(EXPECTATIONS["retention"](at_least=0.5), COMPARED, observed, draws=1_000)

    assert "retention undefined: clean correlation" in found.judgement.message
    assert found.judgement.advice == ""
    assert not any(part.name == "retention" for part in found.parts)


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        pytest.param("correlation", {"at_least": 0.0}, id="a correlation"),
        pytest.param("correlation_drop", {"at_most": 0.5}, id="a drop"),
        pytest.param("more_robust_than", {"metric": "other"}, id="two metrics, over levels"),
    ],
)
def test_every_correlation_shows_the_share_that_each_level_keeps(name, settings, check):
    parts = check(name, **settings).parts
    clean = next(part.estimate.value for part in parts if part.name == "clean")
    perturbed = {part.level: part.estimate.value for part in parts if part.name == "perturbed"}
    kept = {part.level: part.estimate.value for part in parts if part.name == "retention"}

    assert kept == pytest.approx({level: value / clean for level, value in perturbed.items()})
    assert any(part.name == "area under retention" for part in parts) == (len(perturbed) > 1)


def test_the_area_is_the_mean_height_of_the_curve(check):
    found = check("retention_area", at_least=0.5)
    height = {
        part.level: part.estimate.value
        for part in found.parts
        if part.name in ("clean", "perturbed")
    }
    mean = (height[0.0] / 2 + height[0.3] + height[0.6] / 2) / 2
    share = next(part for part in found.parts if part.name == "area under retention")

    assert share.estimate.value == pytest.approx(mean / height[0.0])


def test_falling_scores_are_monotone_and_not_rising(check):
    falling, rising = check("monotone"), check("monotone", direction="rising")

    assert falling.judgement.verdict is Verdict.PASS
    assert rising.judgement.verdict is Verdict.FAIL
    assert rising.judgement.message.startswith("0")
    assert [part.name for part in rising.parts if " to " in part.name] == ["0 to 0.3", "0.3 to 0.6"]


def test_a_metric_that_keeps_its_order_is_more_robust(check):
    found = check("more_robust_than", metric="other")
    tests = [part for part in found.parts if part.name.startswith("p of no difference")]

    assert found.judgement.verdict is Verdict.PASS
    assert len(tests) == 2
    assert all(part.estimate.value < 0.01 for part in tests)


def test_no_metric_is_more_robust_than_its_equal(observe):
    rng = np.random.default_rng(0)
    scores = {name: rng.normal(size=200) for name in ("clean", "noisy")}
    observed = observe(scores, segment=np.repeat(np.arange(40), 5), rating=rng.normal(size=200))
    compared = ComparedScores("clean", (0.3,), (("noisy",),), {"other": COMPARED})
    found = assess(EXPECTATIONS["more_robust_than"](metric="other"), compared, observed, draws=200)

    assert found.estimate.high == 0
    assert found.judgement.verdict is Verdict.FAIL


def test_a_good_metric_beats_a_random_yardstick_and_not_its_equal(observe):
    rng = np.random.default_rng(4)
    rating = rng.normal(size=200)
    scores = {"clean": rating + rng.normal(size=200), "random": rng.normal(size=200)}
    observed = observe(scores, rating=rating)
    compared = ComparedScores(
        "clean", others={"random": ComparedScores("random"), "twin": ComparedScores("clean")}
    )
    random, twin = (
        assess(EXPECTATIONS["beats_yardsticks"](yardsticks=names), compared, observed, draws=500)
        for names in (["random"], ["random", "twin"])
    )
    methods = {part.estimate.method for part in random.parts if part.name.startswith("p of no")}

    assert random.judgement.verdict is Verdict.PASS
    assert methods == {"permutation", "Williams"}
    assert twin.judgement.verdict is Verdict.FAIL
    assert twin.judgement.message.startswith("over twin: advantage 0.000")


def test_slices_are_judged_one_by_one(check):
    found = check("correlation_in_slices", slices_by="third", slices=3, at_least=0.0)
    slices = [part for part in found.parts if part.name.startswith("third ")]

    assert found.judgement.verdict is Verdict.PASS
    assert [part.name for part in slices] == ["third 1 of 3", "third 2 of 3", "third 3 of 3"]


def test_groups_may_be_judged_one_by_one(observe):
    rng = np.random.default_rng(1)
    rating = rng.normal(size=400)
    error = np.repeat([0.2, 8.0], 200) * rng.normal(size=400)
    observed = observe(
        {"clean": rating + error},
        segment=np.repeat(np.arange(80), 5),
        rating=rating,
        group=np.repeat([0, 1], 40),
    )
    mean, each = (
        assess(
            EXPECTATIONS["correlation"](at_least=0.4, **more),
            ComparedScores("clean"),
            observed,
            draws=1_000,
        )
        for more in ({}, {"each": "group"})
    )
    heterogeneity = next(part for part in mean.parts if part.name == "heterogeneity")

    assert mean.judgement.verdict is Verdict.PASS
    assert each.judgement.verdict is Verdict.FAIL
    assert each.judgement.message.startswith("g1: correlation ")
    assert heterogeneity.estimate.value > 10
    assert [part.group for part in mean.parts if part.group] == ["g0", "g1"]


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


def test_the_share_of_variance_due_to_seeds_is_shown(observe):
    rng = np.random.default_rng(7)
    rating = rng.normal(size=300)
    clean = rating + rng.normal(size=300)
    scores = {"clean": clean} | {f"s{k}": clean + rng.normal(size=300) for k in range(4)}
    observed = observe(scores, segment=np.repeat(np.arange(60), 5), rating=rating)
    compared = ComparedScores("clean", (0.3,), (("s0", "s1", "s2", "s3"),))
    found = assess(EXPECTATIONS["correlation_drop"](at_most=0.5), compared, observed, draws=200)
    share = next(part for part in found.parts if part.name == "variance due to seeds")

    assert 0.2 < share.estimate.value < 1


@pytest.mark.parametrize("by", ["candidate", "segment"])
@pytest.mark.parametrize("coefficient", ["pearson", "spearman", "tau-b"])
def test_coefficients_are_offered_over_all_and_within_segments(coefficient, by, check):
    found = check("correlation_drop", coefficient=coefficient, by=by, at_most=0.0)

    assert found.judgement.verdict is Verdict.FAIL


def test_accuracy_shows_its_ties_and_the_drop_at_own_thresholds(check):
    found = check("correlation_drop", coefficient="acc-eq", at_most=0.5)
    names = {part.name for part in found.parts}

    assert {"ties, clean", "ties, perturbed", "drop at own thresholds"} <= names


def test_squeezed_scores_lose_scale_and_not_order(observe):
    rng = np.random.default_rng(3)
    rating = np.round(rng.normal(size=600))
    clean = rating + 0.3 * rng.normal(size=600)
    observed = observe(
        {"clean": clean, "noisy": clean / 50}, segment=np.repeat(np.arange(100), 6), rating=rating
    )
    settings = {"coefficient": "acc-eq", "at_most": 0.05}
    found = assess(EXPECTATIONS["correlation_drop"](**settings), COMPARED, observed, draws=500)

    assert found.judgement.verdict is Verdict.FAIL
    assert "; scale, not order: drop 0.000 [" in found.judgement.message


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


OWN = """
import numpy as np

class Longest:
    def __init__(self, score_key):
        self.score_key = score_key
    def sums(self, observed):
        scores = observed.scores[self.score_key]
        return np.stack([scores, np.ones(len(scores))], axis=1)
    def value(self, totals):
        return totals[..., 0] / totals[..., 1]

def build(compared):
    return Longest(compared.clean)

def wrong(compared):
    return 3
"""


def test_a_statistic_of_the_user_is_found_in_the_folder_of_the_checklist(tmp_path, observe):
    (tmp_path / "own_statistic.py").write_text(OWN, encoding="utf-8")
    expectation = EXPECTATIONS["python"](statistic="own_statistic:build", label="mean", at_most=1)
    observed = observe({"clean": np.linspace(0, 1, 40)})
    found = assess(expectation.look_in([tmp_path]), ComparedScores("clean"), observed, draws=500)

    assert found.judgement.verdict is Verdict.PASS
    assert found.judgement.message.startswith("mean 0.500 [")


def test_a_statistic_of_the_user_must_have_sums_and_value(tmp_path):
    (tmp_path / "own_mistake.py").write_text(OWN, encoding="utf-8")
    expectation = EXPECTATIONS["python"](statistic="own_mistake:wrong", at_most=1)

    with pytest.raises(ValueError, match="must give an object with sums and value"):
        expectation.look_in([tmp_path]).statistic(ComparedScores("clean"))
