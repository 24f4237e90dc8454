"""`shakeproof data`: list public data sets with human judgements, and bring them here."""

from __future__ import annotations

import argparse
import shutil
import sys
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

from shakeproof.cli.cache import format_size
from shakeproof.cli.common import Commands, add_command
from shakeproof.cli.list_ import describe_data
from shakeproof.cli.terminal import Stderr, complain, say, table
from shakeproof.errors import SpecError, unknown
from shakeproof.files import shown_path, write_text

if TYPE_CHECKING:
    from shakeproof.data.sets.download import Progress
    from shakeproof.data.sets.records import OriginFile

EXAMPLE = """\
  shakeproof data list
  shakeproof data get wmt19-lt-en --checklist
  shakeproof data get wmt19 twitter-para
  shakeproof data get all --from ~/clones     (copies of the repositories, no network)"""
ALL = "all"
INDENT = "    "


def add(commands: Commands) -> None:
    """Add the command, with a subcommand for each action."""
    command = add_command(
        commands,
        "data",
        lambda _: 0,
        summary="List public data sets with human judgements, or download them",
        example=EXAMPLE,
    )
    actions = command.add_subparsers(title="actions", metavar="ACTION", required=True)
    add_command(
        actions,
        "list",
        list_sets,
        summary="List the data sets, their sizes and licences, and which are here",
        example="  shakeproof data list",
    )
    get = add_command(
        actions,
        "get",
        get_sets,
        summary="Download data sets, so that a checklist can say data: NAME",
        example=EXAMPLE,
    )
    get.add_argument("names", nargs="+", metavar="NAME", help="a data set, a collection, or all")
    get.add_argument(
        "--from",
        dest="copy",
        type=Path,
        metavar="DIR",
        help="a clone of the repository, or a folder with several, instead of the network",
    )
    get.add_argument(
        "--checklist",
        action="store_true",
        help="also write NAME.checklist.yaml with first checks, unless it exists",
    )
    get.add_argument("--again", action="store_true", help="replace data sets that are here")


def list_sets(_args: argparse.Namespace) -> int:
    """Print a table of the data sets."""
    from shakeproof.data.sets.catalogue import SETS, collections
    from shakeproof.data.sets.folder import data_file, data_folder
    from shakeproof.data.sets.records import files_of

    header = ("data", "segments", "language", "download", "here")
    rows = [
        (
            name,
            f"{record.segments:,}",
            record.language,
            download_size(files_of(name)),
            "yes" if data_file(name).is_file() else "no",
        )
        for name, record in SETS.items()
    ]
    first, *lines = table(header, rows).splitlines()
    say(first)
    for line, record in zip(lines, SETS.values(), strict=True):
        say(line)
        say(_indented(f"{record.summary}. Licence: {record.licence}"))
    for collection, records in collections().items():
        say(f"{collection}: {', '.join(record.name for record in records)}, each as a group")
    say(f"shakeproof data get NAME brings one to {shown_path(data_folder())}")
    return 0


def _indented(text: str) -> str:
    columns = shutil.get_terminal_size((100, 24)).columns
    return textwrap.fill(text, columns, initial_indent=INDENT, subsequent_indent=INDENT)


def download_size(files: tuple[OriginFile, ...]) -> str:
    """Write how much is downloaded, as far as it is known."""
    known = format_size(sum(file.size or 0 for file in files))
    return known if all(file.size for file in files) else f"over {known}"


def get_sets(args: argparse.Namespace) -> int:
    """Bring the data sets here, and print what they have, their licences and citations."""
    from shakeproof.data.sets.catalogue import SETS
    from shakeproof.data.sets.folder import data_file, notice_file
    from shakeproof.data.sets.get import get_set

    if args.copy is not None and not args.copy.is_dir():
        raise SpecError(f"--from {shown_path(args.copy)}: no such folder")
    for name in _set_names(args.names):
        try:
            data = get_set(name, copy=args.copy, again=args.again, progress=_progress(name))
        except SpecError:
            if sys.stderr.isatty():
                complain("")  # ends the line that shows the progress
            raise
        if data is None:
            say(f"{name}: already here, {shown_path(data_file(name))}")
            continue
        record = SETS[name]
        say(f"{name}: {describe_data(data)}")
        say(f"  licence: {record.licence}")
        say(f"  cite: {record.citation}")
        say(f"  kept in {shown_path(data_file(name))}, with {notice_file(name).name}")
        say(f"  in a checklist: data: {name}")
    if args.checklist:
        _write_checklists(args.names)
    return 0


def _write_checklists(names: list[str]) -> None:
    """Write a checklist for each data set or collection that was asked for."""
    from shakeproof.cli.data_starters import data_starter
    from shakeproof.data.sets.catalogue import SETS

    for name in SETS if ALL in names else names:
        path = Path(f"{name}.checklist.yaml")
        if path.exists():
            say(f"{path} exists already; left as it is")
            continue
        write_text(path, data_starter(name))
        say(f"{path} written; run it: pytest {path} --shakeproof-report=report.html")


def _set_names(written: list[str]) -> list[str]:
    """Return the names of single sets, for names of sets and collections."""
    from shakeproof.data.sets.catalogue import SETS, collections

    names: dict[str, None] = {}
    for name in written:
        if name == ALL:
            names.update(dict.fromkeys(SETS))
        elif name in SETS:
            names[name] = None
        elif name in collections():
            names.update(dict.fromkeys(record.name for record in collections()[name]))
        else:
            raise unknown("data set", name, [*SETS, *collections(), ALL])
    return list(names)


def _progress(name: str) -> Progress:
    """Return a function that rewrites a line on a terminal, and does nothing elsewhere."""
    from shakeproof.data.sets.records import files_of

    if not sys.stderr.isatty():
        return lambda _file, _size: None
    files, sizes, stderr = files_of(name), dict[str, int](), Stderr()

    def show(file: OriginFile, size: int) -> None:
        sizes[file.path] = size
        complete = size == file.size and len(sizes) == len(files)
        received = f"{format_size(sum(sizes.values()))} of {download_size(files)}"
        stderr.rewrite(f"{name}: file {len(sizes)} of {len(files)}, {received}", erase=True)
        if complete:
            stderr.write_line("")

    return show
