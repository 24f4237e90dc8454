"""Families that replace a candidate with a copy, or a near copy, of the source or reference."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import accumulate, pairwise
from random import Random

from rapidfuzz.distance import Levenshtein

from shakeproof.perturbations.editing import InPlace, apply, at_site, pick
from shakeproof.perturbations.families.surface import SURFACE
from shakeproof.perturbations.families.words import WORDS
from shakeproof.perturbations.family import Context, Edit, Family, Rule
from shakeproof.perturbations.spans import Site, words

copy_family = partial(
    Family,
    group="copying",
    keeps_meaning=False,
    fields=frozenset({"candidate"}),
    needs=frozenset({"source"}),
)
FAMILIES = {family.name: family for family in (*SURFACE, *WORDS)}


def source_of(context: Context) -> str:
    """Return the source of the segment."""
    if context.source is None:
        raise ValueError("copying needs the source of the segment; this one has none")
    return context.source


def copy_input(text: str, level: float, rng: Random, context: Context) -> str:
    """Return the source."""
    return source_of(context)


def copy_and(name: str, text: str, level: float, rng: Random, context: Context) -> str:
    """Return the source after another family has changed it."""
    return FAMILIES[name](source_of(context), level, rng, context)


def delete_or_repeat(word: str, rng: Random, level: float) -> str:
    """Delete a word or write it twice."""
    return pick(("", f"{word} {word}"), rng)


WORD_EDITS = InPlace(words, at_site(delete_or_repeat), Rule.COUNT)


def near_copy(text: str, level: float, rng: Random, context: Context) -> str:
    """Return the source with a number of words deleted or repeated."""
    return WORD_EDITS(source_of(context), level, rng, context)


def words_and_gaps(text: str) -> list[str]:
    """Cut a text into its words and the text between them."""
    bounds = [0, *(bound for site in words(text) for bound in site), len(text)]
    return [text[a:z] for a, z in pairwise(bounds)]


def differences(text: str, other: str) -> dict[Site, str]:
    """Find the sites that differ from another text, each with the text that it has there.

    The number of words that differ is the smallest possible.
    """
    here, there = words_and_gaps(text), words_and_gaps(other)
    places = list(accumulate(map(len, here), initial=0))
    return {
        (places[op.src_start], places[op.src_end]): "".join(there[op.dest_start : op.dest_end])
        for op in Levenshtein.opcodes(here, there)
        if op.tag != "equal"
    }


@dataclass(frozen=True, slots=True)
class TowardsSource:
    """Replaces a share of what differs from the source with the words of the source."""

    def edits(self, text: str, level: float, rng: Random, context: Context) -> list[Edit]:
        """Choose among the sites that differ."""
        replacements = differences(text, source_of(context))

        def take(text: str, site: Site, rng: Random, level: float, context: Context) -> str:
            return replacements[site]

        return InPlace(lambda _: list(replacements), take, Rule.SHARE).edits(
            text, level, rng, context
        )

    def __call__(self, text: str, level: float, rng: Random, context: Context) -> str:
        """Make the text more like the source."""
        return apply(text, self.edits(text, level, rng, context))


def copy_reference(text: str, level: float, rng: Random, context: Context) -> str:
    """Return the first reference."""
    if not context.references:
        raise ValueError("copying the reference needs one; this segment has none")
    return context.references[0]


COPYING = (
    copy_family(
        "copy-input", function=copy_input, summary="Replace the text with the source.", random=False
    ),
    copy_family(
        "copy-lower",
        function=partial(copy_and, "lower-case"),
        summary="Replace the text with the source in lower case.",
        random=False,
    ),
    copy_family(
        "copy-unpunctuated",
        function=partial(copy_and, "strip-punctuation"),
        summary="Replace the text with the source without punctuation marks.",
        random=False,
    ),
    copy_family(
        "copy-shuffled",
        function=partial(copy_and, "shuffle-words"),
        summary="Replace the text with the source, its words in random order.",
    ),
    copy_family(
        "near-copy",
        function=near_copy,
        summary="Replace the text with the source, some words deleted or repeated.",
        rule=Rule.COUNT,
        unit="words of the source",
    ),
    copy_family(
        "towards-copy",
        function=TowardsSource(),
        summary="Replace what differs from the source with the words of the source.",
        rule=Rule.SHARE,
        unit="places that differ from the source",
    ),
    copy_family(
        "copy-reference",
        function=copy_reference,
        summary="Replace the text with the first reference.",
        random=False,
        needs=frozenset({"references"}),
    ),
)
