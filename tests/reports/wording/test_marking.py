import unicodedata

import pytest
from built_texts import side, spans
from hypothesis import given
from hypothesis import strategies as st

from shakeproof.reports.wording.marking import mark_edits, mark_sides, shorten, show_text, visible
from shakeproof.results import TextSpan

PERSIAN = "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"
BIDI_CONTROLS = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


def edits(before, removed, added, after):
    pairs = [("same", before), ("removed", removed), ("added", added), ("same", after)]
    return [TextSpan(kind=kind, text=text) for kind, text in pairs]


def kinds(shown):
    return [span.kind for span in shown]


def test_spans_of_an_example_are_shown_as_they_are():
    found = spans("agreem[e|X]nt")
    shown = mark_edits("agreement", "agreemXnt", found)

    assert [(span.kind, span.text) for span in shown] == [
        ("same", "agreem"),
        ("removed", "e"),
        ("added", "X"),
        ("same", "nt"),
    ]


def test_each_side_of_an_edit_is_marked_on_its_own_line():
    before, after = mark_sides("agreement", "agreemXnt", spans("agreem[e|X]nt"))

    assert [(span.kind, span.text) for span in before] == [
        ("same", "agreem"),
        ("removed", "e"),
        ("same", "nt"),
    ]
    assert [(span.kind, span.text) for span in after] == [
        ("same", "agreem"),
        ("added", "X"),
        ("same", "nt"),
    ]


@pytest.mark.parametrize("found", [(), spans("[abc|xyz]"), spans("[abc|x] [d|yz]")])
def test_texts_that_share_nothing_are_not_marked(found):
    before, after = mark_sides("abc d", "x yz", found)

    assert [span.kind for span in (*before, *after)] == ["same", "same"]


@given(before=st.text(max_size=60), after=st.text(max_size=60))
def test_without_spans_one_text_replaces_the_other(before, after):
    shown = mark_edits(before, after, ())

    assert side(shown, "removed") == before
    assert side(shown, "added") == after
    assert set(kinds(shown)) <= ({"same"} if before == after else {"removed", "added"})


@given(text=st.text())
def test_nothing_hidden_is_left(text):
    shown = visible(text)

    assert not any(unicodedata.category(char) in ("Cs", "Zl", "Zp") for char in shown)
    assert not any(unicodedata.bidirectional(char) in BIDI_CONTROLS for char in shown)
    assert not set(shown) & {chr(code) for code in range(32) if chr(code) not in "\n\t"}


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
    shown = mark_edits("", "", edits("a" * 5_000, "X", "Y", "b" * 5_000))

    assert kinds(shown) == ["cut", "same", "removed", "added", "same", "cut"]
    assert sum(len(span.text) for span in shown) < 200


def test_a_text_of_a_few_lines_is_shown_whole():
    shown = mark_edits("", "", edits("a" * 200, "X", "Y", "b" * 200))

    assert kinds(shown) == ["same", "removed", "added", "same"]


def test_a_text_of_many_edits_is_cut_and_says_so():
    shown = mark_edits("", "", spans("ab[c|]" * 5_000))

    assert len(shown) <= 130
    assert shown[-1].kind == "cut"


def test_a_long_text_without_marks_keeps_its_start_and_end():
    assert kinds(show_text("a" * 10_000)) == ["same", "cut", "same"]


def test_an_empty_text_is_marked_as_all_added():
    assert [(span.kind, span.text) for span in mark_edits("", "new", ())] == [("added", "new")]


def test_nothing_to_show_is_shortened_to_nothing():
    assert shorten([]) == ()
