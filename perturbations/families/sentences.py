"""Sentences left out, repeated, moved, cut off or borrowed from elsewhere."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from random import Random

from shakeproof.perturbations.editing import Around, always, apply, in_place, shuffled
from shakeproof.perturbations.family import Context, Edit, Rule
from shakeproof.perturbations.spans import Site, sentences, whole, words

discourse = partial(in_place, group="sentences", keeps_meaning=False)
NEIGHBOUR = frozenset({"neighbour"})
SEVERAL = "They came. They saw the river! Did they cross it? Nobody knows."


def later_sentences(text: str) -> list[Site]:
    """Find all sentences but the first, each with the blanks before it."""
    return [(before[1], after[1]) for before, after in pairwise(sentences(text))]


def reorder(text: str, rng: Random, level: float) -> str:
    """Put the sentences in another order; the blanks between them stay."""
    sites = sentences(text)
    mixed = shuffled([text[a:z] for a, z in sites], rng)
    return apply(text, [Edit(*site, new) for site, new in zip(sites, mixed, strict=True)])


def words_from_the_end(text: str) -> list[Site]:
    """Cut all but the first word into pieces that end a text, the last one first."""
    ends = [*(z for _, z in words(text)[:-1]), len(text)]
    return list(pairwise(ends))[::-1]


def words_from_the_start(text: str) -> list[Site]:
    """Cut all but the last word into pieces that begin a text."""
    starts = [0, *(a for a, _ in words(text)[1:])]
    return list(pairwise(starts))


def borrowed(context: Context) -> str:
    """Take the text of another segment: a candidate, else a reference, else the source."""
    if context.neighbour is None:
        raise ValueError("borrowing needs another segment; this data set has only one")
    there = context.neighbour
    return next(
        (text for text in (*there.candidates, *there.references) if text), there.source or ""
    )


def borrowed_sentence(context: Context) -> str:
    """Take the first sentence of another segment."""
    text = borrowed(context)
    return next((text[a:z] for a, z in sentences(text)), text)


def end(text: str) -> list[Site]:
    """Take the place after the text."""
    return [(len(text), len(text))]


def start(text: str) -> list[Site]:
    """Take the place before the text."""
    return [(0, 0)]


def append(text: str, site: Site, rng: Random, level: float, context: Context) -> str:
    """Put a sentence of another segment after a blank."""
    return f" {borrowed_sentence(context)}"


def prepend(text: str, site: Site, rng: Random, level: float, context: Context) -> str:
    """Put a sentence of another segment before a blank."""
    return f"{borrowed_sentence(context)} "


def replace(text: str, site: Site, rng: Random, level: float, context: Context) -> str:
    """Put a sentence of another segment in place of this one."""
    return borrowed_sentence(context)


SENTENCES = (
    discourse(
        "reorder-sentences", "Put the sentences in another order.", whole, reorder, example=SEVERAL
    ),
    discourse(
        "drop-sentence",
        "Leave out sentences, never the first one.",
        later_sentences,
        always(lambda sentence: ""),
        Rule.SHARE,
        unit="sentences but the first",
        example=SEVERAL,
    ),
    discourse(
        "repeat-sentence",
        "Write sentences twice.",
        sentences,
        always(lambda sentence: f"{sentence} {sentence}"),
        Rule.SHARE,
        unit="sentences",
        example=SEVERAL,
    ),
    discourse(
        "replace-sentence",
        "Put a sentence of another segment in place of sentences.",
        sentences,
        Around(replace),
        Rule.SHARE,
        unit="sentences",
        needs=NEIGHBOUR,
        example=SEVERAL,
    ),
    discourse(
        "truncate",
        "Cut the text off at its end.",
        words_from_the_end,
        always(lambda piece: ""),
        Rule.SHARE,
        random=False,
        unit="words but the first",
    ),
    discourse(
        "behead",
        "Cut the text off at its start.",
        words_from_the_start,
        always(lambda piece: ""),
        Rule.SHARE,
        random=False,
        unit="words but the last",
    ),
    discourse(
        "append-sentence",
        "Add a sentence of another segment at the end.",
        end,
        Around(append),
        random=False,
        needs=NEIGHBOUR,
    ),
    discourse(
        "prepend-sentence",
        "Add a sentence of another segment at the start.",
        start,
        Around(prepend),
        random=False,
        needs=NEIGHBOUR,
    ),
)
