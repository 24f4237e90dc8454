"""One-to-one alignments of words with as few crossings as possible, for METEOR."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple, TypeAlias

Link: TypeAlias = tuple[int, int]  # positions in candidate and reference

BEAM = 40  # alignments kept at each word
WORK = 4_000  # words times alignments; long texts keep fewer
FIRST = 4  # places tried for a word that occurs often


class Alignment(NamedTuple):
    """Some links; of two alignments the smaller tuple is the better one."""

    unlinked: int = 0
    crossings: int = 0
    chunks: int = 0  # runs of links that are adjacent in both texts
    links: tuple[Link, ...] = ()

    def linked(self, ours: int, theirs: int) -> Alignment:
        """Add a link."""
        crossed = sum((ours - i) * (theirs - j) < 0 for i, j in self.links)
        joined = sum((ours + step, theirs + step) in self.links for step in (-1, 1))
        return Alignment(
            self.unlinked,
            self.crossings + crossed,
            self.chunks + 1 - joined,
            (*self.links, (ours, theirs)),
        )

    def skipped(self) -> Alignment:
        """Leave a word alone that could be linked."""
        return self._replace(unlinked=self.unlinked + 1)


def align(
    candidate: Sequence[str],
    reference: Sequence[str],
    stages: Iterable[Callable[[str, str], bool]],
) -> Alignment:
    """Link equal words stage by stage; what one stage has linked stays linked.

    Each stage links as many words as it can and, among such alignments, takes one with the
    fewest crossings (Banerjee and Lavie 2005), and of those one with the fewest chunks.
    """
    alignment = Alignment()
    for same in stages:
        alignment = _extend(alignment, candidate, reference, same)
    return alignment


def _extend(
    alignment: Alignment,
    candidate: Sequence[str],
    reference: Sequence[str],
    same: Callable[[str, str], bool],
) -> Alignment:
    ours = {i for i, _ in alignment.links}
    theirs = {j for _, j in alignment.links}
    free = [j for j in range(len(reference)) if j not in theirs]
    words = {word for i, word in enumerate(candidate) if i not in ours}
    options = {word: [j for j in free if same(word, reference[j])] for word in words}
    width = max(1, min(BEAM, WORK // len(candidate))) if candidate else 1
    beam = [alignment._replace(unlinked=0)]
    for i, word in enumerate(candidate):
        if i not in ours and options[word]:
            beam = heapq.nsmallest(width, _grown(beam, i, options[word]))
    return beam[0]


def _grown(beam: Iterable[Alignment], i: int, options: Sequence[int]) -> Iterator[Alignment]:
    """Skip the word, or link it to one of its first free places or to the next in order."""
    for alignment in beam:
        yield alignment.skipped()
        used = {j for _, j in alignment.links}
        last = max((link for link in alignment.links if link[0] < i), default=(0, -1))[1]
        free = [j for j in options if j not in used]
        later = (j for j in free if j > last)
        yield from (alignment.linked(i, j) for j in {*free[:FIRST], *islice(later, 1)})
