"""How many different keys there are, counted in little memory."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

MAX_ADDED = 100_000  # keys that are kept before they are merged with the others


class DistinctKeys:
    """Counts keys by their first 8 bytes: a million scores take 8 MB, not 150 MB as in a set."""

    def __init__(self) -> None:
        self._known = np.empty(0, np.uint64)  # sorted
        self._added = bytearray()

    def add(self, keys: Iterable[bytes]) -> None:
        """Add keys, some of which may be known."""
        for key in keys:
            self._added += key[:8]
        if len(self._added) >= 8 * max(MAX_ADDED, len(self._known) // 4):
            self._merge()

    def __len__(self) -> int:
        self._merge()
        return len(self._known)

    def _merge(self) -> None:
        """Sort all keys in place, which takes half the memory of NumPy's unique."""
        added = np.frombuffer(bytes(self._added), np.uint64)
        self._added.clear()
        keys = self._known = np.concatenate([self._known, added])
        keys.sort()
        new = np.ones(len(keys), bool)
        np.not_equal(keys[1:], keys[:-1], out=new[1:])
        self._known = keys[new]
