"""Time writing to and reading from the score cache."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
from measure import timed

from shakeproof.metrics.engine.cache import Cache, key
from shakeproof.metrics.engine.engine import Engine
from shakeproof.metrics.formulas import BestReference, PairwiseScorer
from shakeproof.metrics.protocols import Instance

SCORES = 100_000


def show(step: str, work: Callable[[], object]) -> None:
    """Time a step, and print its time in all and for each score."""
    seconds = timed(work)[1].wall
    print(f"{step:<44} {seconds:8.3f} s  {1e6 * seconds / SCORES:9.2f} µs each")


def cache_speed(folder: Path) -> None:
    """Write and read scores of sentences of usual length."""
    pairs = [
        (f"a candidate of ordinary length, number {n}, " * 2, f"reference {n} " * 6)
        for n in range(SCORES)
    ]
    metric = BestReference(PairwiseScorer("benchmark", lambda _, __: 0.5))
    instances = [Instance(candidate, (reference,)) for candidate, reference in pairs]
    with Cache(folder / "scores.sqlite") as cache:
        engine = Engine(cache)
        show("hash the texts", lambda: [key(pair) for pair in pairs])
        show("write", lambda: cache.put_many("benchmark", pairs, np.zeros(SCORES)))
        show("look up", lambda: cache.get_many("benchmark", pairs))
        show(
            "find that no score is missing",
            lambda: engine.fill([[(metric, instance)] for instance in instances]),
        )
        show("compute the metric, scores in memory", lambda: engine.read(metric, instances))
        fresh = Engine(cache)
        show("compute the metric, scores from the file", lambda: fresh.read(metric, instances))
        print(f"{cache.info().bytes / 1e6:.1f} MB on disk")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        cache_speed(Path(folder))
