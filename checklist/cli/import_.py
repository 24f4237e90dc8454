"""`shakeproof import`: convert data of other formats to JSON Lines."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from shakeproof.cli.common import Commands, Run, add_command
from shakeproof.cli.list_ import describe_data
from shakeproof.cli.terminal import say
from shakeproof.errors import SpecError

if TYPE_CHECKING:
    from shakeproof.data.json_lines import SegmentRow

EXAMPLE = """\
  shakeproof import csv ratings.csv --column candidate=output -o ratings.jsonl
  shakeproof import mt-metrics-eval wmt22 --pair en-de --ratings mqm -o en-de.jsonl"""


def add(commands: Commands) -> None:
    """Add the command, with a subcommand for each format."""
    command = add_command(
        commands,
        "import",
        lambda _: 0,
        summary="Convert tables and published data sets to JSON Lines",
        example=EXAMPLE,
    )
    formats = command.add_subparsers(title="formats", metavar="FORMAT", required=True)
    _add_table(formats, "csv")
    _add_table(formats, "tsv")
    _add_mtme(formats)
    _add_parascore(formats)
    _add_darr(formats)
    _add_good_bad(formats)
    _add_published(formats)


def _add_format(
    formats: Commands, name: str, run: Run, *, summary: str, example: str
) -> argparse.ArgumentParser:
    command = add_command(formats, name, run, summary=summary, example=example)
    command.add_argument("path", metavar="PATH", type=Path, help="the file or folder to convert")
    command.add_argument(
        "-o", "--output", type=Path, required=True, metavar="FILE.jsonl", help="the file to write"
    )
    return command


def _add_table(formats: Commands, name: Literal["csv", "tsv"]) -> None:
    def run(args: argparse.Namespace) -> int:
        from shakeproof.data.imports.tables import read_table

        return _write(read_table(args.path, name, _columns(args.column)), args.output)

    command = _add_format(
        formats,
        name,
        run,
        summary=f"A {name.upper()} file with named columns, one candidate per row",
        example=f"  shakeproof import {name} ratings.{name} --column candidate=output "
        "-o ratings.jsonl",
    )
    command.add_argument(
        "--column",
        action="append",
        default=[],
        metavar="OURS=THEIRS",
        help="the name of a column: OURS is candidate, reference (reference_2, …), source, id, "
        "rating, ratings.ASPECT (such as ratings.fluency), system or group",
    )


def _columns(written: list[str]) -> dict[str, str]:
    for entry in written:
        if "=" not in entry:
            raise SpecError(f"--column must be OURS=THEIRS, got {entry!r}")
    return dict(entry.split("=", 1) for entry in written)


def _add_mtme(formats: Commands) -> None:
    def run(args: argparse.Namespace) -> int:
        from shakeproof.data.imports.mtme import read_folder

        rows = read_folder(
            args.path,
            args.pair,
            ratings=args.ratings,
            reference=args.reference,
            scores=args.score,
        )
        return _write(rows, args.output)

    command = _add_format(
        formats,
        "mt-metrics-eval",
        run,
        summary="A test set folder of mt-metrics-eval",
        example="  shakeproof import mt-metrics-eval wmt22 --pair en-de --ratings mqm "
        "--reference refA -o en-de.jsonl",
    )
    command.add_argument("--pair", required=True, help="language pair, such as en-de")
    command.add_argument(
        "--ratings",
        action="append",
        default=[],
        help="human scores to use, such as mqm; several become ratings by aspect",
    )
    command.add_argument("--reference", help="reference to use, such as refA; default: all")
    command.add_argument(
        "--score", action="append", default=[], help="metric scores to keep, such as BLEURT-20"
    )


def _add_parascore(formats: Commands) -> None:
    def run(args: argparse.Namespace) -> int:
        from shakeproof.data.imports.parascore import read_release

        rows = read_release(args.path, extend=args.extend, spaced=args.spaced)
        return _write(rows, args.output)

    command = _add_format(
        formats,
        "parascore",
        run,
        summary="A data folder of the ParaScore release; its pickles cannot run code",
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
        help="put spaces between all characters, as they do for Chinese (data/bq)",
    )


def _add_darr(formats: Commands) -> None:
    def run(args: argparse.Namespace) -> int:
        from shakeproof.data.imports.darr import read_darr

        rows = read_darr(
            args.path,
            args.pair,
            outputs=args.outputs,
            references=args.references,
            sources=args.sources,
        )
        return _write(rows, args.output)

    command = _add_format(
        formats,
        "darr",
        run,
        summary="Preferences of a WMT metrics task (RR-seglevel.csv) with the texts",
        example="  shakeproof import darr RR-seglevel.csv --pair kk-en --outputs "
        "system-outputs/newstest2019/kk-en \\\n    --references "
        "references/newstest2019-kken-ref.en -o kk-en.jsonl",
    )
    command.add_argument("--pair", required=True, help="language pair, such as kk-en")
    command.add_argument("--outputs", type=Path, required=True, help="folder of system outputs")
    command.add_argument(
        "--references", type=Path, required=True, help="a file with a line per segment"
    )
    command.add_argument("--sources", type=Path, help="a file with a line per segment")


def _add_good_bad(formats: Commands) -> None:
    def run(args: argparse.Namespace) -> int:
        from shakeproof.data.imports.good_bad import read_good_bad

        layout: Literal["csv", "tsv"] = "tsv" if args.path.suffix == ".tsv" else "csv"
        return _write(read_good_bad(args.path, layout, _columns(args.column)), args.output)

    command = _add_format(
        formats,
        "good-bad",
        run,
        summary="A table (.csv or .tsv) with a good and a bad text in each row, such as ACES",
        example="  shakeproof import good-bad challenge.tsv --column bad=wrong "
        "--column group=error -o challenge.jsonl\n"
        "  shakeproof import good-bad aces.tsv -o aces.jsonl",
    )
    command.add_argument(
        "--column",
        action="append",
        default=[],
        metavar="OURS=THEIRS",
        help="the name of a column: OURS is good, bad, reference, source, id or group (the "
        "phenomenon); columns as in ACES are found by themselves",
    )


def _read_demetr(path: Path) -> list[SegmentRow]:
    from shakeproof.data.imports.demetr import read_demetr

    return read_demetr(path)


def _read_aces(path: Path) -> list[SegmentRow]:
    from shakeproof.data.imports.good_bad import read_good_bad

    return read_good_bad(path, "tsv")


def _read_summeval(path: Path) -> list[SegmentRow]:
    from shakeproof.data.imports.summeval import read_summeval

    return read_summeval(path)


def _read_summedits(path: Path) -> list[SegmentRow]:
    from shakeproof.data.imports.summedits import read_summedits

    return read_summedits(path)


def _read_llmbar(path: Path) -> list[SegmentRow]:
    from shakeproof.data.imports.instructions import read_llmbar

    return read_llmbar(path)


# Published data sets with a layout of their own: how to read them, what they are, an example.
PUBLISHED = {
    "demetr": (_read_demetr, "The folder dataset of DEMETR, or one of its files", "demetr/dataset"),
    "aces": (_read_aces, "The table of ACES, also with columns of scores", "ACES.tsv"),
    "summeval": (
        _read_summeval,
        "SummEval as in the BARTScore release; its pickle cannot run code",
        "SUM/SummEval/data.pkl",
    ),
    "summedits": (
        _read_summedits,
        "The folder data/summedits of SummEdits, or one of its files",
        "data/summedits",
    ),
    "llmbar": (
        _read_llmbar,
        "The folder Dataset/LLMBar, with what judges prefer",
        "Dataset/LLMBar",
    ),
}


def _convert_by(read: Callable[[Path], list[SegmentRow]]) -> Run:
    return lambda args: _write(read(args.path), args.output)


def _add_published(formats: Commands) -> None:
    for name, (read, summary, path) in PUBLISHED.items():
        _add_format(
            formats,
            name,
            _convert_by(read),
            summary=summary,
            example=f"  shakeproof import {name} {path} -o {name}.jsonl",
        )


def _write(rows: list[SegmentRow], path: Path) -> int:
    """Write the rows if they can be loaded again; nothing is written otherwise."""
    from shakeproof.data.json_lines import json_lines
    from shakeproof.data.loading import parse_data
    from shakeproof.files import shown_path, write_text

    text = json_lines(rows)
    del rows  # they need as much memory as the data set that is made now
    data = parse_data(text.encode(), shown_path(path), name=path.stem)
    write_text(path, text)
    say(f"{shown_path(path)}: {describe_data(data)}")
    return 0
