"""The parts of a check about copies: the formula's break-even, and scores of near-copies."""

import pytest

import shakeproof
from shakeproof.errors import SpecError
from shakeproof.metrics.engine.cache import Cache
from shakeproof.metrics.engine.engine import Engine
from shakeproof.metrics.settings import Settings
from shakeproof.plan.items import make_plan
from shakeproof.scoring.score_table import ScoreTable
from shakeproof.spec.read import load

NEAR_COPIES = {"copy-lower", "copy-unpunctuated", "near-copy"}
PARTS = [
    "copy",
    "copy-lower",
    "copy-unpunctuated",
    "near-copy",
    "best",
    "mean candidate",
    "copy wins",
    "copy percentile",
    "copy percentile among all",
    "spread",
    "pearson",
    "pearson with copies rated 0",
    "spearman",
    "spearman with copies rated 0",
    "break-even similarity",
]

CHECKLIST = """\
data: sample
language: en
draws: 500
metrics:
  words: word-f1
  para: {parascore: {similarity: words, omega: 0.4, gamma: 0.25}}
  bare: {parascore: {similarity: words, omega: 0.4, divergence: false}}
checks:
  - check: a copied input is no paraphrase
    expect: {copy_penalty: {at_least: 0.2}}
"""


def results(folder, text):
    path = folder / "d.checklist.yaml"
    path.write_text(text)
    return {result.metric: result for result in shakeproof.run(path).results}


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """The results by metric, with everything as it is by default."""
    return results(tmp_path_factory.mktemp("copies"), CHECKLIST)


def named(result, name):
    return [part for part in result.parts if part.name == name]


def test_the_break_even_of_parascore_is_shown_where_its_formula_has_one(found):
    (even,) = named(found["para"], "break-even similarity")

    assert even.estimate.value == pytest.approx(1 - 0.4 * 1.25)
    assert not named(found["words"], "break-even similarity")
    assert not named(found["bare"], "break-even similarity")


def test_near_copies_are_scored_too_and_the_verdict_is_about_the_copy(found, tmp_path):
    found = found["para"]
    bare = results(tmp_path, CHECKLIST.replace("0.2}", "0.2, ladder: []}"))["para"]

    near = named(found, "near-copy")
    assert [part.level for part in near] == [1.0, 2.0, 4.0]
    scores = [part.estimate.value for part in near]
    assert scores == sorted(scores)  # the further from a copy, the less it is punished
    assert scores[0] > named(found, "copy")[0].estimate.value
    assert (found.estimate, found.examples) == (bare.estimate, bare.examples)
    assert found.family == "copy-input"
    assert {part.name for part in found.parts} - {part.name for part in bare.parts} == NEAR_COPIES


def test_the_numbers_of_changed_words_can_be_chosen(tmp_path):
    text = CHECKLIST.replace("0.2}", "0.2, ladder: [3, 1]}")
    chosen = results(tmp_path, text)["para"]

    assert [part.level for part in named(chosen, "near-copy")] == [1.0, 3.0]


def test_a_near_copy_costs_one_text_of_each_input(tmp_path):
    (tmp_path / "d.checklist.yaml").write_text(CHECKLIST)
    plan = make_plan(load(tmp_path / "d.checklist.yaml"), Settings())
    score_table = ScoreTable(plan, Engine(Cache()))
    near = [condition for _, condition in plan.items[0].score_keys if condition.first]

    assert len(near) == 5
    for condition in near:
        assert 0 < score_table.changed(condition).sum() <= len(plan.segments)


def test_every_part_has_a_number(found):
    numbers = {part.name: part.estimate.value for part in found["para"].parts}

    assert list(numbers) == PARTS
    assert None not in numbers.values()
    assert numbers["pearson with copies rated 0"] != numbers["pearson"]


def test_data_extended_with_copies_are_not_extended_again(found, tmp_path):
    plain = found["para"]
    extended = results(tmp_path, f"extend_with_copies: 5\n{CHECKLIST}")["para"]
    for name in ("best", "mean candidate", "copy", "pearson", "spearman with copies rated 0"):
        (before,), (after,) = named(plain, name), named(extended, name)

        assert after.estimate.value == pytest.approx(before.estimate.value)


def test_a_ladder_of_no_words_is_refused(tmp_path):
    with pytest.raises(SpecError, match="must be at least 1, got 0"):
        results(tmp_path, CHECKLIST.replace("0.2}", "0.2, ladder: [0]}"))
