"""`shakeproof gallery`: a page that shows what every family does to a text."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from shakeproof.cli.common import Commands, add_command, add_page_option
from shakeproof.cli.list_ import describe_fields, describe_languages, describe_meaning
from shakeproof.cli.terminal import say
from shakeproof.files import write_text

if TYPE_CHECKING:
    from shakeproof.perturbations.family import Context, Family
    from shakeproof.reports.gallery import FamilyEntry, FamilyGroup, PerturbedText

EXAMPLE = """\
  shakeproof gallery -o gallery.html"""
PAGE = Path("gallery.html")
GROUPS = {
    "characters": "Letters go wrong, as they do in typing, scanning, chatting or on purpose.",
    "surface": "How a text is written changes, what it says does not.",
    "words": "Words are dropped, repeated, moved or replaced.",
    "sentences": "Whole sentences are moved, dropped or taken from another text.",
    "meaning": "Small edits after which the text says something else: a good metric notices.",
    "degenerate": "What broken systems produce: nothing, noise, or some other text.",
    "copying": "The input returned as the answer, exactly or nearly: not a paraphrase at all.",
    "judges": "What a judge, a language model, may reward or obey although it says nothing more.",
}
SEED = 1  # with which every family changes its example at every level
LEVELS = (0.1, 0.3, 1.0)
COUNTS = (1.0, 2.0, 4.0)
OTHER_TEXTS = {  # that some families take words or sentences from
    "source": "They have finally reached an agreement, it seems.",
    "references": "At last there is an agreement between them.",
    "neighbour": "The river rose. Nobody had seen it so high.",
}
NAMES = {"source": "source", "references": "reference", "neighbour": "another segment"}


def add(commands: Commands) -> None:
    """Add the command."""
    command = add_command(
        commands,
        "gallery",
        run,
        summary="Show what every family of perturbations does, as one HTML page",
        example=EXAMPLE,
    )
    add_page_option(command, PAGE)


def run(args: argparse.Namespace) -> int:
    """Write the page and print its address."""
    from shakeproof.reports import render_gallery

    write_text(args.output, render_gallery(list(groups())))
    say(args.output.absolute().as_uri())
    return 0


def groups() -> Iterator[FamilyGroup]:
    """Yield the registered families in groups, in the order of the registry."""
    from shakeproof.perturbations import PERTURBATIONS
    from shakeproof.reports.gallery import FamilyGroup

    order = list(GROUPS)
    families = sorted(PERTURBATIONS.values(), key=lambda family: order.index(family.group))
    for name, members in groupby(families, key=lambda family: family.group):
        yield FamilyGroup(name, GROUPS[name], tuple(map(entry, members)))


def entry(family: Family) -> FamilyEntry:
    """Return what a family declares, and what it does to its own example."""
    from shakeproof.reports.gallery import FamilyEntry

    random = "random" if family.random else "always the same"
    return FamilyEntry(
        name=family.name,
        summary=family.summary,
        level=family.level_means,
        facts=(
            describe_meaning(family),
            random,
            f"on {describe_fields(family)}",
            describe_languages(family),
        ),
        context=tuple((NAMES[need], OTHER_TEXTS[need]) for need in sorted(family.needs)),
        examples=tuple(examples(family)),
    )


def examples(family: Family) -> Iterator[PerturbedText]:
    """Perturb the example at each level; levels with the same effect are shown together."""
    from shakeproof.perturbations.family import Rule
    from shakeproof.reports.gallery import PerturbedText
    from shakeproof.text import spans_between

    text, switch = family.example, family.rule is Rule.SWITCH
    levels = (1.0,) if switch else COUNTS if family.rule is Rule.COUNT else LEVELS
    context = _context(text)
    perturbed = [(level, family(text, level, Random(SEED), context)) for level in levels]
    for after, group in groupby(perturbed, key=lambda pair: pair[1]):
        names = () if switch else tuple(f"{level:g}" for level, _ in group)
        yield PerturbedText(
            levels=names, before=text, after=after, spans=spans_between(text, after)
        )


def _context(text: str) -> Context:
    from shakeproof.perturbations.family import Context

    other = OTHER_TEXTS["neighbour"]
    return Context(
        OTHER_TEXTS["source"],
        references=(OTHER_TEXTS["references"],),
        candidates=(text,),
        neighbour=Context(other, (other,), (other,)),
    )
