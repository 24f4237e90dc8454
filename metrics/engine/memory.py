"""Scores kept in memory, so that few are looked up twice in the cache."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager

from shakeproof.metrics.protocols import Texts

MAX_SCORES = 200_000  # about 40 MB


class Memory:
    """The first scores of a run, by signature and texts; once it is full, it takes no more."""

    def __init__(self) -> None:
        self._scores: dict[str, dict[Texts, float]] = {}
        self._room = MAX_SCORES

    def of(self, signature: str) -> Mapping[Texts, float]:
        """Return the scores of a signature."""
        return self._scores.get(signature, {})

    def keep(self, signature: str, scores: Mapping[Texts, float]) -> None:
        """Keep scores if there is room; as in the cache, the first score of a tuple stays."""
        self._room -= len(scores)
        if self._room < 0:
            return
        known = self._scores.setdefault(signature, {})
        for texts, score in scores.items():
            known.setdefault(texts, score)

    def forget(self, signature: str, tuples: Iterable[Texts]) -> None:
        """Forget the scores of some tuples."""
        for texts in tuples:
            self._scores.get(signature, {}).pop(texts, None)


@contextmanager
def without_garbage_collection() -> Iterator[None]:
    """Disable Python's garbage collector, which slows down the creation of many small objects."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
