"""Words as the published attacks count them: Penn Treebank tokens, found in place."""

from __future__ import annotations

import re
from functools import lru_cache

from shakeproof.perturbations.spans import Site

# Clitics and punctuation marks are tokens of their own; hyphens and inner stops are not.
CLITIC = r"'(?:s|m|d|ll|re|ve)(?!\w)|n't(?!\w)"
QUOTES = r"\u201c\u201d\u2018\u2019\xab\xbb\u201e\u2026"
SINGLE = rf";@#$%&?!\[\](){{}}<>\"{QUOTES}*"
MARK = rf"\.{{2,}}|-{{2,}}|''|``|[{SINGLE}]|[,:](?!\d)"
REST = (
    rf"(?:[^\s{SINGLE},:'n.\-]|n(?!'t(?!\w))|[,:](?=\d)|-(?!-)"
    r"|\.(?!\.)|'(?=\w)(?!(?:s|m|d|ll|re|ve)(?!\w)))+"
)
TOKEN = re.compile(rf"{CLITIC}|{MARK}|{REST}|\S", re.IGNORECASE)
CLOSED = re.compile(r"[\"'\u201d\u2019)\]]*(?:\s+[\"'\u201c\u2018(\[]*[^\Wa-z]|\s*$)")
ABBREVIATION = re.compile(r"(?:[A-Z]|(?:[A-Za-z]\.)+[A-Za-z]|Mr|Mrs|Ms|Dr|St|Prof|Gen|Col|Lt|Sen)")


@lru_cache(maxsize=4)  # sites and their total are asked for in turn
def tokens(text: str) -> tuple[Site, ...]:
    """Find the tokens of a text, punctuation marks among them."""
    found: list[Site] = []
    for match in TOKEN.finditer(text):
        start, end = match.span()
        if text[end - 1] == "." and end - start > 1 and ends_sentence(text, start, end):
            found += (start, end - 1), (end - 1, end)
        else:
            found.append((start, end))
    return tuple(found)


def ends_sentence(text: str, start: int, end: int) -> bool:
    """Tell whether the stop at the end of a token closes a sentence, not an abbreviation."""
    closing = CLOSED.match(text, end)
    if closing is None or text[start] == ".":
        return False
    return closing.end() == len(text) or not ABBREVIATION.fullmatch(text, start, end - 1)
