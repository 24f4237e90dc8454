import re

import pytest
from built_results import drop, estimate
from built_texts import example

from shakeproof.reports import render
from shakeproof.reports.charts.bars import summarise_changes
from shakeproof.reports.sections.checks import MAX_CHANGES_CHARTS, facts_of, usual_method
from shakeproof.reports.sections.texts import show_example
from shakeproof.results import Histogram, Part


def section(page, name, following):
    return page[page.index(f'<section id="{name}"') : page.index(f'<section id="{following}"')]


def changed(**kwargs):
    return example(0).model_copy(update=kwargs)


def facts(result):
    return dict(facts_of(result, usual_method([result])))


def test_the_fewest_edits_are_marked_and_counted():
    shown = show_example(example(0))

    assert [span.text for span in shown.minimal if span.kind == "added"] == ["ᵹᴚḕḘ"]
    assert shown.search == "2 of 9 edits, score 0.610, 47 scores computed in the search"


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        pytest.param({"calls": 0}, "2 of 9 edits, score 0.610", id="no search needed"),
        pytest.param(
            {"edits": None, "calls": None}, "score 0.610", id="edits that were not counted"
        ),
        pytest.param(
            {"minimal": example(0).after, "calls": 3},
            "every edit is needed, score 0.610, 3 scores computed in the search",
            id="all are needed",
        ),
    ],
)
def test_what_is_known_of_the_search_is_described(changes, text):
    assert show_example(changed(**changes)).search == text


def test_edits_that_are_all_needed_are_not_shown_twice():
    assert show_example(changed(minimal=example(0).after)).minimal == ()


def test_a_text_emptied_by_its_fewest_edits_is_marked_as_removed():
    emptied = changed(minimal="", minimal_spans=())

    assert [span.kind for span in show_example(emptied).minimal] == ["removed"]


def test_a_counterexample_stands_under_its_text_with_a_check_to_keep(make_run):
    texts = section(render(make_run([drop("deep", "visual", 0.3)])), "texts", "repeat")
    first = texts[texts.index("<dl") : texts.index("</dl>")]

    assert (
        first.index("<dt>reference")
        < first.index("<dt>smallest failing edit")
        < first.index("<dt>cand")
    )
    assert re.search(r'<pre [^>]*data-copy="the check"[^>]*><code>- check: seg-000', first)


def test_without_a_counterexample_nothing_is_said_of_one(make_run):
    result = drop("deep", "visual", 0.3)
    plain = changed(minimal=None, pin="")
    page = render(make_run([result.model_copy(update={"examples": (plain,)})]))

    assert "smallest failing edit<dd>" not in page
    assert "Save as a regression test" not in page


def test_changes_of_scores_are_charted_with_the_texts_and_linked_from_the_row(make_run):
    page = render(make_run([drop("deep", "visual", 0.3)]))
    texts, checks = section(page, "texts", "repeat"), section(page, "checks", "texts")
    chart = re.search(r'<figure class="panel" id="(changes-\w+)"', texts)[1]

    assert f'<a href="#{chart}">' in checks
    assert '<figure class="panel" id="changes-' not in checks


def test_passing_checks_have_their_chart_in_the_row(make_run):
    page = render(make_run([drop("chrf", "visual", 0.1)]))

    assert '<figure class="panel" id="changes-' in section(page, "checks", "repeat")


def test_charts_beyond_the_room_of_a_page_are_counted(make_run):
    results = [drop("chrf", f"f{number}", 0.1) for number in range(MAX_CHANGES_CHARTS + 3)]
    page = render(make_run(results))

    assert page.count('<figure class="panel" id="changes-') == MAX_CHANGES_CHARTS
    assert "Score changes of 3 more checks are in run.json only." in page


@pytest.mark.parametrize(
    ("edges", "counts", "words"),
    [
        pytest.param((-2, -1, 1, 2), (3, 4, 5), "3 fell, 5 rose, 4 barely changed", id="all"),
        pytest.param((-2, -1, 0), (3, 4), "3 fell, 0 rose, 4 barely changed", id="up to zero"),
        pytest.param((1, 2), (7,), "0 fell, 7 rose", id="all rose"),
    ],
)
def test_changes_are_summed_up_in_words(edges, counts, words):
    assert summarise_changes(Histogram(edges=edges, counts=counts)) == words


def test_all_changes_equal_make_no_chart(make_run):
    same = Histogram(edges=(0.1, 0.1), counts=(5,))
    result = drop("chrf", "visual", 0.1).model_copy(update={"changes": same})

    assert "Score changes of" not in render(make_run([result]))


def test_numbers_of_the_row_are_not_said_again():
    assert facts(drop("deep", "visual", 0.3))["drop of wmt-kendall"] == "240 segments"


def test_numbers_that_the_message_lacks_are_said():
    silent = drop("deep", "visual", 0.3).model_copy(update={"message": ""})

    assert facts(silent)["drop of wmt-kendall"] == "0.268 [0.236, 0.300], 240 segments"


def test_ties_are_shares_of_pairs():
    assert facts(drop("deep", "visual", 0.3))["Ties"] == "1.0% clean; 1.0% perturbed"


def test_ties_of_groups_stay_beside_the_estimate():
    tied = Part(name="ties, clean", estimate=estimate(0.2), group="gu-en")
    found = facts(drop("deep", "visual", 0.3).model_copy(update={"parts": (tied,)}))

    assert "Ties" not in found
    assert found["Also measured"].startswith("ties, clean gu-en 0.200")


def test_p_is_shown_raw_and_adjusted_for_every_check():
    assert facts(drop("deep", "visual", 0.3))["p"] == "0.0004, adjusted 0.0011"
    assert facts(drop("chrf", "visual", 0.1))["p"] == "0.6200, adjusted 0.7100"


def test_a_statement_is_said_unless_quantity_and_bound_say_it():
    result = drop("deep", "visual", 0.3)
    other = result.model_copy(update={"statement": "smaller than that of deep"})

    assert "Expected" not in facts(result)
    assert facts(other)["Expected"] == "smaller than that of deep"


@pytest.mark.parametrize(
    "words",
    [
        pytest.param("95% interval by expanded percentile, 10,000 draws", id="intervals"),
        pytest.param("Hochberg adjustment over the run", id="adjusted p"),
        pytest.param("Ties are pairs", id="ties"),
        pytest.param("candidates truncated</dt><dd>3", id="truncation"),
        pytest.param("device</dt><dd>cpu", id="device"),
        pytest.param("<td>Apache-2.0</td>", id="licence"),
        pytest.param("<td>The shakeproof maintainers. shakeproof</td>", id="citation"),
        pytest.param("seed 7, sha256 <code>9f2c", id="seed and hash"),
        pytest.param("<code>51ab", id="hash of the data"),
        pytest.param("deep|model:minilm|weights:53aa5117", id="signature"),
        pytest.param("torch</dt><dd>2.13.0", id="versions"),
        pytest.param("draws</dt><dd>10000", id="settings"),
        pytest.param("checklist: BERTScore under character noise", id="checklist"),
    ],
)
def test_the_method_section_has_all_that_a_reviewer_asks_for(demo_page, words):
    assert words in demo_page[demo_page.index('<section id="repeat"') :]
