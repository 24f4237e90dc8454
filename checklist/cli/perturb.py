"""`shakeproof perturb`: show what a perturbation does to a text."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from shakeproof.cli.common import Commands, add_command, import_conftests_here
from shakeproof.cli.terminal import coloured, say, styled
from shakeproof.errors import SpecError, unknown

if TYPE_CHECKING:
    from shakeproof.metrics.models.tokenizer_files import Tokenize
    from shakeproof.perturbations.family import Context, Family

EXAMPLE = """\
  shakeproof perturb visual --level 0.1 --level 0.3 "Now they have come to an agreement."
  shakeproof perturb visual --tokenizer minilm "Now they have come to an agreement."
  shakeproof perturb copy-input --source "How old are you?" "What is your age?\""""
LEVELS = (0.1, 0.2, 0.3)
COUNTS = (1.0, 2.0, 3.0)
OPTIONS = {"source": "--source", "references": "--reference", "neighbour": "--other"}


def add(commands: Commands) -> None:
    """Add the command."""
    command = add_command(
        commands,
        "perturb",
        run,
        summary="Show what a perturbation does to a text, level by level, and how much it changes",
        example=EXAMPLE,
    )
    command.add_argument(
        "family", metavar="FAMILY", help="its name; see shakeproof list perturbations"
    )
    command.add_argument("text", metavar="TEXT", help="the text; - reads standard input")
    command.add_argument(
        "--level",
        action="append",
        type=float,
        dest="levels",
        help="how strong; may be given several times",
    )
    command.add_argument(
        "--seed", type=int, default=0, help="seed of the random choices; default: 0"
    )
    command.add_argument("--source", help="the input, for families that use it")
    command.add_argument("--reference", help="a reference, for families that use it")
    command.add_argument("--other", help="the text of another segment, for families that use one")
    command.add_argument(
        "--tokenizer",
        metavar="MODEL",
        help="also count the tokens this model does not know: minilm, a folder or a hub name",
    )


def run(args: argparse.Namespace) -> int:
    """Print the text, then at each level the marked edits and how much they change."""
    from shakeproof.perturbations import PERTURBATIONS

    import_conftests_here()
    if args.family not in PERTURBATIONS:
        raise unknown("perturbation", args.family, PERTURBATIONS)
    family = PERTURBATIONS[args.family]
    text = sys.stdin.read().rstrip("\n") if args.text == "-" else args.text
    levels = _levels(family, args.levels)
    context = _context(family, text, args)
    tokenize = _tokenizer(args.tokenizer) if args.tokenizer else None
    names = [f"{level:g}" if len(levels) > 1 or args.levels else "" for level in levels]
    indent = max(map(len, names))
    say(_line("", text, indent))
    for name, level in zip(names, levels, strict=True):
        after = family(text, level, Random(args.seed), context)
        say(_line(name, marked_edits(text, after, colour=coloured()), indent))
        for severity in _severity(text, after, tokenize):
            say(_line("", styled(severity, "dimmed", colour=coloured()), indent))
    return 0


def _line(name: str, text: str, indent: int) -> str:
    return f"{name:>{indent}}  {text}" if indent else text


def _levels(family: Family, levels: list[float] | None) -> tuple[float, ...]:
    from shakeproof.perturbations.family import Rule

    if family.rule is Rule.SWITCH:
        if levels:
            raise SpecError(f"{family.name!r} is on or off and takes no level")
        return (1.0,)
    for level in levels or ():
        if level not in family.rule.levels:
            raise SpecError(
                f"levels of {family.name!r} must be {family.rule.levels}, got {level:g}"
            )
    return tuple(levels or (COUNTS if family.rule is Rule.COUNT else LEVELS))


def _context(family: Family, text: str, args: argparse.Namespace) -> Context:
    """Return the texts around the given one, as far as the family needs them."""
    from shakeproof.perturbations.family import Context

    texts = {"source": args.source, "references": args.reference, "neighbour": args.other}
    for need in sorted(family.needs):
        if texts[need] is None:
            raise SpecError(f"{family.name!r} needs the {need}; give it with {OPTIONS[need]} TEXT")
    other = args.other
    return Context(
        args.source,
        references=() if args.reference is None else (args.reference,),
        candidates=(text,),
        neighbour=None if other is None else Context(other, (other,), (other,)),
    )


def _tokenizer(name: str) -> Tokenize:
    from shakeproof.metrics.models.files import ModelNotFound, find_model
    from shakeproof.metrics.models.tokenizer_files import load_tokenizer

    try:
        tokenize = load_tokenizer(find_model(name, folder=Path()))
    except ModelNotFound as error:
        raise SpecError(str(error)) from None
    if tokenize is None:
        raise SpecError(f"{name!r} has no tokenizer.json here, so its tokens cannot be counted")
    return tokenize


def _severity(before: str, after: str, tokenize: Tokenize | None) -> Iterator[str]:
    """Yield how much changed and, with a tokenizer, how the number of tokens did."""
    from shakeproof.perturbations.severity import pieces_per_word, realised, unknown_per_segment

    severity = realised([before], [after])
    yield (
        f"{severity.letters:.0%} of letters, {severity.words:.0%} of words, "
        f"{severity.edits:.0%} of characters edited"
    )
    if tokenize:
        counts = [unknown_per_segment([text], tokenize) for text in (before, after)]
        pieces = [pieces_per_word([text], tokenize) for text in (before, after)]
        yield (
            f"unknown tokens {counts[0]:.0f} -> {counts[1]:.0f}, "
            f"pieces per word {pieces[0]:.1f} -> {pieces[1]:.1f}"
        )


def marked_edits(before: str, after: str, *, colour: bool) -> str:
    """Return a text with its edits in colours, or marked as [-removed-]{+added+}."""
    from shakeproof.text import mark_edits

    if not colour:
        return mark_edits(before, after)
    removed, added = (partial(styled, style=style, colour=True) for style in ("removed", "added"))
    return mark_edits(before, after, removed=removed, added=added)
