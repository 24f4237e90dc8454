"""How lines are told apart: by colour, shape of the points and dashes, never by colour alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from shakeproof.results import Result

COLOURS = 8  # --s0 to --s7 in chart.css
DASHES = ("", "6 3", "2 3")  # of the lines; later ones repeat colours with another dash
SHAPES = (  # of the points, drawn from their middle
    "m0-3.6a3.6 3.6 0 1 0 .1 0z",  # circle
    "m-3.2-3.2h6.4v6.4h-6.4z",  # square
    "m0-4.4l4.2 7.6h-8.4z",  # triangle
    "m0-4.6l4.6 4.6-4.6 4.6-4.6-4.6z",  # diamond
    "m0 4.4l4.2-7.6h-8.4z",  # triangle on its tip
    "m-1.4-4.2h2.8v2.8h2.8v2.8h-2.8v2.8h-2.8v-2.8h-2.8v-2.8h2.8z",  # plus
    "m-4.4-2h8.8v4h-8.8z",  # flat bar
    "m-2-4.4h4v8.8h-4z",  # upright bar
)


@dataclass(frozen=True, slots=True)
class LineStyle:
    """How a line is drawn."""

    colour: int
    shape: str  # of its points, as a path from their middle
    dash: str  # as SVG writes it, "" for a full line


def line_style(number: int) -> LineStyle:
    """Return the style of a line by its number on the page; the first 24 differ."""
    return LineStyle(
        number % COLOURS, SHAPES[number % len(SHAPES)], DASHES[number // COLOURS % len(DASHES)]
    )


def metric_styles(results: Sequence[Result]) -> dict[str, int]:
    """Give each metric of a page a number by its name, those with curves first."""
    drawn = [result.metric for result in results if has_curve(result)]
    names = dict.fromkeys([*drawn, *(result.metric for result in results)])
    return {name: number for number, name in enumerate(names)}


def family_styles(results: Sequence[Result]) -> dict[str, int]:
    """Give each family of a page a number after the metrics, those with curves first."""
    metrics = {result.metric for result in results if has_curve(result)}
    drawn = [result.family for result in results if has_curve(result)]
    names = dict.fromkeys([*drawn, *(result.family for result in results)])
    names.pop(None, None)
    return {str(name): number for number, name in enumerate(names, start=len(metrics))}


def has_curve(result: Result) -> bool:
    """Return whether a check measured correlations under perturbation."""
    return result.family is not None and result.coefficient is not None
