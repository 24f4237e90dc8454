import pytest

from shakeproof.reports import render_comparison
from shakeproof.reports.comparison import headline, make_comparison_page
from shakeproof.results import Change, ChangeKind, ComparedResult, Estimate, RunComparison


@pytest.fixture
def result(make_drop):
    return make_drop("deep", "visual", 0.3)


@pytest.fixture
def comparison(make_run, result):
    """Compare a run of one check with itself, with these changes of it."""

    def compare(*changes, old=None, new=None, **only):
        pairs = tuple(ComparedResult(old=result, new=result, change=change) for change in changes)
        old, new = old or make_run([result]), new or make_run([result])
        return RunComparison(old=old, new=new, results=pairs, **only)

    return compare


def changed(kind, value=0.1, **kwargs):
    estimate = Estimate(value=value, low=value - 0.05, high=value + 0.05)
    return Change(kind=kind, estimate=estimate, **kwargs)


def test_what_cannot_be_compared_is_listed_with_its_reason(comparison):
    found = comparison(Change(kind=ChangeKind.NOT_COMPARABLE, reason="other seeds"))
    page = make_comparison_page(found)

    assert page.compared == ()
    assert len(page.not_comparable) == 1
    assert "<td>other seeds" in render_comparison(found)


@pytest.mark.parametrize(
    ("kind", "tone"),
    [("worse", "failed"), ("better", "passed"), ("higher", "known"), ("unclear", "skipped")],
)
def test_a_change_shows_its_direction_in_words_and_colour(comparison, kind, tone):
    (row,) = make_comparison_page(comparison(changed(ChangeKind(kind)))).compared
    html = render_comparison(comparison(changed(ChangeKind(kind))))

    assert row.tone == tone
    assert f"</span> {kind}<td>" in html


def test_rows_of_one_quantity_share_a_scale(comparison):
    changes = [changed(ChangeKind.WORSE, 0.4), changed(ChangeKind.WORSE, 0.1)]
    large, small = make_comparison_page(comparison(*changes)).compared

    assert large.strip.mark.x > small.strip.mark.x > small.strip.zero == large.strip.zero


def test_a_change_without_interval_is_shown(comparison):
    exact = Change(kind=ChangeKind.WORSE, estimate=Estimate(value=2.0, method="exact"))

    assert "<small>no interval</small>" in render_comparison(comparison(exact))


def test_changed_settings_of_a_metric_are_mentioned(comparison):
    change = changed(ChangeKind.WORSE, metric_changes="metric settings changed: v:1 then, v:2 now")

    assert "<small>metric settings changed</small>" in render_comparison(comparison(change))
    assert "metric settings changed" not in render_comparison(comparison())


@pytest.mark.parametrize(
    ("kinds", "text"),
    [
        pytest.param([], "The two runs have no check in common.", id="nothing in common"),
        pytest.param(["unchanged"], "No significant change; 1 unchanged.", id="unchanged"),
        pytest.param(
            ["worse", "worse", "better", "unclear"],
            "2 checks significantly worse, 1 check significantly better; 1 unclear.",
            id="changes",
        ),
        pytest.param(["higher"], "1 check significantly higher.", id="two bounds"),
        pytest.param(
            ["not comparable", "unclear"],
            "No significant change; 1 unclear, 1 not comparable.",
            id="the rest",
        ),
    ],
)
def test_the_headline_counts_the_changes(comparison, kinds, text):
    assert headline(comparison(*(changed(ChangeKind(kind)) for kind in kinds))) == text


def test_checks_of_one_run_only_are_listed(comparison, result):
    html = render_comparison(comparison(only_old=(result,), only_new=(result,)))

    assert f"only in the old run: <code>{result.id}</code> (failed)" in html
    assert f"only in the new run: <code>{result.id}</code> (failed)" in html


def test_configuration_changes_are_listed(comparison, make_run, result):
    new = make_run([result], environment={"torch": "3.0"})
    page = make_comparison_page(comparison(new=new))

    assert ("environment torch", "2.13.0", "3.0") in page.configuration


def test_equal_configurations_are_stated(comparison):
    assert "signatures are the same" in render_comparison(comparison())
