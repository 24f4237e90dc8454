"""What changed between two runs as a comment on a pull request."""

import pytest

from shakeproof.reports import render_comparison_markdown
from shakeproof.results import (
    Change,
    ChangeKind,
    ComparedResult,
    Estimate,
    Outcome,
    RunComparison,
    Verdict,
)


@pytest.fixture
def result(make_drop):
    return make_drop("deep", "visual", 0.3)


@pytest.fixture
def markdown(make_run, result):
    """Render the comparison of a check with itself, with these changes of it."""

    def render(*changes, new=result, at_most=20, **only):
        pairs = tuple(ComparedResult(old=result, new=new, change=change) for change in changes)
        run = make_run([result])
        comparison = RunComparison(old=run, new=run, results=pairs, **only)
        return render_comparison_markdown(comparison, since="`main`", at_most=at_most)

    return render


def changed(kind, value=0.1, **more):
    estimate = Estimate(value=value, low=value - 0.05, high=value + 0.05)
    return Change(kind=kind, estimate=estimate, **more)


def rows(text):
    return [line for line in text.splitlines() if line.startswith("| ")][2:]


def test_a_change_has_both_numbers_and_its_interval(markdown):
    (row,) = rows(markdown(changed(ChangeKind.WORSE, regressed=True)))

    assert row.startswith("| ↘ **regression** | `deep` | ")
    assert "+0.100 \\[+0.050, +0.150\\]" in row


def test_what_is_unclear_or_unchanged_is_only_counted(markdown):
    text = markdown(changed(ChangeKind.UNCLEAR), changed(ChangeKind.UNCHANGED, 0.0))

    assert text.startswith("### No significant change; 1 unclear, 1 unchanged.\n")
    assert rows(text) == []


def test_another_verdict_is_listed_whatever_the_change(markdown, result):
    other = Verdict.PASS if result.verdict is Verdict.FAIL else Verdict.FAIL
    new = result.model_copy(update={"verdict": other})
    (row,) = rows(markdown(changed(ChangeKind.UNCLEAR), new=new))

    assert row.endswith(f"| {result.verdict.value} → {other.value} |")


def test_a_failure_that_the_baseline_accepts_is_no_news(markdown, result):
    new = result.model_copy(update={"outcome": Outcome.KNOWN_FAILURE})

    assert rows(markdown(changed(ChangeKind.UNCHANGED, 0.0), new=new)) == []


def test_more_rows_than_asked_are_counted(markdown):
    text = markdown(*[changed(ChangeKind.WORSE)] * 25)

    assert len(rows(text)) == 20
    assert "5 more checks changed" in text


def test_metric_settings_reasons_and_checks_of_one_run_are_listed(markdown, result):
    text = markdown(
        changed(ChangeKind.WORSE, metric_changes="metric settings changed: a then, b now"),
        Change(kind=ChangeKind.NOT_COMPARABLE, reason="other seeds"),
        only_old=(result,),
        only_new=(result, result),
    )

    assert "- `deep`: metric settings changed: a then, b now\n" in text
    assert "- not comparable: 1 check, other seeds\n" in text
    assert "- new: 2 checks (" in text
    assert "- not in this run: 1 check\n" in text


def test_markup_in_names_stays_text(markdown, result):
    odd = result.model_copy(update={"check": "<img src=x> | @team\n# title", "metric": "a`b"})
    text = markdown(changed(ChangeKind.WORSE), new=odd)

    assert "<img" not in text
    assert "\n# title" not in text
    assert len(rows(text)) == 1
