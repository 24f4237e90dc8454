"""Compute the preferences of the data set `sample` again after its ratings have changed."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

MIN_GAP = 0.25  # ratings that differ by less give no preference
SAMPLE = Path(__file__).parents[1] / "checklist" / "samples" / "sample.jsonl"


def preferences(ratings: Sequence[float]) -> list[list[int]]:
    """List the pairs (better, worse) of positions whose ratings differ by at least `MIN_GAP`."""
    positions = range(len(ratings))
    return [
        [i, j] for i in positions for j in positions if round(ratings[i] - ratings[j], 6) >= MIN_GAP
    ]


def update_segment(line: str) -> str:
    """Return the segment of a line with the preferences that follow from its ratings."""
    segment = json.loads(line)
    segment["preferences"] = preferences([c["rating"] for c in segment["candidates"]])
    return json.dumps(segment, ensure_ascii=False)


def main(path: Path) -> None:
    """Rewrite the data set at `path` in place."""
    lines = path.read_text(encoding="utf-8").removesuffix("\n").split("\n")
    path.write_text("".join(update_segment(line) + "\n" for line in lines), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if sys.argv[1:] else SAMPLE)
