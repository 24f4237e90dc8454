"""Scores kept between runs, addressed by how they were made and a hash of what was scored."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from math import nan
from pathlib import Path
from typing import Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from shakeproof.metrics.engine.database import CacheError, Store
from shakeproof.metrics.engine.locks import locked
from shakeproof.metrics.engine.statements import (
    Row,
    counts,
    delete_all,
    find,
    identity_of,
    insert,
    rows_of,
)
from shakeproof.metrics.protocols import Texts, Vector

Mask: TypeAlias = NDArray[np.bool_]

KEY_BYTES = 16
KEYS = 50_000  # kept for the next signature that is asked for the same tuples, some 10 MB


@dataclass(frozen=True, slots=True)
class CacheInfo:
    """How much a cache holds: its bytes on disk, and the scores kept per signature."""

    path: Path | None
    bytes: int
    scores: dict[str, int]


def key(texts: Texts) -> bytes:
    """Hash a tuple of texts with their lengths, so that no two tuples run together."""
    digest = blake2b(digest_size=KEY_BYTES)
    for text in texts:
        encoded = text.encode("utf-8", "surrogatepass")
        digest.update(len(encoded).to_bytes(8, "little"))
        digest.update(encoded)
    return digest.digest()


class _Keys(dict[Texts, bytes]):
    """The keys of tuples, each computed when it is first asked for."""

    def __missing__(self, texts: Texts) -> bytes:
        found = self[texts] = key(texts)
        return found


class Cache:
    """One SQLite file of scores that processes share; without a path it lives in memory.

    Texts are kept as hashes only, never in clear.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self._store = Store(path)
        self._keys = _Keys()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self._store.close()

    def lock(self) -> AbstractContextManager[None]:
        """Hold the lock beside the file: one process scores while the others wait."""
        if self.path is None:
            return nullcontext()
        return locked(self.path.with_name(f"{self.path.name}.lock"))

    def find(self, asked: Mapping[str, Sequence[Texts]]) -> dict[str, dict[Texts, float]]:
        """Look up tuples for several signatures: the scores of those that are known."""
        found = {
            signature: self._found(signature, tuples, [self._keys[texts] for texts in tuples])
            for signature, tuples in asked.items()
        }
        if len(self._keys) > KEYS:
            self._keys.clear()
        return found

    def _found(
        self, signature: str, tuples: Sequence[Texts], keys: Sequence[bytes]
    ) -> dict[Texts, float]:
        rows = self._store.run(partial(find, signature=signature, keys=keys))
        return {
            texts: nan if (score := rows[each]) is None else score
            for texts, each in zip(tuples, keys, strict=True)
            if each in rows
        }

    def get_many(self, signature: str, tuples: Sequence[Texts]) -> tuple[Vector, Mask]:
        """Look tuples up: their scores, and which of them are known."""
        found = self.find({signature: tuples})[signature]
        scores = np.array([found.get(texts, nan) for texts in tuples], dtype=float)
        known = np.fromiter((texts in found for texts in tuples), bool, len(tuples))
        return scores, known

    def put(self, tuples: Sequence[Texts], scores: Mapping[str, Vector]) -> None:
        """Keep a score per tuple and signature: all, or none should the process die meanwhile."""
        keys = [self._keys[texts] for texts in tuples]
        rows = {
            signature: sorted(zip(keys, column.tolist(), strict=True))
            for signature, column in scores.items()
        }
        self._store.run(partial(insert, scores=rows))

    def put_many(self, signature: str, tuples: Sequence[Texts], scores: Vector) -> None:
        """Keep one score per tuple."""
        self.put(tuples, {signature: scores})

    def info(self) -> CacheInfo:
        """Say how much is kept."""
        return CacheInfo(self.path, self._store.size(), self._store.run(counts))

    def clear(self) -> None:
        """Forget everything and give the space back."""
        self._store.run(delete_all)

    def merge(self, other: Path) -> None:
        """Take over the scores that another cache file knows and this one does not."""
        if not other.is_file():
            raise CacheError(f"no score cache {str(other)!r} to merge")
        with Cache(other) as source:
            for signature in source.info().scores:
                rows = source._store.run(partial(_rows, signature=signature))
                self._store.run(partial(insert, scores={signature: rows}))


def _rows(connection: sqlite3.Connection, *, signature: str) -> list[Row]:
    return rows_of(connection, identity_of(connection, signature))
