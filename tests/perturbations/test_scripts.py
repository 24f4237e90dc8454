"""The script of a text, and which languages and scripts the families serve."""

from random import Random

import pytest

from shakeproof.perturbations import PERTURBATIONS
from shakeproof.perturbations.scripts import script_of

TEXTS = {
    "Latn": "Now they have come.",
    "Deva": "वह आज बाज़ार जा रहा है।",
    "Hani": "他今天去市场。",
    "Arab": "ذهب الولد إلى السوق.",
    "Cyrl": "Мальчик пошёл на рынок.",
    "Hang": "소년은 시장에 갔다.",
    "Thai": "เด็กชายไปตลาด",
}


@pytest.mark.parametrize(("script", "text"), TEXTS.items(), ids=TEXTS)
def test_the_script_of_a_text_is_that_of_most_letters(script, text):
    assert script_of(text) == script
    assert script_of(f"{text} {text} NLP 3") == script


def test_letters_in_full_width_are_of_their_script():
    assert script_of("Ｎｏｗ") == "Latn"  # noqa: RUF001  # full-width letters are what is tested


@pytest.mark.parametrize("text", ["", "123", "😀!"])
def test_a_text_without_letters_has_no_script(text):
    assert script_of(text) is None
    assert PERTURBATIONS["visual"].refusal(text) is None


@pytest.mark.parametrize(
    ("name", "script", "refused"),
    [
        ("visual", "Deva", "'visual' does not serve Devanagari script; it serves Latin"),
        (
            "lower-case",
            "Arab",
            "'lower-case' does not serve Arabic script; it serves Armenian, Cyrillic, Greek, Latin",
        ),
        (
            "inner-shuffle",
            "Hani",
            "'inner-shuffle' does not serve Han script; it serves 20 other scripts",
        ),
        ("lower-case", "Cyrl", None),
        ("inner-shuffle", "Arab", None),
        ("drop-word", "Hani", None),
    ],
)
def test_a_script_that_is_not_served_is_refused_in_a_line(name, script, refused):
    assert PERTURBATIONS[name].refusal(TEXTS[script]) == refused


def test_a_declared_language_decides_over_the_script():
    family = PERTURBATIONS["phonetic"]
    zulu = "Umfana uye emakethe."

    assert family.refusal(zulu, language="zu") == (
        "'phonetic' does not serve language 'zu'; it serves en"
    )
    assert family.refusal(zulu, language="en-GB") is None
    assert family.refusal(zulu) is None


@pytest.mark.parametrize("script", ["Deva", "Hani", "Arab", "Cyrl", "Hang", "Thai"])
@pytest.mark.parametrize("name", ["drop-word", "repeat-word", "repeat-letter", "shuffle-words"])
def test_families_for_any_script_change_any_script(name, script):
    text = TEXTS[script]

    assert PERTURBATIONS[name].refusal(text) is None
    assert PERTURBATIONS[name](text, 1, Random(0)) != text


def test_a_conjunct_is_never_split():
    word = "क्षत्रिय"

    assert all("क्ष" in PERTURBATIONS["full-shuffle"](word, 1, Random(seed)) for seed in range(20))
