"""Which numbers may be given as the level of a perturbation."""

from __future__ import annotations

from dataclasses import dataclass
from sys import float_info


@dataclass(frozen=True, slots=True)
class LevelRange:
    """The levels that a checklist may ask for; 0 is never among them, as it changes nothing."""

    lowest: float
    excluded: bool = False  # whether `lowest` itself is outside the range
    highest: float | None = None  # None: no limit
    whole: bool = False  # whole numbers only

    def __contains__(self, level: float) -> bool:
        if not abs(level) <= float_info.max or (self.whole and level != int(level)):
            return False  # neither is nan, which compares with nothing
        enough = level > self.lowest if self.excluded else level >= self.lowest
        return enough and (self.highest is None or level <= self.highest)

    def __str__(self) -> str:
        numbers = "whole numbers" if self.whole else "numbers"
        low = f"above {self.lowest:g}" if self.excluded else f"of {self.lowest:g} or more"
        high = "" if self.highest is None else f" and up to {self.highest:g}"
        return f"{numbers} {low}{high}"


ANY_LEVEL = LevelRange(0, excluded=True)  # of a family that is known by its name alone
UP_TO_ONE = LevelRange(0, excluded=True, highest=1)
COUNTS = LevelRange(1, whole=True)
ONLY_ONE = LevelRange(1, highest=1)
