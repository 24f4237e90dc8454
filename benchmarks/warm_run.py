"""Time a lexical checklist from an empty score cache (cold) and from a full one (warm).

    python benchmarks/warm_run.py [SEGMENTS ...]

Four candidates for each segment, chrF, two levels of noise. Warm runs score nothing.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path
from random import Random

from whole_runs import Cost, make_segment, run_pytest, write_checklist

from shakeproof.data.loading import load_data

SIZES = (1_000, 10_000)
GOALS = {10_000: 3.0}  # seconds of processor time of a warm run, by number of segments
LEVELS = [0.1, 0.3]


def write_data(path: Path, segments: int) -> None:
    """Write segments made of the words of the sample, each candidate with a rating."""
    texts = [one.references[0].split() for one in load_data("sample", folder=path.parent).segments]
    rng = Random(segments)
    lines = (json.dumps(make_segment(rng, number, rng.choice(texts))) for number in range(segments))
    path.write_text("\n".join(lines) + "\n", "utf-8")


def measure(segments: int, rounds: int) -> tuple[Cost, Cost]:
    """Return what a cold run costs, and the cheapest of some warm runs."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_checklist(folder, LEVELS)
        write_data(folder / "data.jsonl", segments)
        cold = run_pytest(folder)
        return cold, min(
            (run_pytest(folder) for _ in range(rounds)), key=lambda cost: cost.processor
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("segments", type=int, nargs="*", default=SIZES)
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    for size in arguments.segments:
        cold, warm = measure(size, arguments.rounds)
        goal = f" (goal: below {GOALS[size]:g} s)" if size in GOALS else ""
        print(
            f"{size:>9,} segments: cold {cold.processor:.2f} s, {cold.megabytes:.0f} MB; "
            f"warm {warm.processor:.2f} s{goal}, {warm.megabytes:.0f} MB",
            flush=True,
        )
