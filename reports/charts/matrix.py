"""Geometry of a token similarity matrix (Vu et al. 2022, Figure 5)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from math import cos, radians, sin

from shakeproof.reports.charts.scales import Frame, make_frame
from shakeproof.reports.wording.format import clip, number
from shakeproof.results import TokenMatrix

MAX_TOKENS = 24  # of each text; the rest is left out
TOKEN_LENGTH = 13  # letters of a token that are shown
CELL = 15  # pixels
LETTER = 7.0  # pixels, about
MARGIN = 30  # beside the longest token
MIN_TOP, RIGHT, BOTTOM = 44, 44, 62
LEGEND = 210  # pixels that it needs
STEPS = 10  # of colour, from similarity 0 to 1
TILT = 60  # degrees by which the tokens above the columns are rotated


@dataclass(frozen=True, slots=True)
class Shade:
    """All cells of one colour step, as one path."""

    step: int
    path: str


@dataclass(frozen=True, slots=True)
class Token:
    """A token beside its row or above its column, in pixels from the corner of the matrix."""

    text: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class TokenChart:
    """All that a template needs to draw a matrix."""

    frame: Frame
    name: str  # "before" or "after"
    shades: tuple[Shade, ...]
    closest: str  # a dot in each row, at its most similar reference token
    rows: tuple[Token, ...]
    columns: tuple[Token, ...]
    middle: float  # of the rows
    numbers: tuple[tuple[str, tuple[str, ...]], ...]  # a token, and its similarities as text
    mean: float  # of the highest similarity in each row
    left_out: str
    compared: str = "reference"  # the text of the columns


def token_chart(
    key: str, name: str, matrix: TokenMatrix, compared: str = "reference"
) -> TokenChart | None:
    """Lay out a matrix, candidate tokens as rows; one without tokens is not drawn."""
    rows, columns = matrix.candidate[:MAX_TOKENS], matrix.reference[:MAX_TOKENS]
    values = [row[:MAX_TOKENS] for row in matrix.similarity[:MAX_TOKENS]]
    if not (rows and columns and values and all(values)):
        return None
    mean = sum(max(row) / len(values) for row in values)  # the sum itself may overflow
    row_names, column_names = ([clip(t, TOKEN_LENGTH) for t in side] for side in (rows, columns))
    frame = token_frame(key, name, row_names, column_names, mean, compared)
    return TokenChart(
        frame=frame,
        name=name,
        shades=shades(values),
        closest=closest(values),
        rows=tuple(Token(text, 0, centre(index)) for index, text in enumerate(row_names)),
        columns=tuple(tilted(text, centre(index)) for index, text in enumerate(column_names)),
        middle=(frame.top + frame.bottom) / 2,
        numbers=tuple(
            (token, tuple(f"{value:.2f}" for value in row))
            for token, row in zip(rows, values, strict=False)
        ),
        mean=mean,
        left_out=describe_left_out(matrix, compared),
        compared=compared,
    )


def count_cells(matrix: TokenMatrix | None) -> int:
    """Count the cells that are drawn of a matrix."""
    if matrix is None:
        return 0
    return min(len(matrix.candidate), MAX_TOKENS) * min(len(matrix.reference), MAX_TOKENS)


def token_frame(
    key: str, name: str, rows: Sequence[str], columns: Sequence[str], mean: float, compared: str
) -> Frame:
    """Leave room for the longest tokens and the legend."""
    left = MARGIN + int(LETTER * max(map(len, rows)))
    top = max(MIN_TOP, 12 + int(LETTER * max(map(len, columns))))
    right = max(RIGHT, LEGEND - CELL * len(columns))
    return make_frame(
        key,
        f"{name}: token similarity",
        f"Similarity of candidate tokens to {compared} tokens. The highest in a row is "
        f"{number(mean)} on average.",
        size=(left + CELL * len(columns) + right, top + CELL * len(rows) + BOTTOM),
        margins=(left, right, top, BOTTOM),
    )


def centre(index: int) -> float:
    """Return the middle of a row or column, in pixels."""
    return CELL * (index + 0.5)


def tilted(text: str, along: float) -> Token:
    """Place a token above a column, in coordinates that are rotated like its letters."""
    return Token(text, along * cos(radians(TILT)), along * sin(radians(TILT)))


def shades(values: Sequence[Sequence[float]]) -> tuple[Shade, ...]:
    """Join the cells of each colour step, as strokes as high as a row."""
    paths: dict[int, str] = defaultdict(str)
    for y, row in enumerate(values):
        for step, run in groupby(enumerate(map(colour_step, row)), key=lambda cell: cell[1]):
            cells = [x for x, _ in run]
            paths[step] += f"M{cells[0]} {y}h{len(cells)}"
    return tuple(Shade(step, paths[step]) for step in sorted(paths) if step)


def colour_step(similarity: float) -> int:
    """Grade a similarity for colour; one that is not above zero gets none."""
    return int(min(max(similarity * STEPS, 0), STEPS - 1))


def closest(values: Sequence[Sequence[float]]) -> str:
    """Put a dot into the highest cell of each row."""
    places = [(list(row).index(max(row)), y) for y, row in enumerate(values)]
    return "".join(f"M{x}.5 {y}h0" for x, y in places)


def describe_left_out(matrix: TokenMatrix, compared: str) -> str:
    """Write how many tokens did not fit."""
    sides = (("candidate", matrix.candidate), (compared, matrix.reference))
    left_out = [
        f"{len(tokens) - MAX_TOKENS} of the {name}"
        for name, tokens in sides
        if len(tokens) > MAX_TOKENS
    ]
    return f"The last tokens are left out: {' and '.join(left_out)}." if left_out else ""
