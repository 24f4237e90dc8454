"""Score some segments, and print the peak memory of this process in bytes.

python benchmarks/peak_memory.py ../shared/data/wmt19-gu-en.jsonl SEGMENTS
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from measure import Segment, read_segments

from shakeproof.metrics.bertscore.scorer import BertScoreOptions
from shakeproof.metrics.engine.cache import Cache
from shakeproof.metrics.engine.engine import Engine
from shakeproof.metrics.protocols import Instance
from shakeproof.metrics.settings import Settings


def score(segments: list[Segment], folder: Path) -> None:
    """Score every candidate with MiniLM's last layer, into a cache on disk."""
    metric = BertScoreOptions().build({}, Settings(device="cpu", offline=True))
    with Cache(folder / "scores.sqlite") as cache:
        errors = Engine(cache).fill(
            [(metric, Instance(c["text"], tuple(row["references"]))) for c in row["candidates"]]
            for row in segments
        )
    if errors:
        raise RuntimeError(f"scoring failed: {errors}")


def peak_memory() -> int:
    """Read the peak memory of this process (Linux).

    `ru_maxrss` does not work: a child process starts with the value of its parent.
    """
    status = Path("/proc/self/status").read_text("utf-8").splitlines()
    (line,) = (line for line in status if line.startswith("VmHWM:"))
    return int(line.split()[1]) * 1024


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        score(read_segments(Path(sys.argv[1]), int(sys.argv[2])), Path(folder))
    print(peak_memory())
