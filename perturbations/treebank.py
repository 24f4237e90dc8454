"""Penn Treebank tokens, which the published attacks count as words."""

from __future__ import annotations

import re
from functools import lru_cache

from shakeproof.perturbations.spans import TITLES, Site

# Clitics and punctuation marks are separate tokens; hyphens and full stops inside words are not.
CLITIC = r"'(?:s|m|d|ll|re|ve)(?!\w)|n't(?!\w)"
QUOTES = r"\u201c\u201d\u2018\u2019\xab\xbb\u201e\u2026"
ONE_CHARACTER = rf";@#$%&?!\[\](){{}}<>\"{QUOTES}*"
MARK = rf"\.{{2,}}|-{{2,}}|''|``|[{ONE_CHARACTER}]|[,:](?!\d)"
REST = (
    rf"(?:[^\s{ONE_CHARACTER},:'n.\-]|n(?!'t(?!\w))|[,:](?=\d)|-(?!-)"
    r"|\.(?!\.)|'(?=\w)(?!(?:s|m|d|ll|re|ve)(?!\w)))+"
)
TOKEN = re.compile(rf"{CLITIC}|{MARK}|{REST}|\S", re.IGNORECASE)
AFTER_SENTENCE = re.compile(r"[\"'\u201d\u2019)\]]*(?:\s+[\"'\u201c\u2018(\[]*[^\Wa-z]|\s*$)")
ABBREVIATION = re.compile(rf"(?:[A-Z]|(?:[A-Za-z]\.)+[A-Za-z]|{TITLES})")


@lru_cache(maxsize=4)  # a family asks twice: for its sites and for the number of tokens
def tokens(text: str) -> tuple[Site, ...]:
    """Find the tokens of a text; punctuation marks are tokens too."""
    sites: list[Site] = []
    for match in TOKEN.finditer(text):
        start, end = match.span()
        if text[end - 1] == "." and end - start > 1 and ends_sentence(text, start, end):
            sites += (start, end - 1), (end - 1, end)
        else:
            sites.append((start, end))
    return tuple(sites)


def ends_sentence(text: str, start: int, end: int) -> bool:
    """Return whether the full stop at the end of a token ends a sentence, not an abbreviation."""
    closing = AFTER_SENTENCE.match(text, end)
    if closing is None or text[start] == ".":
        return False
    return closing.end() == len(text) or not ABBREVIATION.fullmatch(text, start, end - 1)
