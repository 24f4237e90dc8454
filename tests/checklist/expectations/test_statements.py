"""What an expectation says of itself, what it needs, and which settings it refuses."""

import pytest
from expectation_settings import SETTINGS
from pydantic import ValidationError

from shakeproof.expectations import EXPECTATIONS, Evaluation

TIES = "scores within 1e-06 tie, relative to the largest if that is below 1"


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
