"""What single families do to a text."""

from itertools import pairwise
from random import Random

import pytest

from shakeproof.perturbations import PERTURBATIONS, Context, Rule

SOURCE = "A green frog was found in 3 packets."
AROUND = Context(source=SOURCE, references=("They found frogs.",))
NEIGHBOUR = Context(neighbour=Context(candidates=("It may rain. Bring pens.",)))
GROUPS = {
    "characters",
    "surface",
    "words",
    "sentences",
    "meaning",
    "degenerate",
    "copying",
    "judges",
}


def perturb(name, text, context=None, seed=0):
    return PERTURBATIONS[name](text, 1, Random(seed), context)


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("join-words", "to an end, so", "toanend, so"),
        ("truncate-word", "agreement now", "agree now"),
        ("title-case", "it's a well-known Fact", "It's A Well-known Fact"),
        ("lower-start", "They came. They saw NASA.", "they came. they saw NASA."),
        ("strip-punctuation", "Don't, 3,450 (so)!", "Don't 3,450 so"),
        ("strip-final-stop", "No. Yes?! ", "No. Yes "),
        ("repeat-punctuation", "No, yes.", "No,,, yes..."),
        ("spaced-punctuation", "No, (yes).", "No , (yes )."),
        ("curly-quotes", '"It\'s \'so\'" ("ok")', "“It\u2019s \u2018so\u2019” (“ok”)"),
        ("straight-quotes", "“It\u2019s”", '"It\'s"'),
        ("line-break", "a b", "a\nb"),
        ("contract", "Do not say it is.", "Don't say it's."),
        ("expand", "Won't they? I'm here.", "Will not they? I am here."),
        ("number-words", "12 of 345", "twelve of 345"),
        ("number-digits", "Twelve of one hundred", "12 of 100"),
        ("strip-accents", "résumé Ωά हिन्दी", "resume Ωα हिन्दी"),
        ("nfkc", "ﬁve", "five"),
        ("full-width", "a!", "ａ！"),  # noqa: RUF001  # the point of the family
        ("mojibake", "é", "Ã©"),
        ("html-entities", "<&>", "&lt;&amp;&gt;"),
        ("drop-word", "They came, too.", "They,."),
        ("drop-articles", "The end of a day.", "end of day."),
        ("repeat-word", "so be it", "so so be be it it"),
        ("swap-words", "one two three", "two one three"),
        ("reverse-words", "One, two three.", "three, two One."),
        ("truncate", "One, two three.", "One"),
        ("behead", "One, two three.", "three."),
        ("drop-sentence", "One. Two. Three.", "One."),
        ("repeat-sentence", "One. Two.", "One. One. Two. Two."),
        (
            "negate",
            "They can't. He came. It is. She did not.",
            "They can. It is not true that He came. It is not. She did.",
        ),
        (
            "swap-names",
            "Yes, Anna met Bill Gates; Anna left.",
            "Yes, Bill Gates met Anna; Bill Gates left.",
        ),
        ("antonyms", "Hot WAR", "Cold PEACE"),
        ("modals", "They cannot.", "They can."),
        ("question", "They came.", "They came?"),
        ("empty", "They came.", ""),
        ("only-a-stop", "They came.", "."),
        ("one-word", "They came too", "They They They"),
        ("only-function-words", "They came to the end.", "They to the"),
    ],
)
def test_a_text_becomes(name, before, after):
    assert perturb(name, before) == after


@pytest.mark.parametrize("name", ["inner-shuffle", "full-shuffle", "swap-letters"])
def test_shuffles_keep_the_letters(name):
    new = perturb(name, "agreement")

    assert new != "agreement"
    assert sorted(new) == sorted("agreement")


def test_inner_shuffle_keeps_the_ends():
    assert {
        perturb("inner-shuffle", "agreement", seed=seed)[:: len("agreement") - 1]
        for seed in range(9)
    } == {"at"}


