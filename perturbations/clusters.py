"""Grapheme clusters: characters as a reader sees them, such as a letter with its accents."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import regex

# Unicode's rule (`\X`) and two additions, so that no edit parts what is written as one letter:
# marks that Unicode counts as characters of their own (Burmese vowel signs), and the consonants
# of an Indic conjunct (Unicode's rule GB9c, which `\X` leaves out).
CLUSTER = (
    r"\X\p{M}*+"
    r"(?:(?<=\p{InCB=Linker}\u200d?)(?=\p{InCB=Consonant})\X\p{M}*+)*+"
)
# What every cluster of two characters or more has in it.
JOINING = (
    r"[\p{M}\p{GCB=Extend}\p{GCB=SpacingMark}\p{GCB=ZWJ}\p{GCB=Prepend}"
    r"\p{GCB=Regional_Indicator}\p{GCB=L}\p{GCB=V}\p{GCB=T}\r]"
)


@cache
def unicode_pattern(pattern: str) -> regex.Pattern[str]:
    r"""Compile a pattern that names Unicode properties (`\p{…}`, `\X`).

    `regex` is imported here, at first use, because loading it takes 40 ms.
    """
    import regex

    return regex.compile(pattern, regex.V1)


def single(text: str) -> bool:
    """Return whether every character of a text is a cluster by itself."""
    if text.isascii():
        return "\r" not in text
    return unicode_pattern(JOINING).search(text) is None


def clusters(text: str) -> list[str]:
    """Cut a text into its clusters; joined again they are the text."""
    return list(text) if single(text) else unicode_pattern(CLUSTER).findall(text)


def cluster_spans(text: str) -> list[tuple[int, int]]:
    """Find where the clusters of a text begin and end."""
    if single(text):
        return [(i, i + 1) for i in range(len(text))]
    return [match.span() for match in unicode_pattern(CLUSTER).finditer(text)]


def seams(text: str) -> frozenset[int]:
    """Find the places between clusters, both ends of the text included."""
    return frozenset(end for _, end in cluster_spans(text)) | {0}
