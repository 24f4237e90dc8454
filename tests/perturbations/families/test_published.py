"""The published attacks: what they do to a word, and how much of real references they change."""

import json
import os
from pathlib import Path
from random import Random
from statistics import fmean

import pytest

from shakeproof.perturbations import PERTURBATIONS
from shakeproof.perturbations.families.phonetic import respell, respelling_odds, sounds
from shakeproof.perturbations.families.published import (
    disemvowel,
    intrude,
    keyboard_typo,
    truncated_binomial,
    visual_table,
)
from shakeproof.perturbations.replacements import character_table
from shakeproof.perturbations.treebank import tokens

SENTENCE = (
    "Frog inside Patanjali \u2018Aata\u2019 (flour) packet, was purchased from the NASA shop."
)
ATTACKS = ("visual", "intrude", "disemvowel", "keyboard-typo", "phonetic")


def attacked(name, level=1.0, text=SENTENCE, seeds=range(40)):
    return [PERTURBATIONS[name](text, level, Random(seed)) for seed in seeds]


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        pytest.param("It doesn't.", "It does n't .", id="a negation is cut off"),
        pytest.param("The cat's toy", "The cat 's toy", id="a genitive is cut off"),
        pytest.param("well-known, 5,000", "well-known , 5,000", id="hyphens and inner commas"),
        pytest.param("(“so”)", "( “ so ” )", id="quotes and brackets"),
        pytest.param("Mr. Who ran. He won.", "Mr. Who ran . He won .", id="abbreviations"),
        pytest.param("wait... no--yes", "wait ... no -- yes", id="dots and dashes"),
        pytest.param("", "", id="nothing"),
    ],
)
def test_tokens_are_cut_as_in_the_treebank(text, pieces):
    assert [text[a:z] for a, z in tokens(text)] == pieces.split()


@pytest.mark.parametrize(
    ("word", "left"),
    [("inside", "nsd"), ("Aata", "t"), ("agreement", "grmnt"), ("rhythm", "rhythm")],
)
def test_disemvowel_leaves_out_all_vowels(word, left):
    assert disemvowel(word, Random(0), 0.1) == left


def test_words_of_two_letters_and_of_vowels_alone_keep_their_vowels():
    assert PERTURBATIONS["disemvowel"]("is aeio you", 1.0, Random(0)) == "is aeio y"


@pytest.mark.parametrize("seed", range(20))
def test_intruders_are_one_mark_and_stay_inside_the_word(seed):
    new = intrude("agreement", Random(seed), 0.3)
    marks = {char for char in new if not char.isalpha()}

    assert new[0] + new[-1] == "at"
    assert len(marks) == 1
    assert "".join(char for char in new if char.isalpha()) == "agreement"


def test_a_word_of_two_letters_has_one_gap():
    assert len(intrude("to", Random(1), 0.1)) == 3


def test_the_number_of_intruders_is_that_of_coins_flipped_until_one_shows():
    rng, n, p = Random(5), 4, 0.3
    drawn = [truncated_binomial(n, p, rng.random()) for _ in range(20_000)]

    assert min(drawn) == 1
    assert fmean(drawn) == pytest.approx(n * p / (1 - (1 - p) ** n), rel=0.02)


def test_a_typo_hits_an_adjoining_key_and_keeps_the_capital():
    near = character_table("keyboard.txt")
    outcomes = {keyboard_typo("A", Random(seed), 1) for seed in range(60)}

    assert outcomes == {key.upper() for key in near["a"]}


def test_every_letter_has_keys_around_it_and_is_not_its_own_neighbour():
    near = character_table("keyboard.txt")

    assert set(near) == set("abcdefghijklmnopqrstuvwxyz")
    assert not [key for key in near if key in near[key]]
    assert sum(map(len, near.values())) == 151  # as many as the published table has


def test_visual_keeps_the_length_and_all_but_letters():
    for new in attacked("visual"):
        assert len(new) == len(SENTENCE)
        assert [c for c in new if c in " (),.\u2018\u2019"] == [
            c for c in SENTENCE if c in " (),.\u2018\u2019"
        ]


def test_visual_knows_at_most_twenty_stand_ins_for_every_letter():
    table = visual_table()

    assert all(5 <= len(table[letter]) <= 20 for letter in "abcxyzABCXYZq")
    assert table["é"] == table["e"]
    assert [letter for letter in "abcdeiou" if letter in table[letter]] == ["b", "c", "d"]


def test_respelling_keeps_the_pattern_of_capitals():
    words = {respell("NASA", Random(seed), 1.0) for seed in range(40)}
    names = {respell("Paris", Random(seed), 1.0) for seed in range(40)}

    assert len(words) > 5
    assert all(word.isupper() for word in words)
    assert all(name[0].isupper() and name[1:].islower() for name in names)


def test_words_whose_sound_is_unknown_and_acronyms_left_alone_stay_as_they_are():
    assert all("Patanjali" in new for new in attacked("phonetic"))
    assert any("NASA" in new for new in attacked("phonetic", 0.1))


def test_the_sound_of_f_may_be_spelt_ph():
    spellings = {respell("fish", Random(seed), 0.3)[:2] for seed in range(300)}

    assert {"fi", "ph"} <= spellings


def test_the_dictionary_cuts_words_into_letters_and_sounds():
    assert sounds().words["the"] == "thJeC"


def test_respelling_odds_are_those_of_the_published_attack():
    odds = [respelling_odds(level) for level in (0.1, 0.2, 0.3)]

    assert odds == pytest.approx([2 / 3, 0.8, 6 / 7])


@pytest.mark.parametrize("name", ATTACKS)
@pytest.mark.parametrize("text", ["", " ", "😀", "...", "!?"])
def test_a_text_without_sites_stays(name, text):
    assert PERTURBATIONS[name](text, 1.0, Random(0)) == text


def shared_rows(pair):
    folder = os.environ.get("SHAKEPROOF_SHARED")
    root = Path(folder) if folder else Path(__file__).parents[4] / "shared"
    path = root / "data" / f"wmt19-{pair}.jsonl"
    if not path.is_file():
        pytest.skip(f"no {path.name} in the shared data; set SHAKEPROOF_SHARED")
    return [json.loads(line) for line in path.read_text("utf-8").split("\n") if line]


def changed_words(before, after):
    pairs = zip(before.split(" "), after.split(" "), strict=True)
    return [old != new for old, new in pairs if any(map(str.isalpha, old))]


@pytest.mark.realdata
@pytest.mark.parametrize("name", ATTACKS)
@pytest.mark.parametrize("level", ["0.1", "0.3"])
def test_as_many_words_change_as_in_the_published_references(name, level):
    theirs, ours = [], []
    for row in shared_rows("gu-en"):
        (text,), (published,) = row["references"], row["perturbed"]["references"][name][level]
        if text.count(" ") == published.count(" "):
            new = PERTURBATIONS[name](text, float(level), Random(row["id"]))
            theirs += changed_words(text, published)
            ours += changed_words(text, new)

    assert fmean(ours) == pytest.approx(fmean(theirs), rel=0.1)
