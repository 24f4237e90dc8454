"""What commands share: their options, the configuration, reading a checklist, the cache."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from shakeproof.cli.terminal import complain
from shakeproof.errors import SpecError
from shakeproof.files import reason_of, shown_path
from shakeproof.runs.arguments import (
    DEFAULT_CACHE,
    device_choice,
    positive,
    precision_choice,
    replacement,
    split_replacement,
)
from shakeproof.runs.config import RunConfig
from shakeproof.scoring.cache_errors import cache_errors

if TYPE_CHECKING:
    from shakeproof.metrics.engine.cache import Cache
    from shakeproof.plan.items import Plan
    from shakeproof.spec.model import Checklist

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"
Run: TypeAlias = Callable[[argparse.Namespace], int]


def add_command(
    commands: Commands, name: str, run: Run, *, summary: str, example: str
) -> argparse.ArgumentParser:
    """Add a command whose help ends with an example."""
    command = commands.add_parser(
        name,
        help=summary,
        description=f"{summary}.",
        epilog=f"example:\n{example}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.set_defaults(run=run)
    return command


def add_page_option(command: argparse.ArgumentParser, default: Path) -> None:
    """Add the option of where a page is written."""
    command.add_argument(
        "-o",
        "--output",
        type=Path,
        default=default,
        metavar="FILE",
        help=f"the page to write; default: {default}",
    )


def add_checklist_options(command: argparse.ArgumentParser) -> None:
    """Add the checklist, and the options of how it is read and scored."""
    command.add_argument(
        "file",
        metavar="FILE",
        type=Path,
        help="a checklist; FILE::NAME for one of several data sets under each",
    )
    command.add_argument(
        "--data",
        action="append",
        default=[],
        type=replacement,
        metavar="NAME=PATH",
        help="read PATH where the checklist says data: NAME (or names a group NAME)",
    )
    add_scoring_options(command)


def add_cache_option(command: argparse.ArgumentParser) -> None:
    """Add where scores are cached."""
    command.add_argument(
        "--cache",
        type=Path,
        default=DEFAULT_CACHE,
        metavar="FILE",
        help=f"the score cache; default: {DEFAULT_CACHE}",
    )


def add_scoring_options(command: argparse.ArgumentParser) -> None:
    """Add the options of what is scored and where scores are cached."""
    add_cache_option(command)
    command.add_argument(
        "--limit", type=positive, metavar="N", help="only the first N segments of each data set"
    )
    command.add_argument(
        "--device",
        default="auto",
        type=device_choice,
        help="run models on auto (the default), cpu, cuda, cuda:1, …",
    )
    command.add_argument(
        "--precision",
        default="auto",
        type=precision_choice,
        help="run models in auto (the default), float32, tf32, float16 or bfloat16",
    )
    command.add_argument("--offline", action="store_true", help="never download a model")


def run_config(args: argparse.Namespace) -> RunConfig:
    """Return the configuration that the options of a command describe."""
    return RunConfig(
        device=args.device,
        precision=args.precision,
        offline=args.offline,
        rootdir=Path.cwd(),
        limit=args.limit,
    )


def read_plan(args: argparse.Namespace, *, part: tuple[int, int] = (1, 1)) -> Plan:
    """Read the checklist and its data, as pytest does in the working folder.

    Of large data only the K-th of N parts is read, if its segments can be scored without others.
    """
    from shakeproof.plan.items import make_plan
    from shakeproof.results import split_checklist_name
    from shakeproof.runs.conftests import import_conftests
    from shakeproof.spec.read import load

    config = replace(run_config(args), data=dict(map(split_replacement, args.data)))
    file, data_set = split_checklist_name(str(args.file))
    import_conftests(Path(file))
    return make_plan(
        _choose_data_set(load(Path(file), rootdir=config.rootdir), data_set),
        config.settings,
        limit=config.limit,
        instead=config.data_paths,
        part=part,
    )


def _choose_data_set(checklist: Checklist, name: str) -> Checklist:
    """Return a checklist for one of its separate data sets, which must be named if it has any."""
    from shakeproof.results import checklist_name
    from shakeproof.spec.model import split_data_sets

    parts = {part.data_set: part for part in split_data_sets(checklist)}
    if name not in parts:
        file = shown_path(checklist.path)
        names = " or ".join(checklist_name(file, known) for known in parts)
        raise SpecError(f"{file}: one data set at a time, got {name!r}; name {names}")
    return parts[name]


def import_conftests_here() -> None:
    """Import the conftest.py files around the working folder; one that breaks is reported."""
    from shakeproof.runs.conftests import import_conftests

    try:
        import_conftests(Path("conftest.py"))
    except SpecError as error:
        complain(str(error))


@contextmanager
def open_cache(path: Path | None) -> Iterator[Cache]:
    """Open a cache file, or a cache in memory; SpecError if it cannot be used."""
    from shakeproof.metrics.engine.cache import Cache

    with cache_errors(), Cache(path) as cache:
        yield cache


def make_folder(folder: Path) -> None:
    """Create a folder and those above it; SpecError if that fails."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SpecError(f"{shown_path(folder)}: cannot be created: {reason_of(error)}") from None
