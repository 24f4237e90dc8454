"""Families that delete, repeat, move, cut or add sentences."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from random import Random

from shakeproof.perturbations.editing import Around, always, in_place, rearrange, shuffled
from shakeproof.perturbations.family import Context, Rule
from shakeproof.perturbations.spans import Site, sentences, whole, words

sentence_family = partial(in_place, group="sentences", keeps_meaning=False)
NEIGHBOUR = frozenset({"neighbour"})
SEVERAL = "They came. They saw the river! Did they cross it? Nobody knows."


def later_sentences(text: str) -> list[Site]:
    """Find all sentences except the first, each with the spaces before it."""
    return [(before[1], after[1]) for before, after in pairwise(sentences(text))]


def reorder(text: str, rng: Random, level: float) -> str:
    """Shuffle the sentences; the spaces between them stay."""
    return rearrange(text, sentences(text), lambda parts: shuffled(parts, rng))


def words_from_the_end(text: str) -> list[Site]:
    """Find all words except the first, each with what stands before it, the last word first."""
    ends = [*(z for _, z in words(text)[:-1]), len(text)]
    return list(pairwise(ends))[::-1]


def words_from_the_start(text: str) -> list[Site]:
    """Find all words except the last, each with what stands after it."""
    starts = [0, *(a for a, _ in words(text)[1:])]
    return list(pairwise(starts))


def borrowed(context: Context) -> str:
    """Return the text of another segment: a candidate, or else a reference, or else the source."""
    if context.neighbour is None:
        raise ValueError("borrowing needs another segment; this data set has only one")
    other = context.neighbour
    return next(filter(None, (*other.candidates, *other.references, other.source)), "")


def borrowed_sentence(context: Context) -> str:
    """Return the first sentence of another segment."""
    text = borrowed(context)
    return next((text[a:z] for a, z in sentences(text)), text)


def end(text: str) -> list[Site]:
    """Find the end of the text."""
    return [(len(text), len(text))]


def start(text: str) -> list[Site]:
    """Find the start of the text."""
    return [(0, 0)]


def append(text: str, site: Site, rng: Random, level: float, context: Context) -> str:
    """Return a space and a sentence of another segment."""
    return f" {borrowed_sentence(context)}"


def prepend(text: str, site: Site, rng: Random, level: float, context: Context) -> str:
    """Return a sentence of another segment and a space."""
    return f"{borrowed_sentence(context)} "


def replace(text: str, site: Site, rng: Random, level: float, context: Context) -> str:
    """Return a sentence of another segment."""
    return borrowed_sentence(context)


SENTENCES = (
    sentence_family(
        "reorder-sentences", "Put the sentences in another order.", whole, reorder, example=SEVERAL
    ),
    sentence_family(
        "drop-sentence",
        "Delete sentences, but never the first one.",
        later_sentences,
        always(lambda sentence: ""),
        Rule.SHARE,
        unit="sentences except the first",
        example=SEVERAL,
    ),
    sentence_family(
        "repeat-sentence",
        "Write sentences twice.",
        sentences,
        always(lambda sentence: f"{sentence} {sentence}"),
        Rule.SHARE,
        unit="sentences",
        example=SEVERAL,
    ),
    sentence_family(
        "replace-sentence",
        "Replace sentences with a sentence of another segment.",
        sentences,
        Around(replace),
        Rule.SHARE,
        unit="sentences",
        needs=NEIGHBOUR,
        example=SEVERAL,
    ),
    sentence_family(
        "truncate",
        "Delete words from the end of the text.",
        words_from_the_end,
        always(lambda piece: ""),
        Rule.SHARE,
        random=False,
        unit="words except the first",
    ),
    sentence_family(
        "behead",
        "Delete words from the start of the text.",
        words_from_the_start,
        always(lambda piece: ""),
        Rule.SHARE,
        random=False,
        unit="words except the last",
    ),
    sentence_family(
        "append-sentence",
        "Add a sentence of another segment at the end.",
        end,
        Around(append),
        random=False,
        needs=NEIGHBOUR,
    ),
    sentence_family(
        "prepend-sentence",
        "Add a sentence of another segment at the start.",
        start,
        Around(prepend),
        random=False,
        needs=NEIGHBOUR,
    ),
)
