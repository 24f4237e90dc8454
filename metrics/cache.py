"""Scores kept between runs, addressed by how they were made and a hash of what was scored."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from shakeproof.metrics.locks import locked
from shakeproof.metrics.protocols import Texts, Vector
from shakeproof.metrics.store import CacheError, Store, transaction

Mask: TypeAlias = NDArray[np.bool_]
Row: TypeAlias = tuple[bytes, float | None]  # SQLite keeps "not a number" as NULL

KEY_BYTES = 16
KEYS_PER_QUERY = 4_000  # SQLite allows 32,766 variables


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


class Cache:
    """One SQLite file of scores that processes share; without a path it lives in memory.

    Texts are kept as hashes only, never in clear.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self._store = Store(path)

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

    def get_many(self, signature: str, tuples: Sequence[Texts]) -> tuple[Vector, Mask]:
        """Look tuples up: their scores, and which of them are known."""
        keys = [key(texts) for texts in tuples]
        found = self._store.run(partial(_find, signature=signature, keys=sorted(set(keys))))
        scores = np.array([found.get(each) for each in keys], dtype=float)
        known = np.fromiter((each in found for each in keys), bool, len(keys))
        return scores, known

    def put_many(self, signature: str, tuples: Sequence[Texts], scores: Vector) -> None:
        """Keep one score per tuple: all of them, or none should the process die meanwhile."""
        rows = sorted(zip(map(key, tuples), scores.tolist(), strict=True))
        self._store.run(partial(_insert, signature=signature, rows=rows))

    def info(self) -> CacheInfo:
        """Say how much is kept."""
        return CacheInfo(self.path, self._store.size(), self._store.run(_counts))

    def clear(self) -> None:
        """Forget everything and give the space back."""
        self._store.run(_delete_all)

    def merge(self, other: Path) -> None:
        """Take over the scores that another cache file knows and this one does not."""
        if not other.is_file():
            raise CacheError(f"no score cache {str(other)!r} to merge")
        with Cache(other) as source:
            for signature in source.info().scores:
                rows = source._store.run(partial(_all, signature=signature))
                self._store.run(partial(_insert, signature=signature, rows=rows))


def _find(
    connection: sqlite3.Connection, *, signature: str, keys: Sequence[bytes]
) -> dict[bytes, float | None]:
    found: dict[bytes, float | None] = {}
    identity = _identity(connection, signature)
    for start in range(0, len(keys) if identity is not None else 0, KEYS_PER_QUERY):
        chunk = keys[start : start + KEYS_PER_QUERY]
        marks = ",".join("?" * len(chunk))
        query = f"SELECT texts, score FROM scores WHERE signature = ? AND texts IN ({marks})"
        found.update(connection.execute(query, (identity, *chunk)))
    return found


def _insert(connection: sqlite3.Connection, *, signature: str, rows: Iterable[Row]) -> None:
    with transaction(connection):
        connection.execute("INSERT OR IGNORE INTO signatures (text) VALUES (?)", (signature,))
        identity = _identity(connection, signature)
        connection.executemany(
            "INSERT OR IGNORE INTO scores (signature, texts, score) VALUES (?, ?, ?)",
            ((identity, texts, score) for texts, score in rows),
        )


def _identity(connection: sqlite3.Connection, signature: str) -> int | None:
    query = "SELECT id FROM signatures WHERE text = ?"
    row = connection.execute(query, (signature,)).fetchone()
    return None if row is None else int(row[0])


def _all(connection: sqlite3.Connection, *, signature: str) -> list[Row]:
    identity = _identity(connection, signature)
    query = "SELECT texts, score FROM scores WHERE signature = ?"
    return connection.execute(query, (identity,)).fetchall()


def _counts(connection: sqlite3.Connection) -> dict[str, int]:
    query = (
        "SELECT text, (SELECT COUNT(*) FROM scores WHERE signature = id) FROM signatures"
        " ORDER BY text"
    )
    return dict(connection.execute(query).fetchall())


def _delete_all(connection: sqlite3.Connection) -> None:
    with transaction(connection):
        connection.execute("DELETE FROM scores")
        connection.execute("DELETE FROM signatures")
    connection.execute("VACUUM")
