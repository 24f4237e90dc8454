"""`shakeproof cache`: show, merge or empty the score cache."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from shakeproof.cli.common import Commands, add_command, open_cache
from shakeproof.cli.terminal import say
from shakeproof.errors import SpecError
from shakeproof.files import shown_path
from shakeproof.runs.arguments import DEFAULT_CACHE

if TYPE_CHECKING:
    from shakeproof.metrics.engine.cache import Cache

EXAMPLE = """\
  shakeproof cache info
  shakeproof cache merge shard1.sqlite shard2.sqlite
  shakeproof cache clear --file .shakeproof/scores.sqlite"""
UNITS = ("bytes", "kB", "MB", "GB", "TB")


def add(commands: Commands) -> None:
    """Add the command."""
    command = add_command(
        commands,
        "cache",
        run,
        summary="Show what is in the score cache, merge other caches into it, or empty it",
        example=EXAMPLE,
    )
    command.add_argument("action", choices=("info", "merge", "clear"), help="what to do")
    command.add_argument(
        "others", nargs="*", type=Path, metavar="OTHER", help="caches to merge into this one"
    )
    command.add_argument(
        "--file", type=Path, default=DEFAULT_CACHE, help=f"the cache; default: {DEFAULT_CACHE}"
    )


def run(args: argparse.Namespace) -> int:
    """Show, merge or empty the cache; only merging creates a cache that does not exist."""
    if bool(args.others) != (args.action == "merge"):
        problem = "needs the files to merge" if args.action == "merge" else "takes no other files"
        raise SpecError(f"cache {args.action} {problem}")
    if not args.file.is_file() and args.action != "merge":
        raise SpecError(f"{shown_path(args.file)}: no score cache; name one with --file")
    with open_cache(args.file) as cache:
        if args.action == "merge":
            return _merge(cache, args.others)
        return _info(cache) if args.action == "info" else _clear(cache)


def _info(cache: Cache) -> int:
    from shakeproof.results import counted

    info = cache.info()
    say(f"{shown_path(info.path or DEFAULT_CACHE)}: {format_size(info.bytes)}")
    rows = [("scores", "scorer"), *((f"{n:,}", name) for name, n in sorted(info.scores.items()))]
    wide = max(len(count) for count, _ in rows)
    for count, signature in rows:
        say(f"{count:<{wide}}  {signature}")  # in one line however long, to be searched and copied
    for signature, by_model in sorted(info.usage.items()):
        for model, used in sorted(by_model.items()):
            tokens = f"{used.input_tokens:,} + {used.output_tokens:,} tokens"
            say(f"{counted(used.calls, 'call')} with {tokens} answered by {model!r}: {signature}")
    return 0


def _merge(cache: Cache, others: Sequence[Path]) -> int:
    """Add the scores of other caches; scores that are here already stay as they are."""
    with cache.lock():
        before = sum(cache.info().scores.values())
        for other in others:
            cache.merge(other)
        after = sum(cache.info().scores.values())
    say(f"{after - before:,} new scores, {after:,} in all")
    return 0


def _clear(cache: Cache) -> int:
    with cache.lock():
        before = cache.info()
        cache.clear()
    say(f"deleted {sum(before.scores.values()):,} scores, {format_size(before.bytes)}")
    return 0


def format_size(count: float) -> str:
    """Write a number of bytes with a unit, such as 1.5 MB."""
    unit = 0
    while count >= 1000 and unit < len(UNITS) - 1:
        count, unit = count / 1000, unit + 1
    return f"{count:.1f} {UNITS[unit]}" if unit else f"{count:.0f} {UNITS[0]}"
