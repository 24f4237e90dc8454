"""`shakeproof gallery`: a page that shows what every family does to a text."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from shakeproof.cli.common import Commands, add_command
from shakeproof.cli.declared import fields, meaning, serves
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
    "words": "Words go missing, come twice, change places or give way to others.",
    "sentences": "Whole sentences move, vanish or come from elsewhere.",
    "meaning": "Small edits after which the text says something else: a good metric notices.",
    "degenerate": "What broken systems give: nothing, noise, or some other text.",
    "copying": "The input given back as the answer, exactly or nearly: no paraphrase at all.",
}
SEED = 1  # under which every family shows something at every level
LEVELS = (0.1, 0.3, 1.0)
COUNTS = (1.0, 2.0, 4.0)
BESIDE = {
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
    command.add_argument(
        "-o", "--output", type=Path, default=PAGE, metavar="FILE", help=f"default: {PAGE}"
    )


def run(args: argparse.Namespace) -> int:
    """Write the page and say where it lies."""
    from shakeproof.reports import render_gallery

    write_text(args.output, render_gallery(list(groups())))
    say(args.output.absolute().as_uri())
    return 0


def groups() -> Iterator[FamilyGroup]:
    """Put the families of the registry in groups, in its order."""
    from shakeproof.perturbations import PERTURBATIONS
    from shakeproof.reports.gallery import FamilyGroup

    order = list(GROUPS)
    families = sorted(PERTURBATIONS.values(), key=lambda one: order.index(one.group))
    for name, members in groupby(families, key=lambda one: one.group):
        yield FamilyGroup(name, GROUPS[name], tuple(map(entry, members)))


def entry(family: Family) -> FamilyEntry:
    """Show a family on its own example."""
    from shakeproof.reports.gallery import FamilyEntry

    drawn = "random" if family.random else "always the same"
    return FamilyEntry(
        family.name,
        family.summary,
        family.level_means,
        (meaning(family), drawn, f"on {fields(family)}", serves(family)),
        tuple((NAMES[need], BESIDE[need]) for need in sorted(family.needs)),
        tuple(examples(family)),
    )


def examples(family: Family) -> Iterator[PerturbedText]:
    """Perturb the example at each level, and join levels of the same effect."""
    from shakeproof.perturbations.family import Rule
    from shakeproof.reports.gallery import PerturbedText

    text, switch = family.example, family.rule is Rule.SWITCH
    levels = (1.0,) if switch else COUNTS if family.rule is Rule.COUNT else LEVELS
    damaged = [(level, family(text, level, Random(SEED), _around(text))) for level in levels]
    for after, same in groupby(damaged, key=lambda one: one[1]):
        yield PerturbedText(() if switch else tuple(f"{level:g}" for level, _ in same), text, after)


def _around(text: str) -> Context:
    from shakeproof.perturbations.family import Context

    other = BESIDE["neighbour"]
    return Context(
        BESIDE["source"],
        references=(BESIDE["references"],),
        candidates=(text,),
        neighbour=Context(other, (other,), (other,)),
    )
