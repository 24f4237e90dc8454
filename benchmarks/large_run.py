"""Measure time and memory of a checklist on data that do not fit in memory, up to its report.

    python benchmarks/large_run.py [SEGMENTS ...] [--in-memory-mb MB] [--folder FOLDER]

Four candidates for each segment, chrF, one noise check; the texts are made up. A file above the
limit (SHAKEPROOF_IN_MEMORY_MB) is read again and again instead of being kept in memory.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from pathlib import Path
from random import Random

from whole_runs import Cost, make_segment, run_pytest, write_checklist

SIZES = (100_000, 1_000_000)
WORDS = 8  # of a text
VOCABULARY = 5_000
MAX_MEGABYTES, MAX_RATIO = 3_000, 1.5  # the goals
LEVELS = [0.1]


def write_data(path: Path, segments: int) -> None:
    """Write made-up segments, line by line: the more words are left out, the lower the rating."""
    rng = Random(segments)
    words = [
        "".join(rng.choices("abcdefghijklmnopqrstuvwxyz", k=rng.randint(2, 9)))
        for _ in range(VOCABULARY)
    ]
    with path.open("w", encoding="utf-8") as stream:
        for number in range(segments):
            stream.write(json.dumps(make_segment(rng, number, rng.choices(words, k=WORDS))) + "\n")


def measure(segments: int, environment: dict[str, str], place: Path | None) -> Cost:
    """Return what a run from an empty cache costs, and say how large its data are."""
    with tempfile.TemporaryDirectory(dir=place) as name:
        folder = Path(name)
        write_checklist(folder, LEVELS)
        write_data(folder / "data.jsonl", segments)
        megabytes = (folder / "data.jsonl").stat().st_size / 1e6
        cost = run_pytest(folder, environment)
    print(
        f"{segments:>9,} segments ({megabytes:,.0f} MB): {cost.seconds:,.0f} s "
        f"({cost.processor:,.0f} s of processor time), {cost.megabytes:,.0f} MB",
        flush=True,
    )
    return cost


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("segments", type=int, nargs="*", default=SIZES)
    parser.add_argument("--in-memory-mb", type=int, help="read larger files in blocks")
    parser.add_argument("--folder", type=Path, help="where data and cache are written")
    arguments = parser.parse_args()
    environment = dict(os.environ)
    if arguments.in_memory_mb:
        environment["SHAKEPROOF_IN_MEMORY_MB"] = str(arguments.in_memory_mb)
    costs = [measure(size, environment, arguments.folder) for size in arguments.segments]
    if len(costs) > 1:
        ratio = costs[-1].megabytes / costs[0].megabytes
        print(f"memory of the last against the first: {ratio:.2f} (goal: up to {MAX_RATIO})")
    print(f"goal: up to {MAX_MEGABYTES:,} MB")
