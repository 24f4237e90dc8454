"""`shakeproof tune-layer`: which layer of a model agrees best with people."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from shakeproof.cli.common import Commands, add_command, add_scoring_options, open_cache, run_config
from shakeproof.cli.score import Reporter
from shakeproof.cli.terminal import say, table

if TYPE_CHECKING:
    from shakeproof.results import Estimate
    from shakeproof.studies.layers import LayerAgreement

EXAMPLE = """\
  shakeproof tune-layer --data wmt16-*.jsonl --model google/byt5-small
  shakeproof tune-layer --data flores.jsonl --model minilm --rating-gap 25"""
HEADER = ("layer", "agreement", "95 % interval", "behind the best")
COEFFICIENTS = ("pearson", "spearman", "tau-b", "tau-c", "wmt-kendall")


def add(commands: Commands) -> None:
    """Add the command."""
    command = add_command(
        commands,
        "tune-layer",
        run,
        summary="Say which layer of a model agrees best with people, by BERTScore's F1",
        example=EXAMPLE,
    )
    command.add_argument(
        "--data",
        type=Path,
        nargs="+",
        required=True,
        metavar="FILE",
        help="rated data; the agreement is averaged over files",
    )
    command.add_argument("--model", required=True, metavar="NAME", help="a model, or its folder")
    command.add_argument(
        "--coefficient",
        choices=COEFFICIENTS,
        help="default: pearson, or wmt-kendall where there are only preferences",
    )
    command.add_argument(
        "--rating-gap",
        type=float,
        metavar="GAP",
        help="wmt-kendall over candidates rated at least so far apart",
    )
    add_scoring_options(command)


def run(args: argparse.Namespace) -> int:
    """Rate every candidate with all layers in one pass, and compare the layers in pairs."""
    from shakeproof.runs.driver import run_checklists
    from shakeproof.studies.layers import compare_layers, layer_checklist

    config = replace(run_config(args), search=0, matrices=False)
    checklist = layer_checklist(
        args.data,
        args.model,
        config.settings,
        coefficient=args.coefficient,
        rating_gap=args.rating_gap,
    )
    with open_cache(args.cache) as cache:
        found = run_checklists(
            [checklist], config, cache, command="shakeproof tune-layer", progress=Reporter()
        )
    coefficient = checklist.checks[0].expect.coefficient
    for line in told(compare_layers(found), args.model, f"{coefficient}"):
        say(line)
    return 0


def told(layers: Sequence[LayerAgreement], model: str, coefficient: str) -> Iterator[str]:
    """Tell every layer, then the best one and those that the data do not tell from it."""
    yield table(HEADER, map(_row, layers))
    best = next(one for one in layers if one.behind is None)
    yield f"best: layer {best.layer} of {model}, {coefficient} {best.estimate.value:.3f}"
    others = [f"{one.layer}" for one in layers if one.as_good and one is not best]
    if others:
        yield f"not surely behind: {', '.join(others)}"


def _row(one: LayerAgreement) -> tuple[str, ...]:
    behind = "best" if one.behind is None else f"{one.behind.value:.3f} {_interval(one.behind)}"
    return f"{one.layer}", f"{one.estimate.value:.3f}", _interval(one.estimate), behind


def _interval(found: Estimate) -> str:
    if found.low is None or found.high is None:
        return "-"
    return f"[{found.low:.3f}, {found.high:.3f}]"
