import pytest
from built_copies import copy_penalty
from built_results import estimate, plain_result
from built_runs import checklist_record

from shakeproof.reports import render
from shakeproof.reports.sections.ablations import ablations
from shakeproof.reports.sections.copying import added_copies, copy_scores, copying
from shakeproof.results import Estimate, Outcome, PartName

VARIANTS = ("para-large", "para-unbounded", "para-free", "para-similar")


def without(result, *names):
    kept = tuple(part for part in result.parts if part.name not in names)
    return result.model_copy(update={"parts": kept})


def test_copy_scores_go_from_the_copy_outwards():
    names = [mark.name for mark in copy_scores(copy_penalty("deep")).chart.marks]

    assert names == [
        "copied input",
        "lower case",
        "no punctuation",
        "1 word changed",
        "2 words changed",
        "4 words changed",
        "best rated",
        "average candidate",
    ]


def test_copies_should_score_below_the_best_rated():
    chart = copy_scores(copy_penalty("para-large")).chart
    best = next(mark for mark in chart.marks if mark.name == "best rated")

    assert chart.zone.end == pytest.approx(best.x)
    assert chart.zone.start == chart.frame.left


def test_a_run_without_near_copies_still_shows_copy_and_rated():
    near = (PartName.COPY_LOWER, PartName.COPY_UNPUNCTUATED, PartName.NEAR_COPY)
    chart = copy_scores(without(copy_penalty("deep"), *near)).chart

    assert [mark.name for mark in chart.marks] == [
        "copied input",
        "best rated",
        "average candidate",
    ]


def test_the_break_even_similarity_is_shown_where_a_formula_gives_it():
    sentence = "A paraphrase scores above a copy when its similarity is above 0.39."

    assert copy_scores(copy_penalty("para-large")).break_even == sentence
    assert copy_scores(copy_penalty("deep")).break_even == ""


def test_wins_and_ranks_are_shares_from_0_to_1():
    (section,) = copying([copy_penalty("deep"), copy_penalty("para-large")], [checklist_record([])])
    wins, ranks = section.ranks

    assert [mark.text for mark in wins.marks] == ["0.930", "0.040"]
    assert [(mark.full_name, mark.note) for mark in ranks.marks] == [
        ("deep", "own"),
        ("deep", "all"),
        ("para-large", "own"),
        ("para-large", "all"),
    ]
    assert [tick.text for tick in wins.x_axis.ticks][::4] == ["0", "1"]


def test_correlations_before_and_after_adding_copies_stand_side_by_side():
    pearson, spearman = added_copies([copy_penalty("deep"), copy_penalty("para-large")], "f")

    assert [row.change for row in pearson.rows] == pytest.approx([-0.049, 0.011])
    assert [mark.note for mark in spearman.chart.marks] == ["before", "after", "before", "after"]


def test_a_correlation_that_is_undefined_is_left_out():
    undefined = Estimate(value=None, note="no ratings")
    result = copy_penalty("deep")
    parts = tuple(
        part.model_copy(update={"estimate": undefined}) if "pearson" in part.name else part
        for part in result.parts
    )

    (only,) = added_copies([result.model_copy(update={"parts": parts})], "f")

    assert only.coefficient == "spearman"


def test_variants_stand_in_the_order_of_the_paper():
    results = [copy_penalty(name) for name in reversed(VARIANTS)]
    (found,) = ablations(results, checklist_record(reversed(VARIANTS)))

    assert found.variants == (
        ("para-large", "complete"),
        ("para-unbounded", "no threshold"),
        ("para-free", "no max"),
        ("para-similar", "no divergence"),
    )
    assert [column.title for column in found.columns] == [
        "copy penalty (spreads)",
        "pearson",
        "pearson with copies rated 0",
        "spearman",
        "spearman with copies rated 0",
    ]


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        pytest.param(("para-large", "para-small"), [], id="another weight is no ablation"),
        pytest.param(("para-unbounded", "para-free"), [], id="no complete metric"),
        pytest.param(("deep", "para-large"), [], id="other metrics"),
        pytest.param(
            ("para-small", "para-similar"),
            ["para-small"],
            id="without divergence its weight does not matter",
        ),
        pytest.param(
            ("para-small", "para-large", "para-similar"),
            ["para-large"],
            id="unless one has the same weight",
        ),
    ],
)
def test_an_ablation_differs_in_its_switches_alone(names, expected):
    found = ablations([copy_penalty(name) for name in names], checklist_record(names))

    assert [ablation.title for ablation in found] == expected


def test_plain_correlations_of_variants_are_compared_too():
    results = [
        plain_result(
            name,
            "agrees with people",
            Outcome.PASSED,
            expectation="correlation",
            quantity="spearman",
            unit="",
            family=None,
            field=None,
            estimate=estimate(0.4),
        )
        for name in VARIANTS[:2]
    ]
    (section,) = copying(results, [checklist_record(VARIANTS[:2])])

    assert [column.title for column in section.ablations[0].columns] == ["spearman"]
    assert section.copy_scores == ()


def test_without_copies_there_is_no_section(make_run, make_drop):
    assert 'id="copying"' not in render(make_run([make_drop("deep", "visual", 0.3)]))


def test_two_checklists_are_told_apart_by_their_names(make_run):
    first = copy_penalty("deep")
    second = first.model_copy(update={"file": "more/other.checklist.yaml", "id": "other"})
    records = [
        checklist_record(["deep"]).model_copy(update={"file": r.file}) for r in (first, second)
    ]
    page = render(make_run([first, second], checklists=records))

    assert "From a copy to a paraphrase: noise</h3>" in page
    assert "From a copy to a paraphrase: other</h3>" in page
    assert "<h4><code>deep</code></h4>" in page
