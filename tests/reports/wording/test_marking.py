import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shakeproof.reports.wording.characters import clusters, units, visible
from shakeproof.reports.wording.marking import marked, shortened

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


def shown(before, after):
    """What went in brackets, what came in braces."""
    frames = {"gone": "[{}]", "new": "{{{}}}"}
    return "".join(frames.get(span.kind, "{}").format(span.text) for span in marked(before, after))


@pytest.mark.parametrize(
    ("before", "after", "marks"),
    [
        pytest.param("agreement", "agreemXnt", "agreem[e]{X}nt", id="one letter"),
        pytest.param("come again", "c/ome again", "c{/}ome again", id="a letter more"),
        pytest.param("they come", "thẸỸ come", "[they]{thẸỸ} come", id="half a word"),
        pytest.param("to be", "t0 be", "[to]{t0} be", id="half a short word"),
        pytest.param(
            "agreement reached",
            "aXXXXmXXX XeXcXXd",
            "[agreement]{aXXXXmXXX} [reached]{XeXcXXd}",
            id="heavy damage",
        ),
        pytest.param("publishing", "pu.b.lishing", "pu[b]{.b.}lishing", id="near marks join"),
        pytest.param("publishing", "pu.bl.ishing", "pu{.}bl{.}ishing", id="far marks do not"),
        pytest.param("referees", "refYreYs", "[referees]{refYreYs}", id="two places"),
        pytest.param("two words", "twowords", "two[ ]words", id="a lost blank"),
        pytest.param("at 61, see", "at 81, see", "at [61]{81}, see", id="a number"),
        pytest.param("the 14th", "the 24th", "the [14]{24}th", id="a number in a word"),
        pytest.param("abcdef" * 9, "Xbcdef" * 9, "[a]{X}bcdef" * 9, id="no blanks"),
        pytest.param("tañ", "taN", "ta[ñ]{N}", id="less than half"),
    ],
)
def test_letters_are_marked_where_few_changed_and_words_where_many_did(before, after, marks):
    assert shown(before, after) == marks


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


def test_an_accent_is_marked_with_its_letter():
    assert shown("meant", "mea\u0301nt") == "me[a]{a\u0301}nt"


@given(text=st.text(max_size=200))
def test_units_join_back_to_the_text(text):
    assert "".join(units(text)) == text


def test_a_number_is_one_unit():
    assert units("2:58 h") == ["2", ":", "58", " ", "h"]


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


def test_a_text_of_a_few_lines_is_shown_whole():
    before = "a" * 200 + "X" + "b" * 200

    assert {span.kind for span in marked(before, before.replace("X", "Y"))} == {
        "same",
        "gone",
        "new",
    }


def test_a_text_of_many_edits_is_cut_and_says_so():
    spans = marked("abc" * 5_000, "ab" * 5_000)

    assert len(spans) <= 130
    assert spans[-1].kind == "cut"


def test_an_empty_text_is_marked_as_all_new():
    assert [(span.kind, span.text) for span in marked("", "new")] == [("new", "new")]


def test_nothing_to_show_is_shortened_to_nothing():
    assert shortened([]) == ()
