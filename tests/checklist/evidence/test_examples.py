"""What a failed check shows: the worst texts, the fewest edits, and a checklist to repeat them."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shakeproof.evidence.search.counterexample_checklist import flow_yaml
from shakeproof.results import Outcome
from shakeproof.spec.positions import read_yaml
from shakeproof.spec.read import parse
from shakeproof.text import spans_between

METRIC = """\
def score(candidate, reference):
    marks = 0.05 * candidate.count("Y") - 0.1 * (candidate + reference).count("X")
    return marks + 0.02 * len(candidate.split())


def mended(candidate, reference):
    return 1.0


def near(candidate, reference):
    shared = set(candidate.split()) & set(reference.split())
    return len(shared) / len(set(candidate.split()))
"""
CHECKLIST = """\
checklist: crosses
data: data.jsonl
language: en
draws: 500
families:
  crosses: {replace: {a: X}}
  marks: {replace: {a: X, b: Y}, level: switch}
metrics:
  mine: {python: mine:score}
checks:
"""
CHANGE = """\
  - check: crosses do not matter
    perturb: {crosses: {on: candidate, levels: [1]}}
    expect: {score_change: {at_most: 0.25, unit: raw}}
"""


def segment(number, **more):
    return {
        "id": f"s{number}",
        "references": [f"the banana number {number}"],
        "candidates": [
            {"text": f"a grey cat had a banana at bay {number}", "rating": 1},
            {"text": f"no {'cat ' * (number % 3)}bib {number}", "rating": 0},
        ],
        **more,
    }


@dataclass
class ExampleProject:
    """A folder with a metric and data, in which checklists are run."""

    folder: Path
    run_checklist: Callable

    def write_data(self, rows):
        (self.folder / "data.jsonl").write_text("\n".join(map(json.dumps, rows)))

    def run(self, checks=CHANGE, *, top=CHECKLIST, name="c", **options):
        return self.run_checklist(top + checks, f"{name}.checklist.yaml", **options)

    def first(self, checks=CHANGE, **options):
        return self.run(checks, **options).results[0]


@pytest.fixture
def project(tmp_path, run_checklist):
    (tmp_path / "mine.py").write_text(METRIC)
    example = ExampleProject(tmp_path, run_checklist)
    example.write_data(segment(number) for number in range(40))
    return example


def test_three_of_nine_edits_are_enough_where_three_are_needed(project):
    (example, *_) = project.first().examples

    assert (example.edits, example.edits_minimal) == (9, 3)
    assert example.minimal.count("X") == 3
    assert example.score_minimal == pytest.approx(example.score_before - 0.3)
    assert example.calls > 0


def test_the_search_costs_no_more_than_allowed(project):
    examples = project.first(search=60).examples

    assert 0 < sum(example.calls for example in examples) <= 60


def test_a_search_that_runs_out_of_budget_says_so_and_what_it_shows_still_breaks(project):
    (example, *_) = project.first(search=12).examples

    assert example.calls <= 4
    assert 3 <= example.edits_minimal < 9
    assert example.remark == "search budget used up, fewer edits may do"
    assert example.score_before - example.score_minimal > 0.25


@pytest.mark.parametrize(
    "options", [pytest.param({"search": 0}, id="switched off"), pytest.param({}, id="undecided")]
)
def test_nothing_is_searched_unless_asked_and_failed(project, options):
    limit = {} if options else {"limit": 20}  # too few segments to decide anything
    found = project.first(**options, **limit)

    assert found.examples
    assert all(example.minimal is None for example in found.examples)


def test_a_check_that_passes_shows_and_searches_nothing(project):
    found = project.first(CHANGE.replace("0.25", "2"))

    assert found.outcome is Outcome.PASSED
    assert not found.examples


def test_texts_that_should_fall_and_do_not_are_shown_first(project):
    found = project.first(
        "  - check: marks cost\n"
        "    perturb: {marks: {on: candidate}}\n"
        "    expect: {prefers_original: {at_least: 0.99}}\n"
    )
    changes = [example.score_after - example.score_before for example in found.examples]

    assert found.outcome is Outcome.FAILED
    assert changes == sorted(changes, reverse=True)
    assert changes[0] >= 0


def test_one_edit_that_is_rewarded_is_the_counterexample_to_a_preference(project):
    rows = [segment(number, id=f"b{number}") for number in range(40)]
    for row in rows:
        row["candidates"] = [{"text": "bib a tub"}]
    project.write_data(rows)
    (example, *_) = project.first(
        "  - check: marks cost\n"
        "    perturb: {marks: {on: candidate}}\n"
        "    expect: {score_drop: {at_least: 0.2, unit: raw}}\n"
    ).examples

    assert (example.edits, example.edits_minimal) == (3, 1)
    assert example.minimal == "YiY a tub"
    assert example.score_minimal == pytest.approx(example.score_before + 0.1)


def test_edits_of_several_references_are_searched_together(project):
    rows = [segment(number, references=["banana at bay", "a cat"]) for number in range(40)]
    project.write_data(rows)
    (example, *_) = project.first(
        "  - check: crosses do not matter\n"
        "    perturb: {crosses: {on: reference, levels: [1]}}\n"
        "    expect: {score_change: {at_most: 0.15, unit: raw}}\n"
    ).examples
    shown = example.minimal.split("\n")

    assert example.before == "banana at bay\na cat"
    assert example.after == "bXnXnX Xt bXy\nX cXt"
    assert [text.count("X") for text in shown] == [2, 2]  # the best reference counts
    assert example.edits_minimal == 4
    assert example.spans == spans_between(example.before, example.after)
    assert example.minimal_spans == spans_between(example.before, example.minimal)


FLIPS = """\
  - check: agreement survives
    metrics: [near]
    perturb: {upper-case: {on: FIELD}}
    expect: {prefers_better: {at_least: 0.9, rating_gap: 0.5}}
