"""Score some segments in a process of its own, and print its peak memory in bytes.

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


def peak() -> int:
    """Read the most memory that this process held at a time (Linux).

    `ru_maxrss` would not do: a child begins with that of the process that started it.
    """
    status = Path("/proc/self/status").read_text("utf-8").splitlines()
    (line,) = (line for line in status if line.startswith("VmHWM:"))
    return int(line.split()[1]) * 1024


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        score(read_segments(Path(sys.argv[1]), int(sys.argv[2])), Path(folder))
    print(peak())
