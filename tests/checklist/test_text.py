"""Differences between texts: edits that make sense alone, spans for readers, marks, plurals."""

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shakeproof.perturbations import PERTURBATIONS
from shakeproof.perturbations.clusters import seams
from shakeproof.perturbations.editing import apply
from shakeproof.perturbations.family import Context, Edit, Rule
from shakeproof.text import edits_between, letters, mark_edits, spans_between

SOURCE = "All trains to Leeds leave from platform 4 today, and they will be late."
TEXT = "The 12 trains to Leeds aren't on time; all of them leave from platform 4."
AROUND = Context(source=SOURCE, references=(SOURCE,), neighbour=Context(candidates=(SOURCE,)))
WORDS = st.lists(st.sampled_from(["the", "cat", "sat", "mat,", "há", "猫", "🙂"])).map(" ".join)


@pytest.mark.parametrize(
    ("before", "after", "edits"),
    [
        pytest.param("the cat", "the cat", [], id="nothing"),
        pytest.param("", "the", [(0, 0, "the")], id="out of nothing"),
        pytest.param("the", "", [(0, 3, "")], id="to nothing"),
        pytest.param("a big dog", "a large hound", [(2, 5, "large"), (6, 9, "hound")], id="words"),
        pytest.param("form the", "from teh", [(1, 3, "ro"), (6, 8, "eh")], id="swapped letters"),
        pytest.param("we go on", "wego on", [(2, 3, "")], id="words joined"),
        pytest.param(
            "he can go on", "he ca n g o on", [(5, 5, " "), (8, 8, " ")], id="words split"
        ),
        pytest.param("wonder", "w:on:der", [(1, 1, ":"), (3, 3, ":")], id="letters put in"),
        pytest.param("Hello, you", "HELLO, YOU", [(0, 5, "HELLO"), (7, 10, "YOU")], id="capitals"),
        pytest.param("the cat sat", "the sat", [(4, 8, "")], id="a word left out"),
        pytest.param("a b", "a\u00a0b", [(1, 2, "\u00a0")], id="a blank"),
        pytest.param("cafe\u0301", "caf\u00e9", [(3, 5, "\u00e9")], id="a letter with its accent"),
        pytest.param("hi 👩‍👧", "hi 👩‍👦", [(3, 6, "👩‍👦")], id="an emoji as a whole"),
        pytest.param("שלום עולם", "שלוש עולם", [(3, 4, "ש")], id="right to left"),
    ],
)
def test_edits_are_where_a_reader_would_see_them(before, after, edits):
    assert edits_between(before, after) == tuple(Edit(*one) for one in edits)


@given(before=st.text() | WORDS, after=st.text() | WORDS)
def test_all_edits_make_the_new_text_and_none_leaves_the_old_one(before, after):
    edits = edits_between(before, after)

    assert apply(before, edits) == after
    assert apply(before, []) == before


@given(before=st.text() | WORDS, after=st.text() | WORDS)
def test_no_two_edits_touch(before, after):
    edits = edits_between(before, after)

    assert all(one.end < other.start for one, other in pairwise(edits))
    assert all(before[one.start : one.end] != one.text for one in edits)


@given(before=st.text() | WORDS, after=st.text() | WORDS)
def test_no_edit_tears_what_readers_see_as_one_character(before, after):
    ends = seams(before)

    assert all({one.start, one.end} <= ends for one in edits_between(before, after))


@pytest.mark.parametrize("name", PERTURBATIONS)
def test_every_family_can_be_taken_apart_and_put_together(name):
    family = PERTURBATIONS[name]
    level = {Rule.COUNT: 3, Rule.SWITCH: 1}.get(family.rule, 0.4)
    damaged = family(TEXT, level, Random(name), AROUND)
    edits = edits_between(TEXT, damaged)

    assert apply(TEXT, edits) == damaged
    assert bool(edits) == (damaged != TEXT)


def test_a_long_text_is_taken_apart_in_no_time():
    before = "a long text about 7 trains " * 400
    edits = edits_between(before, before.upper())

    assert len(edits) == 400 * 5
    assert apply(before, edits) == before.upper()


TEXTS = st.text(max_size=60) | WORDS
FRAMES = {"same": "{}", "removed": "[{}]", "added": "{{{}}}"}


def shown(before, after):
    """Write removed text in brackets, added text in braces."""
    return "".join(FRAMES[span.kind].format(span.text) for span in spans_between(before, after))


@given(before=TEXTS, after=TEXTS)
def test_spans_hold_both_texts_in_full(before, after):
    spans = spans_between(before, after)

    assert "".join(span.text for span in spans if span.kind != "added") == before
    assert "".join(span.text for span in spans if span.kind != "removed") == after
    assert all(span.text for span in spans)
    assert all(one.kind != other.kind for one, other in pairwise(spans))


@given(text=TEXTS)
def test_an_unchanged_text_has_no_marks(text):
    assert {span.kind for span in spans_between(text, text)} <= {"same"}


def test_a_text_put_in_place_of_another_is_shown_whole():
    before, after = "They have reached an agreement.", "A cold day in March it was, and late."

    assert shown(before, after) == f"[{before}]{{{after}}}"


def test_texts_with_as_many_lines_are_compared_line_by_line():
    before = "They have reached an agreement.\nthe old cat"
    after = "A cold day in March it was, and late.\nthe odd cat"
    first, second = (text.split("\n")[0] for text in (before, after))

    assert shown(before, after) == f"[{first}]{{{second}}}\nthe o[l]{{d}}d cat"


def test_an_empty_text_is_marked_as_all_added():
    assert shown("", "new") == "{new}"


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
        pytest.param("the cat sat", "the sat", "the [cat ]sat", id="a lost word"),
        pytest.param("at 61, see", "at 81, see", "at [61]{81}, see", id="a number"),
        pytest.param("the 14th", "the 24th", "the [14]{24}th", id="a number in a word"),
        pytest.param("abcdef" * 9, "Xbcdef" * 9, "[a]{X}bcdef" * 9, id="no blanks"),
        pytest.param("tañ", "taN", "ta[ñ]{N}", id="less than half"),
        pytest.param("meant", "mea\u0301nt", "me[a]{a\u0301}nt", id="an accent"),
        pytest.param("an end.", "an end", "an end[.]", id="a lost full stop"),
    ],
)
def test_letters_are_marked_where_few_changed_and_words_where_many_did(before, after, marks):
    assert shown(before, after) == marks


@given(text=st.text(max_size=200))
def test_letters_join_back_to_the_text(text):
    assert "".join(letters(text)) == text


def test_a_number_is_one_letter():
    assert letters("2:58 h") == ["2", ":", "58", " ", "h"]


def test_edits_are_marked_for_terminals():
    assert mark_edits("the cat sat", "teh cat") == "t[-he-]{+eh+} cat[- sat-]"
    assert mark_edits("a", "b", removed=str.upper, added="({})".format) == "A(b)"
