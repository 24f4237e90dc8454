import pytest

from shakeproof.reports.sections.header import format_time
from shakeproof.reports.wording.failure_sentences import describe_failure
from shakeproof.reports.wording.format import (
    ABSENT,
    MINUS,
    bound,
    bound_in_words,
    brief,
    describe_condition,
    interval,
    number,
    p_value,
    signed,
)
from shakeproof.reports.wording.outcomes import SIGNS, colour_step, count_outcomes
from shakeproof.reports.wording.sentences import metric_verdict, quote_name
from shakeproof.results import Bounds, Distance, Estimate, Outcome, Part, PartName, result_distance


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.1834, "0.183"),
        (-0.5, f"{MINUS}0.500"),
        (None, ABSENT),
        (0.0, "0.000"),
        (0.00012, f"1.2e{MINUS}04"),
        (12345.6, "12345.6"),
        (1.3e-9, "0.000"),
        (-1.3e-9, "0.000"),
    ],
)
def test_numbers_read_well(value, text):
    assert number(value) == text


def test_small_numbers_are_zero_where_two_digits_will_do():
    assert (
        number(0.004, 2),
        number(-0.004, 2),
        interval(Estimate(value=0, low=-0.001, high=1), 2),
    ) == (
        "0.00",
        "0.00",
        "[0.00, 1.00]",
    )


@pytest.mark.parametrize(
    ("value", "text"), [(0.3, "0.3"), (1.0, "1"), (-2.5, f"{MINUS}2.5"), (None, ABSENT)]
)
def test_levels_are_as_brief_as_they_were_written(value, text):
    assert brief(value) == text


@pytest.mark.parametrize(
    ("bounds", "text"),
    [
        (Bounds(high=0.1), "≤\u00a00.1"),
        (Bounds(low=0.5), "≥\u00a00.5"),
        (Bounds(low=-0.2, high=0.2), f"{MINUS}0.2 to 0.2"),
        (Bounds(low=5e-324), ">\u00a00"),
        (Bounds(high=-5e-324), "<\u00a00"),
        (Bounds(), ABSENT),
    ],
)
def test_bounds_read_well(bounds, text):
    assert bound(bounds) == text


def test_a_missing_interval_is_said():
    assert interval(Estimate(value=0.3)) == "no interval"


def test_at_most_is_allowed_and_at_least_is_required():
    limits = [Bounds(high=0.1), Bounds(low=0.2), Bounds(low=-1, high=1)]

    assert [bound_in_words(limit).split()[-1] for limit in limits] == [
        "allowed",
        "required",
        "allowed",
    ]


def test_differences_have_their_sign_and_the_printed_digits():
    assert (signed(0.0412, 3), signed(-0.04, 2), signed(-0.0001, 3)) == (
        "+0.041",
        f"{MINUS}0.04",
        "0.000",
    )


def test_outcomes_that_are_nouns_have_a_plural():
    assert [SIGNS[Outcome.KNOWN_FAILURE].count(number) for number in (1, 2)] == [
        "1 known failure",
        "2 known failures",
    ]
    assert SIGNS[Outcome.UNDECIDED].count(2) == "2 undecided"


def test_counts_go_from_worst_to_best(demo_run):
    ranks = [sign.rank for sign, _ in count_outcomes(demo_run.results)]

    assert ranks == sorted(ranks)


def test_a_condition_names_family_level_and_field(make_drop):
    assert describe_condition(make_drop("deep", "visual", 0.3)) == "visual 0.3 in references"


def test_precomputed_texts_are_named(make_drop):
    stored = make_drop("deep", "visual", 0.3).model_copy(update={"stored": True})

    assert describe_condition(stored) == "visual 0.3 in references (precomputed)"


def test_a_falling_correlation_is_described_with_both_numbers(make_drop):
    assert describe_failure(make_drop("deep", "visual", 0.3)) == (
        "Loses agreement with human ratings under `visual` at level 0.3: "
        "wmt-kendall falls from 0.43 to 0.16."
    )


def test_the_numbers_described_are_those_of_the_judged_level(make_drop):
    result = make_drop("deep", "visual", 0.2)
    more = Part(name=PartName.PERTURBED, estimate=Estimate(value=0.01), level=0.9)

    assert "at level 0.2: wmt-kendall falls from 0.43 to 0.25." in describe_failure(
        result.model_copy(update={"parts": (*result.parts, more)})
    )


