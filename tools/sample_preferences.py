"""Renew the preferences of the shipped sample after a grade has changed."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

GAP = 0.25  # grades that differ by less are too close to call
SAMPLE = Path(__file__).parents[1] / "checklist" / "samples" / "sample.jsonl"


def preferences(ratings: Sequence[float]) -> list[list[int]]:
    """List the pairs (better, worse), by position, whose ratings differ by the gap or more."""
    places = range(len(ratings))
    return [[i, j] for i in places for j in places if round(ratings[i] - ratings[j], 6) >= GAP]


def renewed(line: str) -> str:
    """Give the segment on `line` the preferences that follow from its ratings."""
    segment = json.loads(line)
    segment["preferences"] = preferences([c["rating"] for c in segment["candidates"]])
    return json.dumps(segment, ensure_ascii=False)


def main(path: Path) -> None:
    """Rewrite the data set at `path` in place."""
    lines = path.read_text(encoding="utf-8").removesuffix("\n").split("\n")
    path.write_text("".join(renewed(line) + "\n" for line in lines), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if sys.argv[1:] else SAMPLE)
