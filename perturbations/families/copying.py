"""Candidates that repeat the source, exactly or nearly, and ladders in between."""

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

copied = partial(
    Family,
    group="copying",
    keeps_meaning=False,
    fields=frozenset({"candidate"}),
    needs=frozenset({"source"}),
)
OTHERS = {family.name: family for family in (*SURFACE, *WORDS)}


def source_of(context: Context) -> str:
    """Take the source of the segment, which copying cannot do without."""
    if context.source is None:
        raise ValueError("copying needs the source of the segment; this one has none")
    return context.source


def copy_input(text: str, level: float, rng: Random, context: Context) -> str:
    """Give the source itself."""
    return source_of(context)


def copy_and(name: str, text: str, level: float, rng: Random, context: Context) -> str:
    """Give the source after another family has altered it."""
    return OTHERS[name](source_of(context), level, rng, context)


def leave_out_or_repeat(word: str, rng: Random, level: float) -> str:
    """Leave a word out or write it twice."""
    return pick(("", f"{word} {word}"), rng)


WORD_EDITS = InPlace(words, at_site(leave_out_or_repeat), Rule.COUNT)


def near_copy(text: str, level: float, rng: Random, context: Context) -> str:
    """Give the source with a number of words left out or repeated."""
    return WORD_EDITS(source_of(context), level, rng, context)


def pieces(text: str) -> list[str]:
    """Cut a text into its words and what lies between them."""
    bounds = [0, *(bound for site in words(text) for bound in site), len(text)]
    return [text[a:z] for a, z in pairwise(bounds)]


def differences(text: str, other: str) -> dict[Site, str]:
    """Find the fewest places where words must change to turn one text into the other."""
    here, there = pieces(text), pieces(other)
    places = list(accumulate(map(len, here), initial=0))
    return {
        (places[op.src_start], places[op.src_end]): "".join(there[op.dest_start : op.dest_end])
        for op in Levenshtein.opcodes(here, there)
        if op.tag != "equal"
    }


@dataclass(frozen=True, slots=True)
class Approach:
    """Take over from the source what differs from it, a share of the places at a time."""

    def edits(self, text: str, level: float, rng: Random, context: Context) -> list[Edit]:
        """Choose among the places that differ."""
        found = differences(text, source_of(context))

        def take(text: str, site: Site, rng: Random, level: float, context: Context) -> str:
            return found[site]

        return InPlace(lambda _: list(found), take, Rule.SHARE).edits(text, level, rng, context)

    def __call__(self, text: str, level: float, rng: Random, context: Context) -> str:
        """Bring the text nearer to the source."""
        return apply(text, self.edits(text, level, rng, context))


def copy_reference(text: str, level: float, rng: Random, context: Context) -> str:
    """Give the first reference."""
    if not context.references:
        raise ValueError("copying the reference needs one; this segment has none")
    return context.references[0]


COPYING = (
    copied("copy-input", function=copy_input, summary="Give the source itself.", random=False),
    copied(
        "copy-lower",
        function=partial(copy_and, "lower-case"),
        summary="Give the source in small letters.",
        random=False,
    ),
    copied(
        "copy-unpunctuated",
        function=partial(copy_and, "strip-punctuation"),
        summary="Give the source without punctuation marks.",
        random=False,
    ),
    copied(
        "copy-shuffled",
        function=partial(copy_and, "shuffle-words"),
        summary="Give the source with its words in another order.",
    ),
    copied(
        "near-copy",
        function=near_copy,
        summary="Give the source with some words left out or repeated.",
        rule=Rule.COUNT,
        unit="words of the source",
    ),
    copied(
        "towards-copy",
        function=Approach(),
        summary="Take over from the source what differs from it, up to an exact copy.",
        rule=Rule.SHARE,
        unit="places where the text differs from the source",
    ),
    copied(
        "copy-reference",
        function=copy_reference,
        summary="Give the first reference.",
        random=False,
        needs=frozenset({"references"}),
    ),
)
