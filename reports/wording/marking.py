"""Texts from the data as a page shows them: edits marked, hidden characters visible."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from shakeproof.results import TextSpan

CONTEXT = 60  # characters kept on either side of an edit
MIN_CUT = 180  # characters; a shorter stretch is not worth leaving out
MAX_SPANS = 120  # of one text that are shown
NOT_HIDDEN = frozenset("\n\t")
JOINERS = frozenset("\N{ZERO WIDTH JOINER}\N{ZERO WIDTH NON-JOINER}")
FIRST_JOINED_SCRIPT = 0x0590  # Hebrew; Latin, Greek and Cyrillic letters are never joined


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a shown text; the text of one that is cut is its number of characters."""

    kind: Literal["same", "removed", "added", "cut"]
    text: str


def mark_edits(before: str, after: str, spans: Sequence[TextSpan]) -> tuple[Span, ...]:
    """Mark how a text became another; without spans one replaces the other as a whole."""
    if spans:
        return shorten([Span(span.kind, span.text) for span in spans])
    if before == after:
        return show_text(before)
    whole = [Span("removed", before), Span("added", after)]
    return shorten([span for span in whole if span.text])


def mark_sides(
    before: str, after: str, spans: Sequence[TextSpan]
) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """Mark what was removed from the old text and added to the new one, if they share anything."""
    if not any(span.kind == "same" and span.text.strip() for span in spans):
        return show_text(before), show_text(after)
    sides = [
        [Span(span.kind, span.text) for span in spans if span.kind in ("same", kind)]
        for kind in ("removed", "added")
    ]
    old, new = (shorten(side) for side in sides)
    return old, new


def show_text(text: str) -> tuple[Span, ...]:
    """Show a text without marks; of a long one the start and the end."""
    return shorten([Span("same", text)] if text else [])


def shorten(spans: Sequence[Span]) -> tuple[Span, ...]:
    """Leave out long unchanged stretches, and everything beyond the first edits."""
    shown = [
        part
        for index, span in enumerate(spans[:MAX_SPANS])
        for part in cut(span, index, len(spans))
    ]
    rest = sum(len(span.text) for span in spans[MAX_SPANS:])
    return (*shown, Span("cut", f"{rest:,}")) if rest else tuple(shown)


def cut(span: Span, index: int, count: int) -> list[Span]:
    """Keep the ends of a long stretch that touch an edit, and most of an edit itself."""
    head, tail = CONTEXT * (index > 0), CONTEXT * (index < count - 1)
    if span.kind != "same" or count == 1:
        head, tail = 5 * CONTEXT, CONTEXT
    left_out = len(span.text) - head - tail
    if left_out < MIN_CUT:
        return [span]
    start, end = span.text[:head], span.text[len(span.text) - tail :]
    parts = [Span(span.kind, start), Span("cut", f"{left_out:,}"), Span(span.kind, end)]
    return [part for part in parts if part.text]


def visible(text: str) -> str:
    """Replace hidden characters by their code points, as in ⟨U+202E⟩."""
    if text.isprintable():
        return text
    pairs = zip(text, ["", *text], strict=False)
    return "".join(f"⟨U+{ord(c):04X}⟩" if is_hidden(c, before) else c for c, before in pairs)


def is_hidden(char: str, before: str) -> bool:
    """Return whether a character shows nothing, or reorders what follows it."""
    if char in JOINERS:
        return not before or ord(before) < FIRST_JOINED_SCRIPT
    category = unicodedata.category(char)
    return category in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp") and char not in NOT_HIDDEN
