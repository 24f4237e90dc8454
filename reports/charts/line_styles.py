"""How lines are told apart: by colour, shape of the points and dashes, never by colour alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from shakeproof.reports.wording.names import MetricKey, metric_key
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
    "m-4.4 0l7.6-4.2v8.4z",  # triangle to the left
    "m4.4 0l-7.6-4.2v8.4z",  # triangle to the right
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


def metric_styles(labels: Mapping[MetricKey, str]) -> dict[str, int]:
    """Give each metric of a page a number by its label."""
    return {label: number for number, label in enumerate(dict.fromkeys(labels.values()))}


def family_styles(results: Sequence[Result], labels: Mapping[MetricKey, str]) -> dict[str, int]:
    """Give each family of a page a number, those with curves first.

    They have other numbers than metrics with curves and, as long as there are any, other colours.
    """
    styles = metric_styles(labels)
    drawn = [r for r in results if r.family is not None and r.coefficient is not None]
    used = {styles[labels[metric_key(result)]] for result in drawn}
    colours = {line_style(number).colour for number in used}
    names = dict.fromkeys(result.family for result in (*drawn, *results))
    enough = range(len(used) + len(names) + COLOURS)
    free = sorted(set(enough) - used, key=lambda n: (line_style(n).colour in colours, n))
    return dict(zip((name for name in names if name is not None), free, strict=False))
