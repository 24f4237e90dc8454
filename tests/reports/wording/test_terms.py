"""The meaning of words on the first screen."""

from built_runs import demo

from shakeproof.reports.page import make_page
from shakeproof.reports.wording.names import metric_labels
from shakeproof.reports.wording.terms import explain_names

SUMMARIES = {"visual": "Replace letters with look-alikes.", "intrude": "Insert characters."}


def run_with_summaries():
    run = demo()
    records = [one.model_copy(update={"summaries": SUMMARIES}) for one in run.checklists]
    return run.model_copy(update={"checklists": tuple(records)})


def explained(*sentences):
    run = run_with_summaries()
    return explain_names(sentences, run, metric_labels(run.results, run.checklists))


def test_families_and_metrics_of_the_first_sentence_are_explained_once():
    assert explained("Under `visual`, `deep` and `deep` fall; `nobody` does not.", "`intrude`") == [
        ("visual", "Replace letters with look-alikes"),
        ("deep", "bertscore, model minilm, layer last"),
    ]


def test_settings_that_are_no_words_or_numbers_are_left_out():
    assert explained("`para-small` rewards copies.") == [
        ("para-small", "parascore, similarity deep, omega 0.05")
    ]


def test_no_finding_explains_nothing():
    assert explained() == []


def test_a_page_explains_what_its_first_finding_names():
    page = make_page(run_with_summaries())
    terms = [term for term, _ in page.terms]

    assert terms[:2] == ["visual", "para-small"]
    assert "wmt-kendall" in terms
