"""Texts made safe to look at, and what was edited in them."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Kind = Literal["same", "gone", "new", "cut"]

KEPT = frozenset("\n\t")
JOINERS = frozenset("\N{ZERO WIDTH JOINER}\N{ZERO WIDTH NON-JOINER}")
FIRST_JOINED_SCRIPT = 0x0590  # Hebrew; Latin, Greek and Cyrillic letters are never joined
EXTENDERS = frozenset(("Mn", "Me", "Mc"))
SKIN_TONES = frozenset(map(chr, range(0x1F3FB, 0x1F400)))
FLAG_LETTERS = frozenset(map(chr, range(0x1F1E6, 0x1F200)))  # two of them make a flag
CONTEXT = 36  # characters kept at either side of an edit
SPANS = 120  # of one text that are shown
LEAST_ALIKE = 0.65  # below it, marks of single characters are confetti


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of text that stayed, went, came, or was left out."""

    kind: Kind
    text: str


def hidden(char: str, before: str) -> bool:
    """Tell characters that show nothing or reorder what follows."""
    if char in JOINERS:
        return not before or ord(before) < FIRST_JOINED_SCRIPT
    category = unicodedata.category(char)
    return category in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp") and char not in KEPT


def visible(text: str) -> str:
    """Replace hidden characters by their code points, as in ⟨U+202E⟩."""
    if text.isprintable():
        return text
    pairs = zip(text, "\0" + text, strict=False)
    return "".join(f"⟨U+{ord(c):04X}⟩" if hidden(c, b.strip("\0")) else c for c, b in pairs)


def extends(char: str, before: str) -> bool:
    """Tell whether a character belongs to the one before it."""
    return (
        unicodedata.category(char) in EXTENDERS
        or char in SKIN_TONES
        or before[-1] == "\N{ZERO WIDTH JOINER}"
        or (char in JOINERS and not hidden(char, before[-1]))
        or (char in FLAG_LETTERS and before in FLAG_LETTERS)
    )


def clusters(text: str) -> list[str]:
    """Cut a text into what readers see as characters."""
    found: list[str] = []
    for char in text:
        if found and extends(char, found[-1]):
            found[-1] += char
        else:
            found.append(char)
    return found


def marked(before: str, after: str) -> tuple[Span, ...]:
    """Show how one text became the other, character by character if much of it stayed."""
    old, new = clusters(before), clusters(after)
    if rewritten(old, new):
        return shortened([Span("gone", before), Span("new", after)])
    return shortened(tidy(edits(old, new)))


def rewritten(old: Sequence[str], new: Sequence[str]) -> bool:
    """Tell a text put in place of another from one that was edited in place."""
    from rapidfuzz.distance import Indel

    both = bool(old) and bool(new) and len(old) != len(new)
    return both and Indel.normalized_similarity(old, new) < LEAST_ALIKE


def edits(old: Sequence[str], new: Sequence[str]) -> list[Span]:
    """List what stayed, went and came, in order."""
    from rapidfuzz.distance import Indel

    spans: list[Span] = []
    for edit in Indel.opcodes(old, new):
        lost = "".join(old[edit.src_start : edit.src_end])
        came = "".join(new[edit.dest_start : edit.dest_end])
        spans += [Span("same", lost)] if edit.tag == "equal" else []
        spans += [Span("gone", lost), Span("new", came)] if edit.tag != "equal" else []
    return [span for span in spans if span.text]


def tidy(spans: Sequence[Span]) -> list[Span]:
    """Put what went before what came between two stretches that stayed."""
    runs: list[list[Span]] = [[]]
    for span in spans:
        if span.kind == "same":
            runs += [[span], []]
        else:
            runs[-1].append(span)
    return [whole for run in runs for whole in merged(run)]


def merged(run: Sequence[Span]) -> list[Span]:
    """Join neighbouring edits of a kind."""
    texts = {
        kind: "".join(s.text for s in run if s.kind == kind) for kind in ("same", "gone", "new")
    }
    return [Span(kind, text) for kind, text in texts.items() if text]  # type: ignore[arg-type]  # keys are kinds


def shortened(spans: Sequence[Span]) -> tuple[Span, ...]:
    """Leave out long stretches that stayed, and all beyond the first edits."""
    kept = [
        piece for index, span in enumerate(spans[:SPANS]) for piece in cut(span, index, len(spans))
    ]
    rest = sum(len(span.text) for span in spans[SPANS:])
    return (*kept, Span("cut", f"{rest:,}")) if rest else tuple(kept)


def cut(span: Span, index: int, count: int) -> list[Span]:
    """Keep the ends of a long stretch that touch an edit, and much of an edit itself."""
    head, foot = CONTEXT * (index > 0), CONTEXT * (index < count - 1)
    if span.kind != "same" or count == 1:
        head, foot = 8 * CONTEXT, CONTEXT
    left_out = len(span.text) - head - foot
    if left_out < 2 * CONTEXT:
        return [span]
    first, last = span.text[:head], span.text[len(span.text) - foot :]
    parts = [Span(span.kind, first), Span("cut", f"{left_out:,}"), Span(span.kind, last)]
    return [part for part in parts if part.text]
