import pytest

from shakeproof.reports.sections.header import moment
from shakeproof.reports.wording.failure_sentences import charge
from shakeproof.reports.wording.format import (
    ABSENT,
    MINUS,
    allowed,
    cell,
    many,
    number,
    plain,
    significance,
    span,
    tally,
)
from shakeproof.reports.wording.margins import margin
from shakeproof.reports.wording.sentences import headline, verdict
from shakeproof.results import Bounds, Estimate, Outcome, Part


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


@pytest.mark.parametrize(
    ("value", "text"), [(0.3, "0.3"), (1.0, "1"), (-2.5, f"{MINUS}2.5"), (None, ABSENT)]
)
def test_levels_are_as_brief_as_they_were_written(value, text):
    assert plain(value) == text


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
    assert allowed(bounds) == text


def test_a_missing_interval_is_said():
    assert span(Estimate(value=0.3)) == "no interval"


def test_one_thing_is_not_several():
    assert (many(1, "check"), many(2_000, "check")) == ("1 check", "2,000 checks")


def test_counts_go_from_worst_to_best(demo_run):
    ranks = [sign.rank for sign, _ in tally(demo_run.results)]

    assert ranks == sorted(ranks)


def test_a_condition_names_family_level_and_field(make_drop):
    assert cell(make_drop("deep", "visual", 0.3)) == "visual 0.3 on reference"


def test_stored_texts_are_said(make_drop):
    stored = make_drop("deep", "visual", 0.3).model_copy(update={"stored": True})

    assert cell(stored) == "visual 0.3 on reference, stored"


def test_a_falling_correlation_is_told_with_both_numbers(make_drop):
    assert charge(make_drop("deep", "visual", 0.3)) == (
        "Loses agreement with people under `visual`: "
        "wmt-kendall falls from 0.43 to 0.16 at level 0.3."
    )


def test_the_numbers_told_are_those_of_the_judged_level(make_drop):
    result = make_drop("deep", "visual", 0.2)
    more = Part(name="perturbed", estimate=Estimate(value=0.01), level=0.9)

    assert "to 0.25 at level 0.2" in charge(
        result.model_copy(update={"parts": (*result.parts, more)})
    )


def test_a_preferred_copy_is_told(demo_run):
    result = next(r for r in demo_run.results if r.expectation == "copy_penalty")

    assert charge(result) == (
        f"Prefers a copied input to the best paraphrases: penalty {MINUS}0.85 spreads, "
        "≥\u00a00.5 expected; the copy wins on 93% of inputs."
    )


def test_an_unknown_expectation_is_told_by_its_message(make_drop):
    result = make_drop("deep", "visual", 0.3).model_copy(
        update={"expectation": "mine", "message": "0.2 is too much"}
    )

    assert charge(result) == (
        "Fails “correlation survives noise” under `visual` at level 0.3: 0.2 is too much."
    )


@pytest.mark.parametrize(
    ("outcome", "start"),
    [
        (Outcome.PASSED, "Holds up in its one check; its largest drop"),
        (Outcome.UNDECIDED, "Nothing speaks against it, but these data leave 1 check open."),
        (Outcome.KNOWN_FAILURE, "Fails only where that is known: chrF is cased."),
        (Outcome.ERROR, "Could not be judged: no such model."),
        (Outcome.UNEXPECTED_PASS, "Passes “correlation survives noise” under `visual`"),
        (Outcome.WARNED, "Loses agreement"),
        (Outcome.FAILED, "Loses agreement"),
    ],
)
def test_each_outcome_has_its_finding(make_drop, outcome, start):
    changes = {"outcome": outcome, "reason": "chrF is cased", "message": "no such model"}
    found = verdict("deep", [make_drop("deep", "visual", 0.3).model_copy(update=changes)])

    assert found.findings[0].startswith(start)


def test_a_metric_whose_checks_were_all_skipped_was_not_checked(make_drop):
    skipped = make_drop("deep", "visual", 0.3).model_copy(update={"outcome": Outcome.SKIPPED})

    assert verdict("deep", [skipped]).findings == ("Was not checked.",)


def test_failures_outweigh_errors(make_drop):
    failed = make_drop("deep", "visual", 0.3)
    error = failed.model_copy(update={"outcome": Outcome.ERROR, "estimate": None})

    assert verdict("deep", [error, failed]).sign.slug == "failed"


def test_each_kind_of_failure_is_found_once(demo_run):
    found = verdict("deep", [r for r in demo_run.results if r.metric == "deep"])

    assert [finding.split()[0] for finding in found.findings] == ["Prefers", "Loses"]


def test_counts_fit_their_verbs(demo_run):
    found = verdict("shallow", [r for r in demo_run.results if r.metric == "shallow"])

    assert found.counts == "2 of 17 checks fail, 1 is undecided."


def test_the_headline_counts_metrics(make_drop):
    bad = verdict("deep", [make_drop("deep", "visual", 0.3)])
    good = verdict("chrf", [make_drop("chrf", "visual", 0.1)])

    assert headline([bad, good]) == "1 of 2 metrics does not hold up; `chrf` holds up throughout."
    assert headline([bad]) == "`deep` does not hold up."
    assert headline([good]) == "Every check passed."
    assert headline([]) == "No check ran."


@pytest.mark.parametrize(
    ("bounds", "expected"),
    [
        pytest.param(Bounds(high=0.10), -0.168, id="above what is allowed"),
        pytest.param(Bounds(low=0.10), 0.168, id="above what is asked"),
        pytest.param(Bounds(low=0.1, high=0.3), 0.032, id="the nearer of two"),
    ],
)
def test_a_margin_is_the_distance_to_the_nearest_bound(make_drop, bounds, expected):
    result = make_drop("deep", "visual", 0.3).model_copy(update={"bounds": bounds})

    assert margin(result).value == pytest.approx(expected, abs=0.001)


def test_without_bounds_there_is_no_margin(make_drop):
    assert margin(make_drop("deep", "visual", 0.3).model_copy(update={"bounds": Bounds()})) is None


def test_backticks_in_names_do_not_unsettle_a_sentence(make_drop):
    odd = make_drop("deep", "visual", 0.3).model_copy(update={"family": "a`b", "metric": "c`d"})
    found = verdict("c`d", [odd])

    assert found.findings[0].count("`") == 2
    assert headline([found]) == "`c'd` does not hold up."


@pytest.mark.parametrize(("p", "text"), [(0.62, "0.6200"), (3e-7, "below 0.0001")])
def test_p_values_claim_no_more_than_is_known(p, text):
    assert significance(p) == text


@pytest.mark.parametrize(
    ("started", "text"),
    [
        ("2026-03-14T09:26:53Z", "2026-03-14 09:26 UTC"),
        ("2026-03-14T09:26:53.123+00:00", "2026-03-14 09:26 UTC"),
        ("<b>yesterday</b>", "<b>yesterday</b>"),
    ],
)
def test_times_are_written_to_the_minute(started, text):
    assert moment(started) == text


def test_a_strict_bound_at_zero_has_a_finite_margin(make_drop):
    strict = Bounds(low=5e-324)
    result = make_drop("deep", "visual", 0.3).model_copy(update={"bounds": strict})

    assert 1 <= margin(result).step <= 4
