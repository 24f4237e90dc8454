import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shakeproof.reports.marking import clusters, marked, shortened, visible

PERSIAN = "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"
texts = st.text(max_size=60)


def side(spans, kind):
    return "".join(span.text for span in spans if span.kind in ("same", kind))


@given(before=texts, after=texts)
def test_marks_tell_both_texts_in_full(before, after):
    spans = marked(before, after)

    assert side(spans, "gone") == before
    assert side(spans, "new") == after


def test_a_text_put_in_place_of_another_is_shown_whole():
    spans = marked("They have reached an agreement.", "A cold day in March it was, and late.")

    assert [span.kind for span in spans] == ["gone", "new"]


def test_heavy_damage_in_place_is_still_marked_letter_by_letter():
    spans = marked("agreement reached", "aXXXXmXXX XeXcXXd")

    assert len(spans) > 2


@given(text=texts)
def test_an_unchanged_text_has_no_marks(text):
    assert {span.kind for span in marked(text, text)} <= {"same"}


@given(text=st.text(max_size=200))
def test_clusters_join_back_to_the_text(text):
    assert "".join(clusters(text)) == text


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        pytest.param("e\u0301a", ["e\u0301", "a"], id="accent"),
        pytest.param("👩‍👩‍👧x", ["👩‍👩‍👧", "x"], id="family"),
        pytest.param("👍🏽!", ["👍🏽", "!"], id="skin tone"),
        pytest.param("🇫🇷🇩🇪", ["🇫🇷", "🇩🇪"], id="flags"),
        pytest.param("हिन्दी", ["हि", "न्", "दी"], id="Hindi"),
        pytest.param("^`a", ["^", "`", "a"], id="ASCII signs"),
    ],
)
def test_clusters_are_what_readers_see(text, parts):
    assert clusters(text) == parts


def test_an_edit_is_marked_character_by_character():
    spans = [(span.kind, span.text) for span in marked("come to", "c/ome t0")]

    assert spans == [("same", "c"), ("new", "/"), ("same", "ome t"), ("gone", "o"), ("new", "0")]


def test_an_accent_is_marked_with_its_letter():
    spans = [(span.kind, span.text) for span in marked("an", "a\u0301n")]

    assert spans == [("gone", "a"), ("new", "a\u0301"), ("same", "n")]


@given(text=st.text())
def test_nothing_hidden_is_left(text):
    shown = visible(text)

    assert not any(unicodedata.category(char) in ("Cs", "Zl", "Zp") for char in shown)
    assert not any(unicodedata.bidirectional(char) in BIDI_CONTROLS for char in shown)
    assert not set(shown) & {chr(code) for code in range(32) if chr(code) not in "\n\t"}


BIDI_CONTROLS = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("a\u202eb", "a⟨U+202E⟩b", id="bidi override"),
        pytest.param("a\u200bb", "a⟨U+200B⟩b", id="zero width space"),
        pytest.param("a\u200db", "a⟨U+200D⟩b", id="joiner between Latin letters"),
        pytest.param("👩‍👧", "👩‍👧", id="joiner in an emoji"),
        pytest.param(PERSIAN, PERSIAN, id="non-joiner in Persian"),
        pytest.param("\u200d", "⟨U+200D⟩", id="joiner alone"),
        pytest.param("\ud800", "⟨U+D800⟩", id="lone surrogate"),
        pytest.param("a\x00\x1b[31m", "a⟨U+0000⟩⟨U+001B⟩[31m", id="controls"),
        pytest.param("two\nlines\tand", "two\nlines\tand", id="line break and tab stay"),
        pytest.param("", "", id="empty"),
    ],
)
def test_hidden_characters_become_code_points(text, shown):
    assert visible(text) == shown


def test_long_texts_keep_what_surrounds_the_edit():
    before = "a" * 5_000 + "X" + "b" * 5_000
    spans = marked(before, before.replace("X", "Y"))

    assert [span.kind for span in spans] == ["cut", "same", "gone", "new", "same", "cut"]
    assert sum(len(span.text) for span in spans) < 200


def test_a_text_of_many_edits_is_cut_and_says_so():
    spans = marked("ab" * 5_000, "a" * 5_000)

    assert len(spans) <= 130
    assert spans[-1].kind == "cut"


def test_an_empty_text_is_marked_as_all_new():
    assert [(span.kind, span.text) for span in marked("", "new")] == [("new", "new")]


def test_nothing_to_show_is_shortened_to_nothing():
    assert shortened([]) == ()
