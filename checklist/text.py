"""The difference between two texts as edits and as spans, and numbers with their nouns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, chain, groupby
from typing import NamedTuple

from shakeproof.perturbations.clusters import clusters
from shakeproof.perturbations.family import Edit
from shakeproof.results import TextSpan

MIN_SIMILARITY = 0.5  # words that are less alike are replaced, not edited letter by letter
MIN_TEXT_SIMILARITY = 0.65  # the same for whole texts, when they are shown
MAX_SHARE_CHANGED = 0.5  # of a word; from here on the whole word is shown as changed
MAX_WORD = 24  # letters; in a longer stretch without blanks letters are always shown
MAX_JOINED = 50  # changed stretches of words that were split or joined
MIN_GAP = 2  # unchanged letters between two edits of a word; fewer are shown as changed too


class Stretch(NamedTuple):
    """A stretch of one text, and the stretch of another text that replaces it."""

    start: int
    end: int
    new_start: int
    new_end: int


class Piece(NamedTuple):
    """Letters of the old text, and the letters that replace them; equal if nothing changed."""

    old: tuple[str, ...]
    new: tuple[str, ...]

    @property
    def unchanged(self) -> bool:
        """Return whether the letters are still the same."""
        return self.old == self.new


def edits_between(before: str, after: str) -> tuple[Edit, ...]:
    """Return the edits that turn one text into the other, in order; no two of them touch.

    Words are aligned first, then the letters of words that are still alike. So every edit makes
    sense alone: a word that was replaced is one edit, and so is each changed run of letters.
    """
    stretches = _join_by_blanks(before, after, _differences(_words(before), _words(after)))
    return tuple(edit for stretch in stretches for edit in _letter_edits(before, after, stretch))


def letters(text: str) -> list[str]:
    """Cut a text into what a reader takes as one: grapheme clusters, and numbers as a whole."""
    return [
        part
        for is_number, run in groupby(clusters(text), key=str.isdecimal)
        for part in (["".join(run)] if is_number else run)
    ]


def _words(text: str) -> list[str]:
    """Cut a text into words, blanks and single punctuation marks."""
    return [
        part
        for kind, run in groupby(clusters(text), key=_kind)
        for part in (run if kind == "mark" else ["".join(run)])
    ]


def _kind(cluster: str) -> str:
    if cluster[0].isalnum():
        return "word"
    return "blank" if cluster.isspace() else "mark"


def _differences(old: Sequence[str], new: Sequence[str]) -> list[Stretch]:
    """Align two sequences of parts, and return where the texts that they make up differ."""
    from rapidfuzz.distance import Levenshtein

    ends, new_ends = ([0, *accumulate(map(len, parts))] for parts in (old, new))
    stretches: list[Stretch] = []
    for op in Levenshtein.opcodes(old, new):
        if op.tag == "equal":
            continue
        stretch = Stretch(
            ends[op.src_start], ends[op.src_end], new_ends[op.dest_start], new_ends[op.dest_end]
        )
        if stretches and stretches[-1][1::2] == stretch[::2]:  # they touch in both texts
            stretch = _union(stretches.pop(), stretch)
        stretches.append(stretch)
    return stretches


def _join_by_blanks(before: str, after: str, stretches: Sequence[Stretch]) -> Iterator[Stretch]:
    """Join stretches that together differ in blanks alone: words that were split or joined."""
    first = 0
    while first < len(stretches):
        joined, count = stretches[first], 1
        for number, stretch in enumerate(stretches[first : first + MAX_JOINED], start=1):
            union = _union(stretches[first], stretch)
            old = "".join(before[union.start : union.end].split())
            new = "".join(after[union.new_start : union.new_end].split())
            if old == new:
                joined, count = union, number
            if old == new or not (old.startswith(new) or new.startswith(old)):
                break
        yield joined
        first += count


def _letter_edits(before: str, after: str, stretch: Stretch) -> Iterator[Edit]:
    """Cut a stretch into edits of single letters if most of its letters are unchanged."""
    from rapidfuzz.distance import Indel

    start, end, new_start, new_end = stretch
    old, new = letters(before[start:end]), letters(after[new_start:new_end])
    if Indel.normalized_similarity(old, new) < MIN_SIMILARITY:
        yield Edit(start, end, after[new_start:new_end])
        return
    for part in _join_swaps(_differences(old, new)):
        text = after[new_start + part.new_start : new_start + part.new_end]
        yield Edit(start + part.start, start + part.end, text)


def _join_swaps(stretches: Iterable[Stretch]) -> list[Stretch]:
    """Join the two edits of letters that changed places: one inserted, the same one deleted."""
    joined: list[Stretch] = []
    for stretch in stretches:
        if joined and _is_swap(joined[-1], stretch):
            stretch = _union(joined.pop(), stretch)
        joined.append(stretch)
    return joined


def _is_swap(first: Stretch, second: Stretch) -> bool:
    sizes = sorted((s.end - s.start, s.new_end - s.new_start) for s in (first, second))
    return second.start - first.end == 1 and sizes == [(0, 1), (1, 0)]


def _union(first: Stretch, second: Stretch) -> Stretch:
    return Stretch(first.start, second.end, first.new_start, second.new_end)


def mark_edits(
    before: str,
    after: str,
    *,
    removed: Callable[[str], str] = "[-{}-]".format,
    added: Callable[[str], str] = "{{+{}+}}".format,
) -> str:
    """Return a text with every edit marked, for terminals: as [-removed-]{+added+} by default."""
    shown, at = "", 0
    for start, end, text in edits_between(before, after):
        shown += before[at:start] + (removed(before[start:end]) if end > start else "")
        shown += added(text) if text else ""
        at = end
    return shown + before[at:]


def spans_between(before: str, after: str) -> tuple[TextSpan, ...]:
    """Return how one text became the other, for readers of a page.

    These are the edits, joined where many small ones are hard to read: a word that changed a lot
    or in several places is shown whole, and so is a line that another one replaces. Texts with
    the same number of lines are compared line by line.
    """
    lines, new_lines = before.split("\n"), after.split("\n")
    if len(lines) != len(new_lines):
        lines, new_lines = [before], [after]
    pieces: list[Piece] = []
    for number, (line, new_line) in enumerate(zip(lines, new_lines, strict=True)):
        pieces += [Piece(("\n",), ("\n",))] if number else []
        pieces += _readable_pieces(line, new_line)
    spans: list[TextSpan] = []
    for unchanged, run in groupby(pieces, key=lambda piece: piece.unchanged):
        old, new = ("".join(part) for part in _join(run))
        if unchanged:
            spans.append(TextSpan(kind="same", text=old))
        else:
            spans += [TextSpan(kind="removed", text=old), TextSpan(kind="added", text=new)]
    return tuple(span for span in spans if span.text)


def _readable_pieces(before: str, after: str) -> list[Piece]:
    """Pair what changed and what did not, word by word; or the texts, if one replaces the other."""
    from rapidfuzz.distance import Indel

    old, new = letters(before), letters(after)
    replaced = bool(old) and bool(new) and len(old) != len(new)  # damage in place keeps the length
    if replaced and Indel.normalized_similarity(old, new) < MIN_TEXT_SIMILARITY:
        return [Piece(tuple(old), tuple(new))]
    words = _split_words(list(_pieces(before, after)))
    return [piece for word in words for piece in _readable_word(word)]


def _pieces(before: str, after: str) -> Iterator[Piece]:
    """Pair the letters of two texts: each unchanged letter by itself, and each edit."""
    at = 0
    for edit in edits_between(before, after):
        yield from (Piece((letter,), (letter,)) for letter in letters(before[at : edit.start]))
        yield Piece(tuple(letters(before[edit.start : edit.end])), tuple(letters(edit.text)))
        at = edit.end
    yield from (Piece((letter,), (letter,)) for letter in letters(before[at:]))


def _split_words(pieces: Sequence[Piece]) -> Iterator[list[Piece]]:
    """Split pieces where a word ends in both texts."""
    old = [letter for piece in pieces for letter in piece.old]
    new = [letter for piece in pieces for letter in piece.new]
    word: list[Piece] = []
    at = new_at = 0
    for piece in pieces:
        if word and not (_inside_word(old, at) or _inside_word(new, new_at)):
            yield word
            word = []
        word.append(piece)
        at, new_at = at + len(piece.old), new_at + len(piece.new)
    if word:
        yield word


def _inside_word(parts: Sequence[str], at: int) -> bool:
    return 0 < at < len(parts) and _kind(parts[at - 1]) == _kind(parts[at]) == "word"


def _readable_word(word: Sequence[Piece]) -> list[Piece]:
    """Return a word as one piece if much of it changed, or several parts of it."""
    pieces = list(_join_near_edits(word))
    unchanged = sum(piece.unchanged for piece in word)
    size = max(sum(len(piece.old) for piece in word), sum(len(piece.new) for piece in word))
    much = unchanged <= size * (1 - MAX_SHARE_CHANGED)
    several = sum(bool(piece.old) and not piece.unchanged for piece in pieces) > 1
    return [_join(word)] if size <= MAX_WORD and (much or several) else pieces


def _join_near_edits(word: Sequence[Piece]) -> Iterator[Piece]:
    """Join edits with few unchanged letters between them."""
    runs = [(same, list(run)) for same, run in groupby(word, key=lambda piece: piece.unchanged)]
    ends = (0, len(runs) - 1)
    kept = [
        same and (len(run) >= MIN_GAP or number in ends) for number, (same, run) in enumerate(runs)
    ]
    for _, group in groupby(zip(kept, runs, strict=True), key=lambda pair: pair[0]):
        yield _join(piece for _, (_, run) in group for piece in run)


def _join(pieces: Iterable[Piece]) -> Piece:
    old, new = zip(*pieces, strict=True)
    return Piece(tuple(chain.from_iterable(old)), tuple(chain.from_iterable(new)))
