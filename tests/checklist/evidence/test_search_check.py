"""`expect: search`: what it says, what it refuses, and how it is judged."""

import pytest

from shakeproof.cli.main import main
from shakeproof.errors import SpecError
from shakeproof.expectations import EXPECTATIONS
from shakeproof.results import Outcome
from shakeproof.spec.read import parse
from shakeproof.spec.schema import checklist_schema

CHECKLIST = """\
data: sample
language: en
draws: 500
families:
  shout: {regex: '[a-z]+(?= )', with: LOUD, level: chance}
metrics:
  words: word-f1
checks:
  - check: few edits do little
    perturb: {PERTURB}
    expect: EXPECT
"""
TYPOS = "keyboard-typo: {on: candidate, levels: [0.3]}"


def text(expect="search", perturb=TYPOS):
    return CHECKLIST.replace("PERTURB", perturb).replace("EXPECT", expect)


@pytest.fixture
def judged(run_checklist):
    """Judge one search on the sample."""

    def run(expect="search", perturb=TYPOS, **options):
        (found,) = run_checklist(text(expect, perturb), **options).results
        return found

    return run


@pytest.mark.parametrize(
    ("expect", "statement"),
    [
        ({}, "up to 3 edits of a text change its score by at most 1.00 spreads"),
        (
            {"scores": "drop", "at_least": 0, "unit": "raw", "edits": 1},
            "up to 1 edit of a text lower its score by at least 0.00",
        ),
        ({"scores": "flip"}, "no 3 edits of a text put a better candidate behind a worse one"),
    ],
)
def test_it_says_in_words_what_no_text_may_do(expect, statement):
    assert EXPECTATIONS["search"](**expect).statement == statement


@pytest.mark.parametrize(
    ("expect", "line"),
    [
        ("{search: {edits: 0}}", "edits must be at least 1, got 0"),
        ("{search: {budget: 0}}", "budget must be at least 1, got 0"),
        ("{search: {scores: flips}}", "'flip'"),
        ("{search: {edit: 3}}", "unknown key 'edit'; did you mean 'edits'?"),
        ("{search: {at_least: 2, at_most: 1}}", "at_least 2 lies above at_most 1"),
        (
            "{search: {scores: flip, at_most: 1}}",
            "bounds belong to scores: change, drop or rise, not to flip",
        ),
    ],
)
def test_every_mistake_is_reported_in_one_line(expect, line, tmp_path):
    with pytest.raises(SpecError) as caught:
        parse(text(expect), tmp_path / "c.checklist.yaml")

    assert line in str(caught.value)
    assert "c.checklist.yaml:11:" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_polish_without_hypothesis_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setattr("shakeproof.expectations.search.find_spec", lambda name: None)

    with pytest.raises(SpecError, match="polish needs Hypothesis; install it by pip install"):
        parse(text("{search: {polish: true}}"), tmp_path / "c.checklist.yaml")


def test_people_s_order_is_not_searched_where_the_meaning_changes(tmp_path):
    with pytest.raises(SpecError, match="their human ratings no longer hold"):
        parse(
            text("{search: {scores: flip}}", "shout: {on: candidate, levels: [1]}"), tmp_path / "c"
        )


def test_people_s_order_is_not_searched_where_nobody_judged(run_checklist):
    content = text("{search: {scores: flip}}", "upper-case: {on: reference}").replace(
        "data: sample", "data: [{id: 1, references: [a b], candidates: [{text: a}]}]"
    )

    with pytest.raises(SpecError, match="needs ratings or preferences, but the data have neither"):
        run_checklist(content)


def test_a_search_without_a_perturbation_is_refused(tmp_path):
    content = text().replace("    perturb: {keyboard-typo: {on: candidate, levels: [0.3]}}\n", "")

    with pytest.raises(SpecError, match="search compares with perturbed texts"):
        parse(content, tmp_path / "c.checklist.yaml")


def test_it_is_listed_with_its_defaults_and_described_for_editors(capsys):
    assert main(["list", "expectations"]) == 0
    definitions = checklist_schema()["definitions"]
    settings = definitions["expect"]["properties"]["search"]

    assert "search" in {line.split(" ")[0] for line in capsys.readouterr().out.split("\n")}
    assert {"type": "null"} in settings["anyOf"]  # it may stand without settings
    assert {"$ref": "#/definitions/Search"} in settings["anyOf"]
    assert definitions["Search"]["properties"]["edits"]["default"] == 3


