"""How fast the score cache writes and reads."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

import numpy as np

from shakeproof.metrics.engine.cache import Cache, key
from shakeproof.metrics.engine.engine import Engine
from shakeproof.metrics.formulas import BestReference, PairwiseScorer
from shakeproof.metrics.protocols import Instance

SCORES = 100_000


def seconds(function: Callable[[], object]) -> float:
    """Time one call."""
    start = perf_counter()
    function()
    return perf_counter() - start


def show(what: str, taken: float, times: int) -> None:
    """Print a time and what that is for each."""
    print(f"{what:<44} {taken:8.3f} s  {1e6 * taken / times:9.2f} µs each")


def cache_speed(folder: Path) -> None:
    """Write and read scores of ordinary sentences."""
    pairs = [
        (f"a candidate of ordinary length, number {n}, " * 2, f"reference {n} " * 6)
        for n in range(SCORES)
    ]
    metric = BestReference(PairwiseScorer("benchmark", lambda _, __: 0.5))
    items = [Instance(candidate, (reference,)) for candidate, reference in pairs]
    with Cache(folder / "scores.sqlite") as cache:
        engine = Engine(cache)
        show("hash the texts", seconds(lambda: [key(pair) for pair in pairs]), SCORES)
        show("write", seconds(lambda: cache.put_many("benchmark", pairs, np.zeros(SCORES))), SCORES)
        show("look up", seconds(lambda: cache.get_many("benchmark", pairs)), SCORES)
        show(
            "find that nothing is missing",
            seconds(lambda: engine.fill([[(metric, each)] for each in items])),
            SCORES,
        )
        for what, reader in (("remembered", engine), ("from the file", Engine(cache))):
            taken = seconds(lambda reader=reader: reader.read(metric, items))  # type: ignore[misc]
            show(f"read through the formula, {what}", taken, SCORES)
        print(f"{cache.info().bytes / 1e6:.1f} MB on disk")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        cache_speed(Path(folder))
