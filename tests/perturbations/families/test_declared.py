"""Families that users declare."""

from random import Random

import pytest

from shakeproof.perturbations import PERTURBATIONS, Rule
from shakeproof.perturbations.families.declared import (
    chain,
    from_object,
    lexicon_parts,
    own,
    regex_parts,
    replace_parts,
)


def build(parts, **declared):
    return own("mine", *parts, summary="Mine.", **declared)


def test_a_table_replaces_pieces_of_text_the_longest_first():
    family = build(replace_parts({"ab": "X", "a": ["Y"], "Z": "z"}))

    assert family("ab a Z", 1, Random(0)) == "X Y z"
    assert family.rule is Rule.SHARE


def test_a_level_is_a_share_of_the_matches():
    family = build(replace_parts({"a": "b"}))

    assert family("a" * 10, 0.3, Random(0)).count("b") == 3


@pytest.mark.parametrize("table", [{}, {"": "x"}, {"a": []}])
def test_a_table_without_texts_or_replacements_is_refused(table):
    with pytest.raises(ValueError, match="needs texts and replacements"):
        replace_parts(table)


def test_a_pattern_may_look_around_and_name_groups():
    family = build(regex_parts(r"(?<=<)(\w)(\w)", r"\2\1"))

    assert family("ab <cd", 1, Random(0)) == "ab <dc"


@pytest.mark.parametrize(("pattern", "new"), [("(", "x"), ("a", r"\1")])
def test_a_broken_pattern_is_refused_in_a_line(pattern, new):
    with pytest.raises(ValueError, match=r"^regex "):
        regex_parts(pattern, new)


def test_a_lexicon_replaces_whole_words_and_phrases_with_their_capitals(tmp_path):
    path = tmp_path / "words.tsv"
    path.write_text("# mine\ncat\tdog\nas soon as\twhen\n", encoding="utf-8")
    family = build(lexicon_parts(path))

    assert family("Cat, cats: as soon as CAT", 1, Random(0)) == "Dog, cats: when DOG"


@pytest.mark.parametrize(
    ("text", "message"), [("cat dog\n", "no tab"), ("# nothing\n", "no entries")]
)
def test_a_broken_lexicon_is_refused_in_a_line(tmp_path, text, message):
    path = tmp_path / "words.tsv"
    path.write_text(text, encoding="utf-8")

    with pytest.raises(ValueError, match=message):
        lexicon_parts(path)


def test_a_chain_applies_one_family_after_the_other():
    lower, typo = PERTURBATIONS["lower-case"], PERTURBATIONS["keyboard-typo"]
    both = chain("both", [(lower, 1), (typo, 0.5)])
    text = "NOW THEY HAVE COME."

    assert both(text, 1, Random(4)) == typo(text.lower(), 0.5, Random(4))
    assert both(text, 0, Random(4)) == text


def test_a_chain_declares_what_all_its_steps_allow():
    steps = [(PERTURBATIONS[name], 1) for name in ("copy-input", "phonetic", "lower-case")]
    family = chain("all", steps)

    assert not family.keeps_meaning
    assert family.random
    assert family.languages == {"en"}
    assert family.scripts == {"Latn"}
    assert family.fields == {"candidate"}
    assert family.needs == {"source"}


def test_a_chain_names_the_step_whose_level_is_wrong():
    steps = [(PERTURBATIONS["lower-case"], 1), (PERTURBATIONS["visual"], 3)]

    with pytest.raises(ValueError, match="visual at 3; level p replaces each letter"):
        chain("wrong", steps)


def test_a_chain_without_steps_is_refused():
    with pytest.raises(ValueError, match="no steps"):
        chain("none", [])


def test_a_chain_of_chains_has_a_limited_number_of_steps():
    inner = chain("inner", [(PERTURBATIONS["lower-case"], 1)] * 25)

    assert chain("outer", [(inner, 1)] * 2)
    with pytest.raises(ValueError, match="more than 50 steps"):
        chain("outer", [(inner, 1)] * 3)


def test_a_chain_that_doubles_the_text_is_stopped():
    doubled = own("doubled", *replace_parts({"a": "aa"}), summary="")
    growing = chain("growing", [(doubled, 1)] * 40)

    with pytest.raises(ValueError, match="'doubled' makes a text longer than 10,000 characters"):
        growing("a cat", 1, Random(0))


def test_a_function_of_three_or_four_becomes_a_family():
    def shout(text, level, rng):
        """Shout."""
        return text + "!"

    family = from_object("shout", shout)

    assert family("a", 1, Random(0)) == "a!"
    assert family.summary == "Shout."
    assert not family.keeps_meaning
    assert from_object("other", PERTURBATIONS["visual"]).name == "other"


@pytest.mark.parametrize(("thing", "message"), [(3, "is a int"), (len, "must take")])
def test_anything_else_is_refused(thing, message):
    with pytest.raises(ValueError, match=message):
        from_object("wrong", thing)
