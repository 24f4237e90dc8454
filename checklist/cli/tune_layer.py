"""`shakeproof tune-layer`: find the layer of a model that agrees best with people."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from shakeproof.cli.common import Commands, add_command, add_scoring_options, open_cache, run_config
from shakeproof.cli.score import stderr_progress
from shakeproof.cli.terminal import say, table

if TYPE_CHECKING:
    from shakeproof.results import Estimate
    from shakeproof.studies.layers import LayerAgreement

EXAMPLE = """\
  shakeproof tune-layer --data wmt16-*.jsonl --model google/byt5-small
  shakeproof tune-layer --data flores.jsonl --model minilm --rating-gap 25
  shakeproof tune-layer --data wmt19-lt-en --model minilm     (after shakeproof data get)"""
HEADER = ("layer", "agreement", "95 % interval", "behind the best")
COEFFICIENTS = ("pearson", "spearman", "tau-b", "tau-c", "wmt-kendall")


def add(commands: Commands) -> None:
    """Add the command."""
    command = add_command(
        commands,
        "tune-layer",
        run,
        summary="Find the layer of a model whose BERTScore F1 agrees best with people",
        example=EXAMPLE,
    )
    command.add_argument(
        "--data",
        type=Path,
        nargs="+",
        required=True,
        metavar="DATA",
        help="rated data, files or names of data sets, over which the agreement is averaged",
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
        help="wmt-kendall over pairs of candidates whose ratings differ by at least GAP",
    )
    add_scoring_options(command)


def run(args: argparse.Namespace) -> int:
    """Score every candidate with all layers in one pass, and compare each layer with the best."""
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
        layers_run = run_checklists(
            [checklist], config, cache, command="shakeproof tune-layer", progress=stderr_progress()
        )
    coefficient = checklist.checks[0].expect.coefficient
    for line in layer_lines(compare_layers(layers_run), args.model, f"{coefficient}"):
        say(line)
    return 0


def layer_lines(layers: Sequence[LayerAgreement], model: str, coefficient: str) -> Iterator[str]:
    """Yield a table of all layers, then the best one and those not significantly worse."""
    yield table(HEADER, map(_row, layers))
    best = next(layer for layer in layers if layer.behind is None)
    yield f"best: layer {best.layer} of {model}, {coefficient} {best.estimate.value:.3f}"
    others = [f"{layer.layer}" for layer in layers if layer.as_good and layer is not best]
    if others:
        yield f"not significantly worse: {', '.join(others)}"


def _row(layer: LayerAgreement) -> tuple[str, ...]:
    behind = "best"
    if layer.behind is not None:
        behind = f"{layer.behind.value:.3f} {_interval(layer.behind)}"
    return f"{layer.layer}", f"{layer.estimate.value:.3f}", _interval(layer.estimate), behind


def _interval(estimate: Estimate) -> str:
    if estimate.low is None or estimate.high is None:
        return "-"
    return f"[{estimate.low:.3f}, {estimate.high:.3f}]"
