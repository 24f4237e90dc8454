"""What was edited in a text: letters where few changed, whole words where many did."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from shakeproof.reports.wording.characters import units

Kind = Literal["same", "gone", "new", "cut"]

CONTEXT = 60  # characters kept at either side of an edit
LEAST_CUT = 180  # characters; fewer are not worth leaving out
SPANS = 120  # of one text that are shown
LEAST_ALIKE = 0.65  # below it, a text was put in place of another
MOST_CHANGED = 0.5  # of a word: from here on it is marked as a whole
LONGEST_WORD = 24  # longer stretches of letters are no words
NEAREST = 2  # letters that stay between two marks; fewer are taken into them


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of text that stayed, went, came, or was left out."""

    kind: Kind
    text: str


@dataclass(frozen=True, slots=True)
class Piece:
    """Units of the old text and those that stand in their place; equal if they stayed."""

    old: tuple[str, ...]
    new: tuple[str, ...]

    @property
    def stayed(self) -> bool:
        """Tell what was not edited."""
        return self.old == self.new

    @property
    def between(self) -> bool:
        """Tell an unchanged blank or mark between words."""
        return self.stayed and not any(char.isalnum() for unit in self.old for char in unit)


def marked(before: str, after: str) -> tuple[Span, ...]:
    """Show how one text became the other."""
    old, new = units(before), units(after)
    if rewritten(old, new):
        return shortened([Span("gone", before), Span("new", after)])
    return shortened([span for piece in joined(sites(old, new)) for span in spans(piece)])


def rewritten(old: Sequence[str], new: Sequence[str]) -> bool:
    """Tell a text put in place of another from one that was edited in place."""
    from rapidfuzz.distance import Indel

    both = bool(old) and bool(new) and len(old) != len(new)
    return both and Indel.normalized_similarity(old, new) < LEAST_ALIKE


def sites(old: Sequence[str], new: Sequence[str]) -> Iterator[Piece]:
    """Pair what stayed and what changed, with edits told word by word."""
    for between, group in groupby(pieces(old, new), key=lambda piece: piece.between):
        run = list(group)
        yield from run if between else edited(run)


def pieces(old: Sequence[str], new: Sequence[str]) -> Iterator[Piece]:
    """Align two texts; what stayed comes unit by unit."""
    from rapidfuzz.distance import Indel

    for edit in Indel.opcodes(old, new):
        lost, came = old[edit.src_start : edit.src_end], new[edit.dest_start : edit.dest_end]
        if edit.tag == "equal":
            yield from (Piece((unit,), (unit,)) for unit in lost)
        else:
            yield Piece(tuple(lost), tuple(came))


def edited(word: Sequence[Piece]) -> list[Piece]:
    """Mark a word as a whole if much of it changed, or in several places, else its letters."""
    letters = list(without_gaps(word))
    kept = sum(piece.stayed for piece in word)
    longest = max(sum(len(piece.old) for piece in word), sum(len(piece.new) for piece in word))
    much = kept <= longest * (1 - MOST_CHANGED)
    scattered = sum(bool(piece.old) and not piece.stayed for piece in letters) > 1
    return [whole(word)] if longest <= LONGEST_WORD and (much or scattered) else letters


def without_gaps(word: Sequence[Piece]) -> Iterator[Piece]:
    """Take what stays between two near edits into one of them."""
    runs = [(stayed, list(run)) for stayed, run in groupby(word, key=lambda piece: piece.stayed)]
    last = len(runs) - 1
    near = [
        stayed and len(run) < NEAREST and 0 < at < last for at, (stayed, run) in enumerate(runs)
    ]
    kept = [stayed and not close for (stayed, _), close in zip(runs, near, strict=True)]
    for _, group in groupby(zip(kept, runs, strict=True), key=lambda pair: pair[0]):
        yield whole([piece for _, (_, run) in group for piece in run])


def whole(parts: Sequence[Piece]) -> Piece:
    """Put pieces together."""
    old = tuple(unit for piece in parts for unit in piece.old)
    return Piece(old, tuple(unit for piece in parts for unit in piece.new))


def joined(found: Iterator[Piece]) -> Iterator[Piece]:
    """Put neighbours together that stayed, or that were edited."""
    for _, group in groupby(found, key=lambda piece: piece.stayed):
        yield whole(list(group))


def spans(piece: Piece) -> Iterator[Span]:
    """Show a piece: what went before what came."""
    old, new = "".join(piece.old), "".join(piece.new)
    shown = [("same", old)] if piece.stayed else [("gone", old), ("new", new)]
    yield from (Span(kind, text) for kind, text in shown if text)  # type: ignore[arg-type]  # kinds


def shortened(found: Sequence[Span]) -> tuple[Span, ...]:
    """Leave out long stretches that stayed, and all beyond the first edits."""
    kept = [
        piece for index, span in enumerate(found[:SPANS]) for piece in cut(span, index, len(found))
    ]
    rest = sum(len(span.text) for span in found[SPANS:])
    return (*kept, Span("cut", f"{rest:,}")) if rest else tuple(kept)


def cut(span: Span, index: int, count: int) -> list[Span]:
    """Keep the ends of a long stretch that touch an edit, and much of an edit itself."""
    head, foot = CONTEXT * (index > 0), CONTEXT * (index < count - 1)
    if span.kind != "same" or count == 1:
        head, foot = 5 * CONTEXT, CONTEXT
    left_out = len(span.text) - head - foot
    if left_out < LEAST_CUT:
        return [span]
    first, last = span.text[:head], span.text[len(span.text) - foot :]
    parts = [Span(span.kind, first), Span("cut", f"{left_out:,}"), Span(span.kind, last)]
    return [part for part in parts if part.text]