@pytest.mark.parametrize("name", ["inner-shuffle", "replace-letter", "insert-letter", "split-word"])
def test_spelling_errors_leave_numbers_alone(name):
    assert perturb(name, "2019 3,450") == "2019 3,450"


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("number", ["7", "2019", "3,450.5", "१२"])
def test_a_changed_number_is_another_of_the_same_shape(number, seed):
    new = perturb("change-number", number, seed=seed)

    assert new != number
    assert len(new) == len(number)
    assert [c.isdigit() for c in new] == [c.isdigit() for c in number]
    assert sum(a != b for a, b in zip(new, number, strict=True)) == 1


def test_over_length_is_longer_than_encoders_read():
    assert len(perturb("over-length", "They came.").split()) > 600


def test_borrowing_takes_the_text_of_another_segment():
    assert perturb("append-sentence", "So.", NEIGHBOUR) == "So. It may rain."
    assert perturb("prepend-sentence", "So.", NEIGHBOUR) == "It may rain. So."
    assert perturb("replace-sentence", "So.", NEIGHBOUR) == "It may rain."
    assert perturb("another-segment", "So.", NEIGHBOUR) == "It may rain. Bring pens."


@pytest.mark.parametrize("name", ["append-sentence", "another-segment"])
def test_borrowing_without_another_segment_is_refused(name):
    with pytest.raises(ValueError, match="needs another segment"):
        perturb(name, "So.")


@pytest.mark.parametrize(
    ("name", "copy"),
    [
        ("copy-input", SOURCE),
        ("copy-lower", SOURCE.lower()),
        ("copy-unpunctuated", SOURCE[:-1]),
        ("copy-reference", "They found frogs."),
        ("towards-copy", SOURCE),
    ],
)
def test_a_copy_is_a_copy(name, copy):
    assert perturb(name, "Some frogs were found.", AROUND) == copy


@pytest.mark.parametrize("name", ["copy-input", "copy-lower", "near-copy", "towards-copy"])
def test_copying_without_a_source_is_refused(name):
    with pytest.raises(ValueError, match="needs the source"):
        perturb(name, "Some frogs.")


@pytest.mark.parametrize("edits", [1, 3, 8])
def test_a_near_copy_differs_in_so_many_words(edits):
    new = PERTURBATIONS["near-copy"]("x", edits, Random(3), AROUND)
    old_words, new_words = SOURCE.split(), new.split()
    gone = [word for word in old_words if word not in new_words]
    twice = [a for a, b in pairwise(new_words) if a.strip(".") == b.strip(".")]

    assert len(gone) + len(twice) == edits


def test_towards_copy_comes_nearer_to_the_source_at_every_level():
    family = PERTURBATIONS["towards-copy"]
    steps = [family("Frogs were seen in a box.", p, Random(1), AROUND) for p in (0, 0.3, 0.6, 1)]
    shared = [len(set(step.split()) & set(SOURCE.split())) for step in steps]

    assert shared == sorted(shared)
    assert steps[0] == "Frogs were seen in a box."
    assert steps[-1] == SOURCE


def test_there_are_families_in_every_group():
    assert {family.group for family in PERTURBATIONS.values()} == GROUPS
    assert len(PERTURBATIONS) >= 45


def test_copies_are_for_candidates_and_name_what_they_need():
    for family in PERTURBATIONS.values():
        if family.group == "copying":
            assert family.fields == {"candidate"}
            assert family.needs


@pytest.mark.parametrize(
    ("name", "level", "taken"),
    [
        ("visual", 0.3, True),
        ("visual", 1.1, False),
        ("typos", 3, True),
        ("typos", 0.5, False),
        ("lower-case", 1, True),
        ("lower-case", 0.5, False),
        ("visual", 0, True),
        ("typos", -1, False),
        ("visual", float("nan"), False),
        ("typos", float("inf"), False),
    ],
)
def test_levels_are_shares_counts_or_none(name, level, taken):
    assert PERTURBATIONS[name].takes(level) is taken


@pytest.mark.parametrize("name", PERTURBATIONS)
def test_ten_thousand_characters_are_perturbed(name):
    family = PERTURBATIONS[name]
    level = 0.3 if family.rule in (Rule.SHARE, Rule.CHANCE) else 1
    text = "Now they have come to an agreement. " * 280
    context = Context(source=text, references=(text,), neighbour=Context(source=text))

    assert isinstance(family(text, level, Random(0), context), str)
