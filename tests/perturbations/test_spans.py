"""Letters, words, punctuation marks, spaces and sentences, in any script."""

import pytest

from shakeproof.perturbations.spans import letters, punctuation, sentences, spaces, words, words_of


def cut(find, text):
    return [text[a:z] for a, z in find(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Don't well-known “Aata”, o\u2019clock", ["Don't", "well-known", "Aata", "o\u2019clock"]),
        ("हिन्दी में क्या?", ["हिन्दी", "में", "क्या"]),
        ("العربية لغة", ["العربية", "لغة"]),
        ("我爱NLP。", ["我", "爱", "NLP"]),
        ("コーヒーTV", ["コ", "ー", "ヒ", "ー", "TV"]),
        ("น้ำดี", ["น้ำ", "ดี"]),
        ("e\u0301te\u0301 naïve", ["e\u0301te\u0301", "naïve"]),
        ("привет, мир!", ["привет", "мир"]),
        ("😀 … -", []),
        ("", []),
    ],
)
def test_words_are_found_in_any_script(text, found):
    assert cut(words, text) == words_of(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Hi. I'm Dr. Who, v1.2! Ok?", ["Hi.", "I'm Dr. Who, v1.2!", "Ok?"]),
        ('"Ok?" she said. (Yes.) Done', ['"Ok?" she said.', "(Yes.)", "Done"]),
        ("中文句子。还有一个\uff01", ["中文句子。", "还有一个\uff01"]),
        ("यह है। वह है।", ["यह है।", "वह है।"]),
        ("one\ntwo", ["one", "two"]),
        ("Wait... what?", ["Wait... what?"]),
        ("", []),
    ],
)
def test_sentences_end_with_their_stops(text, found):
    assert cut(sentences, text) == found


def test_marks_inside_words_and_numbers_are_no_punctuation():
    assert cut(punctuation, "Don't, 3,450; well-known (so).") == [",", ";", "(", ")."]


def test_marks_of_devanagari_are_no_punctuation():
    assert cut(punctuation, "हिन्दी में है।") == ["।"]


def test_spaces_lie_between_other_characters():
    assert cut(spaces, " a  b\nc ") == ["  ", "\n"]


def test_letters_come_with_their_marks():
    assert cut(letters, "e\u0301 1क्या😀") == ["e\u0301", "क्या"]


def test_ten_thousand_characters_are_no_problem():
    text = "Now they have come. " * 500

    assert len(words(text)) == 2000
    assert len(sentences(text)) == 500
    assert len(sentences("a" * 10_000)) == 1
