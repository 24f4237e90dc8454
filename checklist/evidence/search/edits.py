"""What was edited: the difference between two texts, cut into edits that make sense alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, groupby
from typing import NamedTuple

from shakeproof.perturbations.clusters import clusters
from shakeproof.perturbations.editing import apply
from shakeproof.perturbations.family import Edit

ALIKE = 0.5  # a stretch that keeps less than this is one edit, not an edit of single characters


class Change(NamedTuple):
    """An edit of one of several texts."""

    place: int  # which text
    edit: Edit


class Stretch(NamedTuple):
    """A stretch of one text, and the stretch of another that stands for it."""

    start: int
    end: int
    new_start: int
    new_end: int


def changes_between(before: Sequence[str], after: Sequence[str]) -> tuple[Change, ...]:
    """List the edits of several texts, one text after the other."""
    return tuple(
        Change(place, edit)
        for place, texts in enumerate(zip(before, after, strict=True))
        for edit in edits_between(*texts)
    )


def with_changes(texts: Sequence[str], changes: Iterable[Change]) -> list[str]:
    """Make some of the edits, and leave everything else as it is."""
    edits: list[list[Edit]] = [[] for _ in texts]
    for place, edit in changes:
        edits[place].append(edit)
    return [apply(text, sorted(some)) for text, some in zip(texts, edits, strict=True)]


def edits_between(before: str, after: str) -> tuple[Edit, ...]:
    """List the edits that make one text of the other, in order; no two of them touch.

    Words are lined up first, so that a word which was replaced is one edit; within a word that
    is still much the same, so is every run of characters.
    """
    rewritten = stretches(pieces(before), pieces(after))
    return tuple(edit for one in rewritten for edit in _refined(before, after, one))


def pieces(text: str) -> list[str]:
    """Cut a text into words, blanks and single marks; joined again they are the text."""
    found: list[str] = []
    for kind, grouped in groupby(clusters(text), key=_kind):
        run = list(grouped)
        found += ["".join(run)] if kind else run
    return found


def _kind(cluster: str) -> int:
    if cluster[0].isalnum():
        return 1
    return 2 if cluster.isspace() else 0


def stretches(old: Sequence[str], new: Sequence[str]) -> list[Stretch]:
    """Find what differs between two sequences of pieces, as stretches of the texts they make."""
    from rapidfuzz.distance import Levenshtein

    at, new_at = ([0, *accumulate(map(len, each))] for each in (old, new))
    found: list[Stretch] = []
    for op in Levenshtein.opcodes(old, new):
        if op.tag == "equal":
            continue
        ends = at[op.src_start], at[op.src_end], new_at[op.dest_start], new_at[op.dest_end]
        one = Stretch(*ends)
        if found and found[-1].end == one.start and found[-1].new_end == one.new_start:
            one = _joined(found.pop(), one)
        found.append(one)
    return found


def _refined(before: str, after: str, whole: Stretch) -> Iterator[Edit]:
    """Cut a stretch into edits of single characters if most of it stayed."""
    from rapidfuzz.distance import Indel

    start, end, new_start, new_end = whole
    old, new = clusters(before[start:end]), clusters(after[new_start:new_end])
    if Indel.normalized_similarity(old, new) < ALIKE:
        yield Edit(start, end, after[new_start:new_end])
        return
    for one in swaps_joined(stretches(old, new)):
        text = after[new_start + one.new_start : new_start + one.new_end]
        yield Edit(start + one.start, start + one.end, text)


def swaps_joined(found: Iterable[Stretch]) -> list[Stretch]:
    """Take what came before a character and what went after it as one: they changed places."""
    joined: list[Stretch] = []
    for one in found:
        if joined and _is_swap(joined[-1], one):
            one = _joined(joined.pop(), one)
        joined.append(one)
    return joined


def _is_swap(one: Stretch, other: Stretch) -> bool:
    between = other.start - one.end
    came, went = (each.new_end - each.new_start for each in (one, other))
    gone, lost = (each.end - each.start for each in (one, other))
    return between == 1 and sorted([(came, gone), (went, lost)]) == [(0, 1), (1, 0)]


def _joined(one: Stretch, other: Stretch) -> Stretch:
    return Stretch(one.start, other.end, one.new_start, other.new_end)
