"""The sentences at the top of the page, for runs of every kind."""

import pytest
from built_copies import copy_penalty
from built_judges import judges_demo
from built_results import drop, estimate, plain_result
from built_runs import demo, published, wrap

from shakeproof.reports import render
from shakeproof.reports.sections.findings import findings
from shakeproof.reports.wording.format import MINUS
from shakeproof.reports.wording.names import metric_labels
from shakeproof.results import Bounds, Change, ChangeKind, Estimate, Leaning, MissingCount, Outcome

NBSP = "\N{NO-BREAK SPACE}"


def sentences(results, **kwargs):
    run = wrap(results, **kwargs)
    found = findings(run, metric_labels(run.results, run.checklists))
    return {finding.topic: finding.sentence for finding in found}


def changed(result, **kwargs):
    return result.model_copy(update=kwargs)


def penalty(metric, value, half=0.09):
    found = copy_penalty("para-large")
    return changed(found, metric=metric, id=metric, estimate=estimate(value, half))


def test_each_question_that_was_asked_has_its_sentence():
    topics = ["Noise", "Copying", "Meaning", "Other", "Undecided", "Errors", "Skipped"]

    assert list(sentences(demo().results)) == topics


def test_the_best_metric_is_described_under_its_strongest_noise_beside_the_one_that_keeps_most():
    results = [drop(m, f, 0.3) for m in ("deep", "shallow", "chrf") for f in ("visual", "intrude")]

    assert sentences(results)["Noise"] == (
        "Under `visual` 0.3 in references (30% of characters edited) the agreement of `deep` with "
        "people (wmt-kendall) falls from 0.43 to 0.16, a drop of 0.27 [0.24, 0.30]; `chrf` keeps "
        "0.27 (from 0.31)."
    )


def test_one_metric_is_compared_with_none():
    assert sentences([drop("deep", "visual", 0.3)])["Noise"].endswith("[0.24, 0.30].")


def test_where_the_best_metric_keeps_most_the_one_that_keeps_least_is_named():
    results = [drop(metric, "visual", 0.1) for metric in ("deep", "para-small")]

    assert sentences(results)["Noise"].endswith(
        "; no other metric keeps a larger share, `deep` keeps least: 0.34 (from 0.43)."
    )


def test_a_drop_whose_interval_includes_zero_is_not_called_a_fall():
    text = sentences([drop("chrf", "visual", 0.1)])["Noise"]

    assert "does not fall significantly: from 0.31 to 0.30, a drop of 0.01 [" in text


def test_two_data_sets_have_a_sentence_each_that_names_the_checklist():
    first = drop("deep", "visual", 0.3)
    second = changed(first, file="b.yaml", id="b")
    text = sentences([first, second])["Noise"]

    assert "edited, noise) the agreement" in text
    assert "edited, b) the agreement" in text


def test_of_many_data_sets_the_rest_is_counted():
    first = drop("deep", "visual", 0.3)
    every = [changed(first, file=f"{n}.yaml", id=str(n)) for n in range(5)]

    assert sentences(every)["Noise"].endswith("has 3 more combinations of data and coefficient.")


def test_noise_without_correlations_is_counted():
    text = sentences([changed(drop("deep", "visual", 0.3), parts=())])["Noise"]

    assert text.startswith("Noise: the only check failed; `deep`, drop of wmt-kendall 0.27")


@pytest.mark.parametrize(
    ("penalties", "text"),
    [
        pytest.param(
            {"a": -1.0},
            "`a` scores a copied input above the best paraphrases (for 4% of inputs, penalty "
            f"{MINUS}1.00 [{MINUS}1.09, {MINUS}0.91] spreads).",
            id="one that does",
        ),
        pytest.param(
            {"a": 1.0},
            "`a` does not score a copied input above the best paraphrases: penalty 1.00 "
            "[0.91, 1.09] spreads.",
            id="one that does not",
        ),
        pytest.param(
            {"a": 1.0, "b": 2.0},
            "None of 2 metrics scores a copied input above the best paraphrases; the lowest "
            "penalty is that of `a`: 1.00 [0.91, 1.09] spreads.",
            id="none",
        ),
        pytest.param(
            {"a": 1.0, "b": -1.0, "c": 0.01},
            "`b` scores a copied input above the best paraphrases (for 4% of inputs, penalty "
            f"{MINUS}1.00 [{MINUS}1.09, {MINUS}0.91] spreads); `a` does not (penalty 1.00 "
            "[0.91, 1.09] spreads); for `c` that is not certain.",
            id="of each kind",
        ),
    ],
)
def test_copies_are_preferred_only_where_the_whole_interval_says_so(penalties, text):
    results = [penalty(metric, value) for metric, value in penalties.items()]

    assert sentences(results)["Copying"] == text


def test_a_copy_that_costs_too_little_is_told_with_the_bound():
    result = changed(penalty("a", 0.3), outcome=Outcome.FAILED)

    assert f"spreads, ≥{NBSP}0.5 required." in sentences([result])["Copying"]


def test_forty_metrics_are_counted_not_named():
    text = sentences([penalty(f"m{n:02}", n / 10 - 3.05) for n in range(40)])["Copying"]

    assert text.startswith(
        "30 of 40 metrics score a copied input above the best paraphrases (`m00`"
    )
    assert "; 8 do not (lowest penalty 0.15" in text
    assert text.endswith("; for `m30` and `m31` that is not certain.")


