from types import SimpleNamespace

import pytest

from shakeproof.results import Estimate, Example, Outcome, Result, Verdict
from shakeproof.runs.outcomes import failure_text, is_known_failure, report_outcome


def result(verdict=None, **rest):
    return Result(
        id="a::b::c::d",
        file="a",
        line=1,
        metric="b",
        check="c",
        expectation="score_change",
        statement="scores change by at most 0.2 spreads",
        quantity="change",
        outcome=Outcome.FAILED,
        verdict=verdict,
        **rest,
    )


def report(outcome, when="call", **rest):
    return SimpleNamespace(outcome=outcome, when=when, longreprtext="the text", **rest)


@pytest.mark.parametrize(
    ("seen", "verdict", "outcome"),
    [
        pytest.param(report("passed"), Verdict.PASS, Outcome.PASSED, id="pass"),
        pytest.param(report("failed"), Verdict.FAIL, Outcome.FAILED, id="fail"),
        pytest.param(report("passed"), Verdict.FAIL, Outcome.WARNED, id="fail as warning"),
        pytest.param(report("failed"), Verdict.PASS, Outcome.UNEXPECTED_PASS, id="strict xfail"),
        pytest.param(report("skipped"), Verdict.INCONCLUSIVE, Outcome.UNDECIDED, id="undecided"),
        pytest.param(report("failed"), Verdict.INCONCLUSIVE, Outcome.UNDECIDED, id="strict"),
        pytest.param(
            report("skipped", wasxfail="why"), Verdict.FAIL, Outcome.KNOWN_FAILURE, id="xfail"
        ),
        pytest.param(report("failed", "setup"), None, Outcome.ERROR, id="setup error"),
        pytest.param(report("failed"), None, Outcome.ERROR, id="error"),
        pytest.param(report("skipped", "setup"), None, Outcome.SKIPPED, id="skip mark"),
    ],
)
def test_each_report_has_its_outcome(seen, verdict, outcome):
    found = None if verdict is None else result(verdict)

    assert report_outcome(seen, found)[0] is outcome


@pytest.mark.parametrize(
    ("seen", "verdict", "outcome"),
    [
        pytest.param(report("failed"), Verdict.PASS, Outcome.FAILED, id="bounds hold"),
        pytest.param(report("failed"), Verdict.INCONCLUSIVE, Outcome.FAILED, id="undecided"),
        pytest.param(report("passed"), Verdict.PASS, Outcome.WARNED, id="as a warning"),
    ],
)
def test_a_regression_since_the_baseline_is_a_failure_whatever_the_verdict(seen, verdict, outcome):
    found = result(verdict, change=Estimate(value=-0.2, low=-0.3, high=-0.1))

    assert report_outcome(seen, found)[0] is outcome


def planned(known, *, metric="b", level=0.3):
    check = SimpleNamespace(known_failure=known)
    return SimpleNamespace(check=check, metric=metric, level=level)


@pytest.mark.parametrize(
    ("metrics", "levels", "expected"),
    [
        pytest.param(None, None, True, id="all"),
        pytest.param(("b",), None, True, id="its metric"),
        pytest.param(("x",), None, False, id="another metric"),
        pytest.param(None, (0.3,), True, id="its level"),
        pytest.param(("b",), (0.1, 0.2), False, id="other levels"),
    ],
)
def test_a_known_failure_names_metrics_and_levels(metrics, levels, expected):
    known = SimpleNamespace(metrics=metrics, levels=levels, reason="")

    assert is_known_failure(planned(known)) is expected


def test_without_a_known_failure_nothing_is_known_to_fail():
    assert not is_known_failure(planned(None))


def test_a_failure_opens_with_the_number_and_shows_texts_with_their_escapes():
    example = Example(
        segment="7",
        field="reference",
        before="abc",
        after="a\u202ebc",
        candidate="cand",
        score_before=0.9,
        score_after=0.5,
        remark="prefers the worse now",
    )
    text = failure_text(result(Verdict.FAIL, message="drop 0.4 > 0.1 allowed", examples=(example,)))

    assert text.splitlines()[0] == "drop 0.4 > 0.1 allowed"
    assert "\u202e" not in text
    assert "score 0.900 -> 0.500" in text


MINIMAL = Example(
    segment="7",
    field="candidate",
    before="a small cat",
    after="A SMALL CAT",
    score_before=0.9,
    score_after=0.1,
    minimal="a small CAT",
    score_minimal=0.5,
    edits=3,
    edits_minimal=1,
    calls=6,
    pin="checks:\n  - check: pinned\n",
)


def test_the_fewest_edits_are_marked_with_their_score_their_cost_and_once_how_to_keep_them():
    found = result(Verdict.FAIL, message="change 2 > 1 allowed", examples=(MINIMAL, MINIMAL))
    lines = failure_text(found).splitlines()

    at = lines.index("  enough to break it: 1 edit of 3, found with 6 scores")
    assert lines[at + 1 : at + 3] == [
        "  = 'a small [-cat-]{+CAT+}'",
        "  score 0.900 -> 0.500",
    ]
    assert lines[-3:] == ["to hold on to the first of them:", "  checks:", "    - check: pinned"]


def test_a_search_that_counted_nothing_still_shows_its_text():
    bare = MINIMAL.model_copy(
        update={
            "edits": None,
            "edits_minimal": None,
            "calls": None,
            "pin": "",
            "score_minimal": None,
        }
    )
    text = failure_text(result(Verdict.FAIL, message="m", examples=(bare,)))

    assert text.endswith("  enough to break it:\n  = 'a small [-cat-]{+CAT+}'")