"""


@pytest.mark.parametrize("field", ["reference", "candidate"])
def test_a_pair_that_changes_places_is_brought_down_to_few_edits(project, field):
    rows = [
        segment(
            n,
            references=["the old grey cat sat"],
            candidates=[
                {"text": "the old cat", "rating": 1},
                {"text": "the young grey dog", "rating": 0},
            ],
        )
        for n in range(40)
    ]
    project.write_data(rows)
    top = CHECKLIST.replace("  mine: {python: mine:score}", "  near: {python: mine:near}")
    (found,) = project.run(FLIPS.replace("FIELD", field), top=top).results
    example = found.examples[0]

    assert example.remark.startswith("no longer beats the worse candidate 'the young grey dog' (")
    assert example.edits_minimal == 2
    assert example.minimal != example.after


def test_texts_that_a_metric_cannot_rate_during_the_search_count_as_harmless(project):
    moody = METRIC + (
        "\n\ndef moody(candidate, reference):\n"
        "    if 'grey' in candidate and 0 < candidate.count('X') < 9:\n"
        "        raise RuntimeError('not in the mood')\n"
        "    return score(candidate, reference)\n"
    )
    (project.folder / "mine.py").write_text(moody)
    found = project.first(top=CHECKLIST.replace("mine:score", "mine:moody"))

    example = found.examples[0]

    assert found.outcome is Outcome.FAILED
    assert example.minimal == example.after  # it cannot rate the text with fewer edits


def test_scores_that_do_not_vary_have_no_spread_and_no_counterexample(project):
    rows = [segment(number, candidates=[{"text": "a cat"}]) for number in range(40)]
    project.write_data(rows)
    found = project.first(CHANGE.replace(", unit: raw", ""))

    assert found.outcome is Outcome.UNDECIDED
    assert found.examples


PINNED = """\
  - check: crosses do not matter
    perturb: {crosses: {on: candidate, levels: [1]}}
    expect: {score_change: {at_most: 0.25, unit: raw}}
  - check: crosses do not matter in spreads
    perturb: {crosses: {on: candidate, levels: [1]}}
    expect: {score_change: {at_most: 0.3}}
  - check: no score falls
    perturb: {crosses: {on: candidate, levels: [1]}}
    expect: {score_rise: {at_least: -0.1}}
  - check: crosses cost nothing at all
    perturb: {crosses: {on: reference, levels: [1]}}
    expect: same_scores
  - check: marks cost
    perturb: {marks: {on: candidate}}
    expect: {prefers_original: {at_least: 0.999}}
  - check: most hold still
    perturb: {crosses: {on: candidate, levels: [1]}}
    expect: {segments_behave: {at_least: 0.9, scores: change, by: 0.5, unit: raw}}
  - check: no three edits do much
    perturb: {crosses: {on: candidate, levels: [1]}}
    expect: {search: {at_most: 0.2, unit: raw}}