def test_edits_that_should_cost_points_are_summed_up_with_the_worst():
    low = {"expectation": "score_drop", "bounds": Bounds(low=0.2), "family": "negate"}
    results = [
        plain_result("a", "c", Outcome.FAILED, estimate=estimate(0.08), **low),
        plain_result("b", "c", Outcome.PASSED, estimate=estimate(0.4), **low),
    ]

    assert sentences(results)["Meaning"] == (
        "Edits that should cost points (`negate`): 1 of 2 checks failed; worst: `a`, mean |change| "
        f"0.08 [0.05, 0.11] spreads, ≥{NBSP}0.2 required."
    )


def test_passing_is_said_with_what_was_tested_and_what_was_not():
    results = [drop("chrf", "visual", level) for level in (0.05, 0.1)]

    assert sentences(results)["Passed"] == (
        "Every check passed: noise (2); not tested: copied inputs and edits that change the "
        "meaning."
    )
    assert "Passed" not in sentences(demo().results)


def test_a_run_of_undecided_checks_asks_for_data():
    undecided = [
        changed(drop("deep", "visual", level), outcome=Outcome.UNDECIDED) for level in (0.1, 0.3)
    ]

    assert sentences(undecided)["Undecided"] == "2 of 2 checks need more data."
    assert sentences(undecided[:1])["Undecided"] == "The only check needs more data."


def test_undecided_checks_say_which_way_they_lean():
    leanings = (Leaning.FAILS, Leaning.FAILS, Leaning.PASSES, Leaning.NONE)
    undecided = [
        changed(drop("deep", "visual", 0.1 * n), outcome=Outcome.UNDECIDED, leaning=leaning)
        for n, leaning in enumerate(leanings)
    ]
    page = render(wrap(undecided))

    assert sentences(undecided)["Undecided"] == (
        "4 of 4 checks need more data (2 probably fail, 1 probably passes)."
    )
    assert "4 undecided (2 probably fail, 1 probably passes)" in page


def test_missing_scores_are_counted_by_metric_and_by_check():
    missing = MissingCount(count=12, of=766, reasons=("ZeroDivisionError: division by zero",))
    run = wrap([changed(drop("deep", "visual", 0.3), missing=missing)])
    metrics = tuple(changed(m, missing=(missing,)) for m in run.checklists[0].metrics[:1])
    found = changed(run, checklists=(changed(run.checklists[0], metrics=metrics),))
    page = render(found)

    assert f"{metrics[0].name}: 12 of 766 scores missing (1.6 %): ZeroDivisionError" in page
    assert "12 of 766 candidates without a score: ZeroDivisionError: division by zero" in page


def test_errors_name_their_metrics_and_the_first_reason():
    lost = [
        plain_result(metric, "c", Outcome.ERROR, message=f"no {metric}.") for metric in ("a", "b")
    ]

    assert sentences(lost) == {
        "Errors": "`a` and `b` could not be judged in 2 checks, first: no a."
    }


def test_skipped_checks_give_their_reason_if_it_is_one():
    skipped = plain_result("a", "c", Outcome.SKIPPED, reason="no card")

    assert sentences([skipped]) == {
        "Result": "No check ran.",
        "Skipped": "1 check was skipped: no card.",
    }


def test_changes_since_the_baseline_are_counted():
    kinds = [ChangeKind.WORSE, ChangeKind.UNCHANGED, ChangeKind.UNCHANGED]
    results = [
        changed(drop("deep", "visual", 0.3), id=str(n), change=Change(kind=kind))
        for n, kind in enumerate(kinds)
    ]

    assert sentences(results)["Baseline"] == "Of 3 checks in the baseline: 1 worse, 2 unchanged."


def test_published_numbers_are_summed_up():
    text = sentences([drop("deep", "visual", 0.3)], published=published())["Published"]

    assert text.startswith("1 of 4 measured numbers equals the published one")


def test_a_run_without_checks_says_so():
    assert sentences([]) == {"Result": "No check ran."}
    assert "No check ran." in render(wrap([], checklists=()))


def test_names_with_backticks_stay_names():
    odd = changed(drop("deep", "visual", 0.3), metric="a`b", family="c`d")

    assert sentences([odd])["Noise"].startswith("Under `c'd` 0.3 in references")
    assert "`a'b`" in sentences([odd])["Noise"]


def test_an_undefined_drop_gives_no_number():
    undefined = changed(drop("deep", "visual", 0.3), parts=(), estimate=Estimate(value=None))

    assert sentences([undefined])["Noise"] == "Noise: the only check failed."


@pytest.mark.parametrize(
    ("outcomes", "text"),
    [
        pytest.param(["passed"], "the only check passed", id="one"),
        pytest.param(["undecided"], "the only check is undecided", id="one open"),
        pytest.param(["undecided"] * 2, "all 2 checks are undecided", id="all open"),
        pytest.param(["known failure"] * 2, "all 2 checks are known failures", id="all known"),
        pytest.param(["failed", "passed"], "1 of 2 checks failed", id="some failed"),
        pytest.param(["warned", "passed"], "1 of 2 checks passed, 1 warned", id="some warned"),
    ],
)
def test_outcomes_of_other_checks_are_counted(outcomes, text):
    results = [plain_result("a", "c", Outcome(word)) for word in outcomes]

    assert sentences(results)["Other"] == f"`upper-case`: {text}."


def test_checks_of_judges_have_a_sentence_of_their_own():
    found = findings(judges_demo(), metric_labels(judges_demo().results))

    assert [finding.topic for finding in found] == ["Judges", "Undecided"]
    assert found[0].sentence.startswith("Texts made to impress a judge: 2 of 8 checks failed")
    assert " Stability of its answers: 1 of 2 checks failed" in found[0].sentence
