"""What all charts have: a name, a size, and the field in which the data are drawn."""

from __future__ import annotations

from dataclasses import dataclass

TITLE_DROP = 36  # from the field to the title of the axis below it


@dataclass(frozen=True, slots=True)
class Frame:
    """The picture and the field within it."""

    key: str  # its address on the page
    title: str
    description: str  # for those who listen
    width: int
    height: int
    left: float
    right: float
    top: float
    bottom: float
    title_drop: int = TITLE_DROP


def frame(
    words: tuple[str, str, str],
    size: tuple[int, int],
    margins: tuple[int, int, int, int],
    *,
    title_drop: int = TITLE_DROP,
) -> Frame:
    """Leave margins (left, right, top, bottom) in a picture of this size, named by its words."""
    (width, height), (left, right, top, bottom) = size, margins
    return Frame(*words, width, height, left, width - right, top, height - bottom, title_drop)