def test_what_is_found_fails_with_the_number_first_and_the_text(judged):
    found = judged()
    (example,) = found.examples

    assert found.outcome is Outcome.FAILED
    assert found.message.startswith("change 1.")
    assert f"of segment '{example.segment}'" in found.message
    assert example.edits_minimal <= 3
    assert found.estimate.value > 1 == found.bounds.high


def test_a_search_that_finds_nothing_passes_and_says_what_it_tried(judged):
    found = judged("{search: {at_most: 9, budget: 60}}")

    assert found.outcome is Outcome.PASSED
    assert found.message.startswith("change ")
    assert found.message.endswith(" scores tried")
    assert 0 < found.estimate.value <= 9
    assert not found.examples


def test_no_more_scores_are_spent_than_the_budget_allows(judged):
    for budget in (7, 50):
        found = judged(f"{{search: {{at_most: 9, budget: {budget}}}}}")

        assert int(found.message.split(" and ")[1].split()[0]) <= budget


def test_a_budget_too_small_for_any_text_decides_nothing(judged):
    found = judged("{search: {budget: 1}}", limit=1)

    assert found.outcome is Outcome.UNDECIDED
    assert found.message == "no text was tried: a budget of 1 score is too small for any text"


def test_an_edit_that_costs_nothing_is_found_where_each_must_cost_something(judged):
    found = judged("{search: {scores: drop, at_least: 0}}")
    (example,) = found.examples

    assert found.outcome is Outcome.FAILED
    assert " required, by 1 edit of segment" in found.message
    assert example.score_minimal >= example.score_before


def test_a_pair_that_few_edits_turn_round_is_found(judged):
    found = judged("{search: {scores: flip}}", "keyboard-typo: {on: reference, levels: [0.3]}")
    (example,) = found.examples

    assert found.message.startswith("1 flip found, by ")
    assert example.remark.startswith("no longer beats the worse candidate ")
    assert found.estimate.value == 1 > found.bounds.high == 0


def test_all_seeds_of_the_highest_level_are_one_item(judged, run_checklist):
    content = text("{search: {at_most: 9}}", "keyboard-typo: {on: candidate, levels: [0.1, 0.3]}")
    (found,) = run_checklist(content + "seeds: 3\n").results

    assert found.id.endswith("::keyboard-typo")
    assert found.seeds == (0, 1, 2)


def test_several_families_are_searched_one_by_one(judged, run_checklist):
    content = text("search", f"{TYPOS}, upper-case: {{on: candidate}}")
    found = run_checklist(content).results

    assert [one.family for one in found] == ["keyboard-typo", "upper-case"]


@pytest.mark.parametrize(
    ("expect", "candidates", "why"),
    [
        ("search", ["a b c"], "the clean scores do not vary within segments"),
        (
            "{search: {scores: flip}}",
            ["x y", "a b c"],
            "no pair of candidates is in the right order",
        ),
    ],
)
def test_where_nothing_can_be_tried_nothing_is_decided(
    judged, expect, candidates, why, run_checklist
):
    rows = ", ".join(f"{{text: {one}, rating: {-n}}}" for n, one in enumerate(candidates))
    content = text(expect, "upper-case: {on: reference}").replace(
        "data: sample", f"data: [{{id: 1, references: [a b], candidates: [{rows}]}}]"
    )
    (found,) = run_checklist(content).results

    assert found.outcome is Outcome.UNDECIDED
    assert found.message.startswith("no text was tried: ")
    assert why in found.message


def test_a_single_segment_is_enough_for_a_verdict(judged):
    assert judged(limit=1).outcome in (Outcome.PASSED, Outcome.FAILED)


def test_hypothesis_can_shrink_a_counterexample_further(judged):
    plain, polished = (
        judged("{search: {at_most: 2.2}}"),
        judged("{search: {at_most: 2.2, polish: true}}"),
    )

    assert plain.outcome is polished.outcome is Outcome.FAILED
    assert polished.examples[0].edits_minimal <= plain.examples[0].edits_minimal


def test_the_same_search_finds_the_same(judged, tmp_path):
    first, again, warm = (judged(cache=cache) for cache in (None, tmp_path / "s", tmp_path / "s"))

    assert first == again == warm


def test_a_search_fails_a_broken_metric(written, capsys):
    path = written(text("{search: {scores: drop, at_least: 0}}"))

    assert main(["mutants", str(path), "--metric", "words"]) == 0
    assert "every check catches at least one broken metric" in capsys.readouterr().out


def test_a_search_is_planned_without_scoring_anything(written, capsys):
    assert main(["plan", str(written(text()))]) == 0
    assert "nothing yet" in capsys.readouterr().out
