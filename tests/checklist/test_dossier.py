"""The copy dossier of a check: the formula's break-even and the ladder of near-copies."""

import pytest

import shakeproof
from shakeproof.errors import SpecError

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
    expect: {copy_penalty: {at_least: 0.2, ladder: [4, 1, 2]}}
"""


def parts(tmp_path, text=CHECKLIST):
    path = tmp_path / "d.checklist.yaml"
    path.write_text(text)
    return {result.metric: result for result in shakeproof.run(path).results}


def named(result, name):
    return [part for part in result.parts if part.name == name]


def test_the_break_even_of_parascore_is_shown_where_its_formula_has_one(tmp_path):
    found = parts(tmp_path)
    (even,) = named(found["para"], "break-even similarity")

    assert even.estimate.value == pytest.approx(1 - 0.4 * 1.25)
    assert not named(found["words"], "break-even similarity")
    assert not named(found["bare"], "break-even similarity")


def test_near_copies_are_scored_along_the_ladder_and_the_verdict_is_about_the_copy(tmp_path):
    found = parts(tmp_path)["para"]
    plain = parts(tmp_path, CHECKLIST.replace(", ladder: [4, 1, 2]", ""))["para"]

    ladder = named(found, "near-copy")
    assert [part.level for part in ladder] == [1.0, 2.0, 4.0]
    scores = [part.estimate.value for part in ladder]
    assert scores == sorted(scores)  # the further from a copy, the less it is punished
    assert scores[0] > named(found, "copy")[0].estimate.value
    assert (found.estimate, found.examples) == (plain.estimate, plain.examples)
    assert found.family == "copy-input"


def test_a_ladder_of_no_words_is_refused(tmp_path):
    with pytest.raises(SpecError, match="must be at least 1, got 0"):
        parts(tmp_path, CHECKLIST.replace("[4, 1, 2]", "[0]"))
