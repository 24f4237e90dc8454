"""Scores kept in memory, so that few are looked up twice."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from shakeproof.metrics.protocols import Texts

ROOM = 200_000  # scores, some 40 MB


class Memory:
    """The first scores that were found, by signature and texts, and none once it is full."""

    def __init__(self) -> None:
        self._scores: dict[str, dict[Texts, float]] = {}
        self._room = ROOM

    def of(self, signature: str) -> Mapping[Texts, float]:
        """Recall the scores of a signature."""
        return self._scores.get(signature, {})

    def keep(self, signature: str, scores: Mapping[Texts, float]) -> None:
        """Keep scores if there is room; as in the cache, the first score of a tuple stays."""
        self._room -= len(scores)
        if self._room < 0:
            return
        known = self._scores.setdefault(signature, {})
        for texts, score in scores.items():
            known.setdefault(texts, score)


@contextmanager
def without_garbage_collection() -> Iterator[None]:
    """Keep Python from searching many small new objects for cycles, of which there are none."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