"""


def test_every_counterexample_is_a_checklist_that_fails_by_the_same_scores(project):
    rows = [segment(number) for number in range(40)]
    rows[7]["candidates"][0]["text"] = 'bob "said" a b \\ ad: {b}\u202e #1 🙂\n'
    project.write_data(rows)
    pinned = 0
    for found in project.run(PINNED).results:
        for example in filter(lambda one: one.pin, found.examples):
            (again,) = project.run("", top=example.pin, name="pinned").results
            same = again.examples[0]
            pinned += 1

            assert found.outcome is again.outcome is Outcome.FAILED
            assert same.segment == example.segment
            assert not same.pin
            assert same.before == example.before
            assert same.score_before == pytest.approx(example.score_before)
            assert same.score_minimal == pytest.approx(example.score_minimal)

    assert pinned == 19


def test_the_checklist_of_a_counterexample_passes_once_the_metric_is_mended(project):
    (example, *_) = project.first().examples
    mended = example.pin.replace("mine:score", "mine:mended")
    (again,) = project.run("", top=mended, name="pinned").results

    assert again.outcome is Outcome.PASSED


def test_the_checklist_has_the_tuned_weight_of_a_metric_and_those_it_builds_on(project):
    top = CHECKLIST.replace(
        "  mine: {python: mine:score}",
        "  words: word-f1\n"
        "  para: {parascore: {similarity: words, omega: tuned}}\n"
        "development: 0.2",
    ).replace("data: data.jsonl", "data: sample")
    check = CHANGE.replace("0.25", "0.05").replace("  - check", "  - metrics: [para]\n    check")
    (found,) = project.run(check, top=top).results
    pin = found.examples[0].pin
    (again,) = project.run("", top=pin, name="pinned").results

    assert "omega: tuned" not in pin
    assert again.outcome is Outcome.FAILED
    assert again.estimate.value == pytest.approx(
        abs(found.examples[0].score_minimal - found.examples[0].score_before)
    )


def test_the_counterexample_in_the_documentation_is_a_checklist(tmp_path):
    page = (Path(__file__).parents[3] / "docs" / "search.md").read_text(encoding="utf-8")
    pinned = page.split("```yaml\n")[1].split("```")[0]
    found = parse(pinned, tmp_path / "pinned.checklist.yaml")

    assert [check.expect.name for check in found.checks] == ["search"]
    assert len(found.segments) == 1


@given(text=st.text())
def test_any_text_survives_being_written_as_yaml(text):
    value = {"text": [text, {text: 1.5}], "none": None, "yes": True}

    assert read_yaml(f"x: {flow_yaml(value)}", "x").content == {"x": value}


def test_changes_of_scores_are_counted_where_texts_changed(project):
    found = project.first()

    assert sum(found.changes.counts) == 40 + sum(number % 3 > 0 for number in range(40))
    assert len(found.changes.edges) == len(found.changes.counts) + 1 <= 22
    assert found.changes.edges[0] == pytest.approx(-0.9)


def test_changes_that_are_all_the_same_make_one_bar(project):
    found = project.first(CHANGE.replace("levels: [1]", "levels: [0.01]"))
    low, high = found.changes.edges

    assert found.changes.counts == (66,)
    assert low < -0.1 < high
    assert high - low < 1e-4


def test_without_texts_nothing_of_them_is_searched_or_shown(project):
    run = project.run(PINNED, texts=False)

    assert "banana" not in run.model_dump_json()
    assert not any(result.examples for result in run.results)
