"""Geometry of a token matrix: how close a metric finds the tokens of two texts.

Vu et al. (2022) show such matrices in Figure 5.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from math import cos, prod, radians, sin
from statistics import fmean

from shakeproof.reports.charts.frame import Frame, frame
from shakeproof.reports.charts.lines import clip
from shakeproof.reports.wording.format import number
from shakeproof.results import TokenMatrix

MOST_TOKENS = 24  # at either side; the rest is left out
CELL = 15
LETTER = 7.0  # pixels, about
MARGIN = 30  # beside the longest token
LEAST_TOP, RIGHT, BOTTOM = 44, 44, 62
LEGEND = 210  # pixels that it needs
STEPS = 10  # of colour, from no similarity to all
TILT = 60  # degrees by which the tokens above the columns are turned


@dataclass(frozen=True, slots=True)
class Shade:
    """All cells of one depth of colour, as one path."""

    step: int
    path: str


@dataclass(frozen=True, slots=True)
class Token:
    """A token beside its row or above its column, placed from the corner of the matrix."""

    text: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class TokenChart:
    """All that a template needs to draw a matrix."""

    frame: Frame
    name: str  # "before" or "after"
    shades: tuple[Shade, ...]
    closest: str  # a dot in each row, where its closest token of the reference is
    rows: tuple[Token, ...]
    columns: tuple[Token, ...]
    middle: float  # of the rows
    numbers: tuple[tuple[str, tuple[str, ...]], ...]
    mean: float  # of the closest
    left_out: str


def token_chart(key: str, name: str, found: TokenMatrix) -> TokenChart | None:
    """Lay out a matrix, candidate tokens as rows; one without tokens is not drawn."""
    rows, columns = found.candidate[:MOST_TOKENS], found.reference[:MOST_TOKENS]
    values = [row[:MOST_TOKENS] for row in found.similarity[:MOST_TOKENS]]
    if not (rows and columns and values and all(values)):
        return None
    mean = fmean(max(row) for row in values)
    placed = frame_of(key, name, (rows, columns), mean)
    return TokenChart(
        placed,
        name,
        shades(values),
        closest(values),
        rows=tuple(Token(clip(text), 0, centre(at)) for at, text in enumerate(rows)),
        columns=tuple(tilted(clip(text), centre(at)) for at, text in enumerate(columns)),
        middle=(placed.top + placed.bottom) / 2,
        numbers=numbers(rows, values),
        mean=mean,
        left_out=left_out(found),
    )


def cells(found: TokenMatrix | None) -> int:
    """Count the cells that are drawn of a matrix."""
    sides = () if found is None else (found.candidate, found.reference)
    return prod(min(len(side), MOST_TOKENS) for side in sides) if sides else 0


def frame_of(key: str, name: str, sides: tuple[Sequence[str], Sequence[str]], mean: float) -> Frame:
    """Leave room for the longest tokens and the legend."""
    rows, columns = sides
    left = MARGIN + int(LETTER * max(len(clip(token)) for token in rows))
    top = max(LEAST_TOP, 12 + int(LETTER * max(len(clip(token)) for token in columns)))
    right = max(RIGHT, LEGEND - CELL * len(columns))
    size = left + CELL * len(columns) + right, top + CELL * len(rows) + BOTTOM
    said = f"The closest is at {number(mean)} on average."
    words = (key, f"{name}: similarity of tokens", f"Candidate tokens by reference tokens. {said}")
    return frame(words, size, (left, right, top, BOTTOM))


def centre(index: int) -> float:
    """Find the middle of a row or column."""
    return CELL * (index + 0.5)


def tilted(text: str, along: float) -> Token:
    """Place a token above a column, in a frame that is turned like the letters."""
    return Token(text, along * cos(radians(TILT)), along * sin(radians(TILT)))


def shades(values: Sequence[Sequence[float]]) -> tuple[Shade, ...]:
    """Join the cells of each depth, as strokes as wide as a row."""
    paths: dict[int, str] = defaultdict(str)
    for y, row in enumerate(values):
        for step, run in groupby(enumerate(map(depth, row)), key=lambda cell: cell[1]):
            cells = [x for x, _ in run]
            paths[step] += f"M{cells[0]} {y}h{len(cells)}"
    return tuple(Shade(step, paths[step]) for step in sorted(paths) if step)


def depth(similarity: float) -> int:
    """Grade a similarity for colour; what is not above zero gets none."""
    return int(min(max(similarity * STEPS, 0), STEPS - 1))


def closest(values: Sequence[Sequence[float]]) -> str:
    """Put a dot into the highest cell of each row."""
    places = [(list(row).index(max(row)), y) for y, row in enumerate(values)]
    return "".join(f"M{x}.5 {y}h0" for x, y in places)


def numbers(
    rows: Sequence[str], values: Sequence[Sequence[float]]
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Write the matrix for those who read it as a table."""
    return tuple(
        (token, tuple(f"{value:.2f}" for value in row))
        for token, row in zip(rows, values, strict=False)
    )


def left_out(found: TokenMatrix) -> str:
    """Say how many tokens did not fit."""
    more = [len(side) - MOST_TOKENS for side in (found.candidate, found.reference)]
    named = zip(more, ("candidate", "reference"), strict=True)
    told = [f"{count} of the {name}" for count, name in named if count > 0]
    return f"The last tokens are left out: {' and '.join(told)}." if told else ""
