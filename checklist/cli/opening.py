"""What the commands that look into checklists share: options, and a plan made ready."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from shakeproof.cli.cache import DEFAULT
from shakeproof.cli.terminal import complain
from shakeproof.errors import SpecError
from shakeproof.plugin.options import replaced, replacements

if TYPE_CHECKING:
    from shakeproof.metrics.engine.cache import Cache
    from shakeproof.plan.items import Plan


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the checklist and what decides how it is read."""
    command.add_argument("file", metavar="FILE", type=Path, help="a checklist")
    command.add_argument(
        "--data",
        action="append",
        default=[],
        type=replaced,
        metavar="NAME=PATH",
        help="read PATH where the checklist says data: NAME (or names a group NAME)",
    )
    add_scoring_options(command)


def add_scoring_options(command: argparse.ArgumentParser) -> None:
    """Add what decides how much is scored, and where."""
    command.add_argument(
        "--cache", type=Path, default=DEFAULT, metavar="FILE", help=f"scores; default: {DEFAULT}"
    )
    command.add_argument(
        "--limit", type=int, metavar="N", help="only the first N segments of each data set"
    )
    command.add_argument("--device", default="auto", help="auto (the default), cpu, cuda, …")
    command.add_argument("--offline", action="store_true", help="never download a model")


def read_plan(args: argparse.Namespace) -> Plan:
    """Read the checklist and its data, as pytest would from here."""
    from shakeproof.metrics.settings import Settings
    from shakeproof.plan.items import make_plan
    from shakeproof.runs.conftests import import_conftests
    from shakeproof.spec.read import load

    check_limit(args.limit)
    import_conftests(args.file)
    rootdir = Path.cwd()
    settings = Settings(device=args.device, offline=args.offline, rootdir=rootdir)
    instead = replacements(args.data, rootdir)
    return make_plan(load(args.file, rootdir=rootdir), settings, limit=args.limit, instead=instead)


def import_conftests_here() -> None:
    """Let the conftest.py files around the working folder register; one that breaks is told."""
    from shakeproof.runs.conftests import import_conftests

    try:
        import_conftests(Path("conftest.py"))
    except SpecError as error:
        complain(str(error))


def check_limit(limit: int | None) -> None:
    """Refuse to look at no segments."""
    if limit is not None and limit < 1:
        raise SpecError(f"--limit must be above 0, got {limit}")


@contextmanager
def open_cache(path: Path | None) -> Iterator[Cache]:
    """Open a cache, or one in memory; one that cannot be used is told in one line."""
    from shakeproof.metrics.engine.cache import Cache
    from shakeproof.metrics.engine.database import CacheError

    try:
        cache = Cache(path)
    except CacheError as error:
        raise SpecError(str(error)) from None
    with cache:
        yield cache
