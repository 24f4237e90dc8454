"""Edits of several texts, such as the references of a segment."""

from shakeproof.evidence.search.edited_text import apply_edits, edits_of_texts


def test_edits_know_which_text_they_belong_to():
    before, after = ("one two", "three"), ("one too", "three four")
    edits = edits_of_texts(before, after)

    assert [edit.text for edit in edits] == [0, 1]
    assert apply_edits(before, edits) == list(after)
    assert apply_edits(before, edits[1:]) == ["one two", "three four"]
    assert apply_edits(before, reversed(edits)) == list(after)