def test_a_preferred_copy_is_described(demo_run):
    result = next(r for r in demo_run.results if r.expectation == "copy_penalty")

    assert describe_failure(result) == (
        f"Scores a copied input above the best paraphrases: penalty {MINUS}0.85 spreads, "
        "≥\u00a00.5 required; the copy scores above the best-rated candidates for 93% of inputs."
    )


def test_an_unknown_expectation_is_described_by_its_message(make_drop):
    result = make_drop("deep", "visual", 0.3).model_copy(
        update={"expectation": "mine", "message": "0.2 is too much"}
    )

    assert describe_failure(result) == (
        "Fails “correlation survives noise” under `visual` at level 0.3: 0.2 is too much."
    )


@pytest.mark.parametrize(
    ("outcome", "start"),
    [
        (Outcome.PASSED, "Passed its only check; largest correlation drop 0.268"),
        (Outcome.UNDECIDED, "No failures; its only check needs more data."),
        (Outcome.KNOWN_FAILURE, "Only known failures: chrF is cased."),
        (Outcome.ERROR, "Could not be judged: no such model."),
        (Outcome.UNEXPECTED_PASS, "Passes “correlation survives noise” under `visual`"),
        (Outcome.WARNED, "Loses agreement"),
        (Outcome.FAILED, "Loses agreement"),
    ],
)
def test_each_outcome_has_its_finding(make_drop, outcome, start):
    changes = {"outcome": outcome, "reason": "chrF is cased", "message": "no such model"}
    found = metric_verdict("deep", [make_drop("deep", "visual", 0.3).model_copy(update=changes)])

    assert found.findings[0].startswith(start)


def test_a_metric_whose_checks_were_all_skipped_was_not_checked(make_drop):
    skipped = make_drop("deep", "visual", 0.3).model_copy(update={"outcome": Outcome.SKIPPED})

    assert metric_verdict("deep", [skipped]).findings == ("Was not checked.",)


def test_failures_outweigh_errors(make_drop):
    failed = make_drop("deep", "visual", 0.3)
    error = failed.model_copy(update={"outcome": Outcome.ERROR, "estimate": None})

    assert metric_verdict("deep", [error, failed]).sign.slug == "failed"


def test_each_kind_of_failure_is_found_once(demo_run):
    found = metric_verdict("deep", [r for r in demo_run.results if r.metric == "deep"])

    assert [finding.split()[0] for finding in found.findings] == ["Scores", "Loses"]


def test_outcomes_of_a_metric_are_counted(demo_run):
    found = metric_verdict("shallow", [r for r in demo_run.results if r.metric == "shallow"])

    assert found.counts == "17 checks: 2 failed, 1 undecided, 14 passed."


def test_undecided_checks_of_a_metric_are_counted(make_drop):
    undecided = make_drop("deep", "visual", 0.1).model_copy(update={"outcome": Outcome.UNDECIDED})
    found = metric_verdict("deep", [undecided, undecided, make_drop("chrf", "visual", 0.1)])

    assert found.findings == ("No failures; 2 of 3 checks need more data.",)


def test_a_result_without_bounds_has_the_faintest_colour(make_drop):
    unbounded = make_drop("deep", "visual", 0.3).model_copy(update={"bounds": Bounds()})

    assert colour_step(result_distance(unbounded)) == 1


def test_backticks_in_names_do_not_unsettle_a_sentence(make_drop):
    odd = make_drop("deep", "visual", 0.3).model_copy(update={"family": "a`b", "metric": "c`d"})
    found = metric_verdict("c`d", [odd])

    assert found.findings[0].count("`") == 2
    assert quote_name("c`d") == "`c'd`"


@pytest.mark.parametrize(("p", "text"), [(0.62, "0.6200"), (3e-7, "below 0.0001")])
def test_p_values_claim_no_more_than_is_known(p, text):
    assert p_value(p) == text


@pytest.mark.parametrize(
    ("started", "text"),
    [
        ("2026-03-14T09:26:53Z", "2026-03-14 09:26 UTC"),
        ("2026-03-14T09:26:53.123+00:00", "2026-03-14 09:26 UTC"),
        ("<b>yesterday</b>", "<b>yesterday</b>"),
    ],
)
def test_times_are_written_to_the_minute(started, text):
    assert format_time(started) == text


def test_a_strict_bound_at_zero_has_a_colour(make_drop):
    strict = Bounds(low=5e-324)
    result = make_drop("deep", "visual", 0.3).model_copy(update={"bounds": strict})

    assert 1 <= colour_step(result_distance(result)) <= 4


def test_a_distance_beyond_all_numbers_has_the_deepest_colour():
    assert colour_step(Distance(1e308, 1e-8)) == 4
