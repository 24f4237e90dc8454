"""`shakeproof import`: data of other layouts as JSON Lines."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from shakeproof.cli.common import Commands, Run, add_command
from shakeproof.cli.terminal import say
from shakeproof.errors import SpecError

if TYPE_CHECKING:
    from shakeproof.data.json_lines import SegmentRow

EXAMPLE = """\
  shakeproof import csv ratings.csv --column candidate=output -o ratings.jsonl
  shakeproof import mt-metrics-eval wmt22 --pair en-de --ratings mqm -o en-de.jsonl"""


def add(commands: Commands) -> None:
    """Add the command, and one below it for each layout."""
    command = add_command(
        commands,
        "import",
        lambda _: 0,
        summary="Turn tables and published data sets into JSON Lines",
        example=EXAMPLE,
    )
    layouts = command.add_subparsers(title="layouts", metavar="LAYOUT", required=True)
    for layout in ("csv", "tsv"):
        _add_table(layouts, layout)
    _add_mtme(layouts)
    _add_parascore(layouts)
    _add_darr(layouts)


def _layout(
    layouts: Commands, name: str, run: Run, *, summary: str, example: str
) -> argparse.ArgumentParser:
    command = add_command(layouts, name, run, summary=summary, example=example)
    command.add_argument("place", metavar="PATH", type=Path, help="where the data lie")
    command.add_argument(
        "-o", "--output", type=Path, required=True, metavar="FILE.jsonl", help="what to write"
    )
    return command


def _add_table(layouts: Commands, layout: str) -> None:
    def run(args: argparse.Namespace) -> int:
        from shakeproof.data.imports.tables import read_table

        return _write(read_table(args.place, args.layout, _columns(args.column)), args.output)

    command = _layout(
        layouts,
        layout,
        run,
        summary=f"A {layout.upper()} file with named columns, one candidate per row",
        example=f"  shakeproof import {layout} ratings.{layout} --column candidate=output "
        "-o ratings.jsonl",
    )
    command.set_defaults(layout=layout)
    command.add_argument(
        "--column",
        action="append",
        default=[],
        metavar="OURS=THEIRS",
        help="ours are candidate, reference (reference_2, …), source, id, rating, system, group",
    )


def _columns(written: list[str]) -> dict[str, str]:
    for one in written:
        if "=" not in one:
            raise SpecError(f"--column must be OURS=THEIRS, got {one!r}")
    return dict(one.split("=", 1) for one in written)


def _add_mtme(layouts: Commands) -> None:
    def run(args: argparse.Namespace) -> int:
        from shakeproof.data.imports.mtme import read_folder

        rows = read_folder(
            args.place,
            args.pair,
            ratings=args.ratings,
            reference=args.reference,
            scores=args.score,
        )
        return _write(rows, args.output)

    command = _layout(
        layouts,
        "mt-metrics-eval",
        run,
        summary="A test set folder of mt-metrics-eval",
        example="  shakeproof import mt-metrics-eval wmt22 --pair en-de --ratings mqm "
        "--reference refA -o en-de.jsonl",
    )
    command.add_argument("--pair", required=True, help="language pair, such as en-de")
    command.add_argument("--ratings", help="human scores to take, such as mqm or wmt-raw")
    command.add_argument("--reference", help="reference to take, such as refA; default: all")
    command.add_argument(
        "--score", action="append", default=[], help="metric scores to keep, such as BLEURT-20"
    )


def _add_parascore(layouts: Commands) -> None:
    def run(args: argparse.Namespace) -> int:
        from shakeproof.data.imports.parascore import read_release

        rows = read_release(args.place, extend=args.extend, spaced=args.spaced)
        return _write(rows, args.output)

    command = _layout(
        layouts,
        "parascore",
        run,
        summary="A data folder of the ParaScore release, its pickles read without running them",
        example="  shakeproof import parascore data/twitter -o twitter-para.jsonl",
    )
    command.add_argument(
        "--extend",
        action="store_true",
        help="add a copy of every fifth input, rated 0, as Shen et al. (2022) do",
    )
    command.add_argument(
        "--spaced",
        action="store_true",
        help="put blanks between all characters, as they do with Chinese (data/bq)",
    )


def _add_darr(layouts: Commands) -> None:
    def run(args: argparse.Namespace) -> int:
        from shakeproof.data.imports.darr import read_darr

        rows = read_darr(
            args.place,
            args.pair,
            outputs=args.outputs,
            references=args.references,
            sources=args.sources,
        )
        return _write(rows, args.output)

    command = _layout(
        layouts,
        "darr",
        run,
        summary="Preferences of a WMT metrics task (RR-seglevel.csv) with the texts",
        example="  shakeproof import darr RR-seglevel.csv --pair kk-en --outputs "
        "system-outputs/newstest2019/kk-en \\\n    --references "
        "references/newstest2019-kken-ref.en -o kk-en.jsonl",
    )
    command.add_argument("--pair", required=True, help="language pair, such as kk-en")
    command.add_argument("--outputs", type=Path, required=True, help="folder of system outputs")
    command.add_argument("--references", type=Path, required=True, help="file, a line per segment")
    command.add_argument("--sources", type=Path, help="file, a line per segment")


def _write(rows: list[SegmentRow], path: Path) -> int:
    """Write what can be loaded again, and nothing else."""
    from shakeproof.data.json_lines import json_lines
    from shakeproof.data.loading import parse_data
    from shakeproof.files import shown_path, write_text

    text = json_lines(rows)
    data = parse_data(text.encode(), shown_path(path), name=path.stem)
    write_text(path, text)
    candidates = [one for segment in data.segments for one in segment.candidates]
    rated = sum(one.rating is not None for one in candidates)
    pairs = sum(len(segment.preferences) for segment in data.segments)
    say(
        f"{shown_path(path)}: {len(data.segments):,} segments, {len(candidates):,} candidates, "
        f"{rated:,} ratings, {pairs:,} preferences"
    )
    return 0
