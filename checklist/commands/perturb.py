"""`shakeproof perturb`: see what a family does to a text."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from difflib import SequenceMatcher
from random import Random
from typing import TYPE_CHECKING

from shakeproof.commands.adding import Commands, add_command
from shakeproof.commands.terminal import coloured, say, styled
from shakeproof.errors import SpecError, unknown

if TYPE_CHECKING:
    from shakeproof.perturbations.contract import Family

EXAMPLE = """\
  shakeproof perturb visual --level 0.1 --level 0.3 "Now they have come to an agreement."
  shakeproof perturb copy-input --source "How old are you?" "What is your age?\""""
LEVELS = (0.1, 0.2, 0.3)
COUNTS = (1.0, 2.0, 3.0)


def add(commands: Commands) -> None:
    """Add the command."""
    command = add_command(
        commands,
        "perturb",
        run,
        summary="Show what a perturbation does to a text, level by level",
        example=EXAMPLE,
    )
    command.add_argument("family", metavar="FAMILY", help="see shakeproof list perturbations")
    command.add_argument("text", metavar="TEXT", help="- reads standard input")
    command.add_argument(
        "--level", action="append", type=float, dest="levels", help="may be given several times"
    )
    command.add_argument("--seed", type=int, default=0, help="another seed, another result")
    command.add_argument("--source", help="the input, for families that use it")
    command.add_argument("--other", help="another text, for families that borrow from one")


def run(args: argparse.Namespace) -> int:
    """Print the text as it is and at each level, edits marked."""
    from shakeproof.perturbations import PERTURBATIONS

    if args.family not in PERTURBATIONS:
        raise unknown("perturbation", args.family, PERTURBATIONS)
    family = PERTURBATIONS[args.family]
    text = sys.stdin.read().rstrip("\n") if args.text == "-" else args.text
    levels = _levels(family, args.levels)
    names = [f"{level:g}" if len(levels) > 1 or args.levels else "" for level in levels]
    damaged = [_damaged(family, text, level, args) for level in levels]
    say(_line("", text, names))
    for name, after in zip(names, damaged, strict=True):
        say(_line(name, marked(text, after, colour=coloured()), names))
    return 0


def _line(name: str, text: str, names: list[str]) -> str:
    indent = max(map(len, names))
    return f"{name:>{indent}}  {text}" if indent else text


def _levels(family: Family, levels: list[float] | None) -> tuple[float, ...]:
    from shakeproof.perturbations.contract import Rule
    from shakeproof.spec.perturb import WANTED, in_range

    if family.rule is Rule.SWITCH:
        if levels:
            raise SpecError(f"{family.name!r} is on or off and takes no level")
        return (1.0,)
    for level in levels or ():
        if not in_range(level, family.rule):
            raise SpecError(
                f"levels of {family.name!r} must be {WANTED[family.rule]}, got {level:g}"
            )
    return tuple(levels or (COUNTS if family.rule is Rule.COUNT else LEVELS))


def _damaged(family: Family, text: str, level: float, args: argparse.Namespace) -> str:
    from shakeproof.perturbations.contract import Context

    given = {"source": args.source, "neighbour": args.other}
    options = {"source": "--source", "neighbour": "--other"}
    for need in sorted(family.needs & given.keys()):
        if given[need] is None:
            raise SpecError(f"{family.name!r} needs the {need}; give it with {options[need]} TEXT")
    other = args.other
    borrowed = Context(other, (other,), (other,)) if other is not None else None
    context = Context(args.source, candidates=(text,), neighbour=borrowed)
    return family(text, level, Random(args.seed), context)


def marked(before: str, after: str, *, colour: bool) -> str:
    """Show a text with what was added and removed, as [-removed-]{+added+} without colours."""
    return "".join(_pieces(before, after, colour=colour))


def _pieces(before: str, after: str, *, colour: bool) -> Iterator[str]:
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    for tag, i, j, k, m in matcher.get_opcodes():
        if tag == "equal":
            yield before[i:j]
            continue
        removed, added = before[i:j], after[k:m]
        if colour:
            yield styled(removed, "removed", colour=True) + styled(added, "added", colour=True)
        else:
            yield (f"[-{removed}-]" if removed else "") + (f"{{+{added}+}}" if added else "")
