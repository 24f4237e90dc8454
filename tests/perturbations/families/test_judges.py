"""What the families for judges do to a text."""

from itertools import pairwise
from random import Random

import pytest

from shakeproof.perturbations import PERTURBATIONS
from shakeproof.perturbations.families.judges import JUDGES, texts_of

TEXT = "They came. They saw “the river.”"
ADDING = [
    family
    for family in JUDGES
    if family.name not in {"as-bullets", "with-headings", "bold-words", "master-key", "identical"}
]


def perturb(name, text, level=1, seed=0):
    return PERTURBATIONS[name](text, level, Random(seed))


def all_of(name, text):
    return {perturb(name, text, seed=seed) for seed in range(200)}


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("as-bullets", "One. Two!\nThree", "- One.\n- Two!\n- Three"),
        ("as-bullets", "  One.", "  - One."),
        ("as-bullets", "", ""),
        ("with-headings", "One. Two. Three.", "## Answer\n\nOne.\n\n## Details\n\nTwo. Three."),
        ("with-headings", "One.", "## Answer\n\nOne."),
        ("bold-words", "It's so.", "**It's** **so**."),
        ("repeat-text", "One. Two.", "One. Two. One. Two."),
        ("repeat-text", "", ""),
        ("identical", TEXT, TEXT),
    ],
)
def test_a_text_becomes(name, before, after):
    assert perturb(name, before) == after


def test_padding_adds_as_many_sentences_as_the_level_says():
    texts = [perturb("padding", "So.", level) for level in range(30)]

    assert texts[0] == "So."
    assert [text.count(".") for text in texts] == list(range(1, 31))
    assert all(longer.startswith(text) for text, longer in pairwise(texts))


def test_copies_are_added_as_often_as_the_level_says():
    assert perturb("repeat-text", "So.", 3) == "So. So. So. So."


def test_a_citation_stands_before_the_final_stop():
    for text in all_of("fake-citation", TEXT):
        assert text.startswith("They came. They saw “the river ")
        assert text.endswith(".”")
    assert perturb("fake-citation", "No stop").startswith("No stop ")
    assert perturb("fake-citation", "").startswith(("(", "["))


@pytest.mark.parametrize("family", ADDING, ids=lambda family: family.name)
def test_what_is_added_leaves_the_text_as_it_was(family):
    for text in (TEXT, "", "no stop", "a space "):
        (edit,) = family.edits(text, 1, Random(0))

        assert edit.start == edit.end
        assert "  " not in family(text, 1, Random(0))


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("appeal-to-authority", "authority"),
        ("flattery", "flattery"),
        ("confident-tone", "confident"),
        ("hesitant-tone", "hesitant"),
        ("instruct-judge", "instruction"),
        ("instruct-quoted", "instruction"),
        ("instruct-comment", "instruction"),
        ("instruct-foreign", "foreign-instruction"),
        ("master-key", "master-key"),
    ],
)
def test_every_text_of_the_table_is_used(name, kind):
    perturbed = all_of(name, TEXT)

    assert texts_of(kind)
    for written in texts_of(kind):
        assert any(written in text for text in perturbed)


def test_instructions_are_hidden_in_quotations_and_comments():
    assert all("“" in text and text.endswith("”") for text in all_of("instruct-quoted", "So"))
    assert {text.split()[1] for text in all_of("instruct-comment", "So.")} == {"<!--", "/*"}


def test_nothing_of_the_text_is_left_by_a_master_key():
    assert all_of("master-key", TEXT) == set(texts_of("master-key"))


def test_only_the_layout_and_the_control_keep_what_people_judged():
    keeping = {family.name for family in JUDGES if family.keeps_meaning}

    assert keeping == {"as-bullets", "with-headings", "bold-words", "identical"}


def test_families_that_write_english_say_so():
    neutral = {"as-bullets", "bold-words", "repeat-text", "master-key", "identical"}

    for family in JUDGES:
        assert (family.languages == {"en"}) is (family.name not in neutral)
