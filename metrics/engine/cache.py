"""The score cache: scores kept between runs, by signature and a hash of the texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from hashlib import blake2b
from math import nan
from pathlib import Path
from typing import Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from shakeproof.metrics.engine.database import CacheError, Database
from shakeproof.metrics.engine.queries import (
    ScoreRow,
    count_scores,
    delete_all,
    failures_since,
    find,
    find_column,
    insert,
    insert_column,
    insert_failures,
    rows_of,
)
from shakeproof.metrics.engine.stored_matrices import find_matrices, insert_matrices, masked
from shakeproof.metrics.engine.stored_usage import (
    Counter,
    UsageByModel,
    all_counters,
    insert_answers,
    merge_counters,
    scored_models,
    summed,
)
from shakeproof.metrics.protocols import Texts, Vector

Mask: TypeAlias = NDArray[np.bool_]

KEY_BYTES = 16
MAX_KEYS = 50_000  # kept for the next signature with the same tuples; about 10 MB


@dataclass(frozen=True, slots=True)
class CacheInfo:
    """The size of a cache, the number of scores by signature, and what answers cost."""

    path: Path | None
    bytes: int
    scores: dict[str, int]
    usage: UsageByModel = field(default_factory=dict)


def key(texts: Texts) -> bytes:
    """Hash a tuple of texts, with their lengths, so that ("ab", "c") and ("a", "bc") differ."""
    digest = blake2b(digest_size=KEY_BYTES)
    for text in texts:
        encoded = text.encode("utf-8", "surrogatepass")
        digest.update(len(encoded).to_bytes(8, "little"))
        digest.update(encoded)
    return digest.digest()


class _Keys(dict[Texts, bytes]):
    """The keys of tuples, each computed when it is first looked up."""

    def __missing__(self, texts: Texts) -> bytes:
        new = self[texts] = key(texts)
        return new


class Cache:
    """One SQLite file of scores that processes share; without a path it is in memory.

    Of the texts it contains only hashes; token matrices cannot be read without the texts.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self._database = Database(path)
        self._keys = _Keys()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def lock(self) -> AbstractContextManager[object]:
        """Return the lock beside the file: one process scores while the others wait.

        The operating system frees it when its process dies, and a lock file that is left over
        blocks nobody. A file system without such locks is an error.
        """
        return nullcontext() if self.path is None else _locked(self.path)

    def find(self, tuples: Mapping[str, Sequence[Texts]]) -> dict[str, dict[Texts, float]]:
        """Look up tuples by signature, and return the scores that are known."""
        found = {signature: self._find(signature, wanted) for signature, wanted in tuples.items()}
        if len(self._keys) > MAX_KEYS:
            self._keys.clear()
        return found

    def _find(self, signature: str, tuples: Sequence[Texts]) -> dict[Texts, float]:
        keys = [self._keys[texts] for texts in tuples]
        scores = self._database.run(lambda connection: find(connection, signature, keys))
        return {
            texts: nan if (score := scores[key]) is None else score
            for texts, key in zip(tuples, keys, strict=True)
            if key in scores
        }

    def get_many(self, signature: str, tuples: Sequence[Texts]) -> tuple[Vector, Mask]:
        """Look up tuples, and return their scores and which of them are known."""
        found = self.find({signature: tuples})[signature]
        scores = np.array([found.get(texts, nan) for texts in tuples], dtype=float)
        known = np.fromiter((texts in found for texts in tuples), bool, len(tuples))
        return scores, known

    def put(self, tuples: Sequence[Texts], scores: Mapping[str, Vector]) -> None:
        """Store a score per tuple and signature: all, or none if the process dies meanwhile."""
        keys = [self._keys[texts] for texts in tuples]
        rows = {
            signature: sorted(zip(keys, column.tolist(), strict=True))
            for signature, column in scores.items()
        }
        self._insert(rows)

    def put_many(self, signature: str, tuples: Sequence[Texts], scores: Vector) -> None:
        """Store one score per tuple."""
        self.put(tuples, {signature: scores})

    def find_matrices(self, signature: str, tuples: Sequence[Texts]) -> dict[Texts, bytes]:
        """Look up the token matrices of tuples, and return those that are known, as bytes."""
        keys = [self._keys[texts] for texts in tuples]
        found = self._database.run(lambda connection: find_matrices(connection, signature, keys))
        pairs = zip(tuples, keys, strict=True)
        return {texts: masked(found[key], texts) for texts, key in pairs if key in found}

    def put_matrices(self, signature: str, contents: Mapping[Texts, bytes]) -> None:
        """Store token matrices as bytes; only who has the texts can read them."""
        rows = {self._keys[texts]: masked(content, texts) for texts, content in contents.items()}
        self._database.run(lambda connection: insert_matrices(connection, signature, rows))

    def find_column(self, key: bytes) -> bytes | None:
        """Return what was kept under a key of the caller, if anything."""
        return self._database.run(lambda connection: find_column(connection, key))

    def put_column(self, key: bytes, content: bytes) -> None:
        """Keep numbers that were computed from scores or texts; the key must name both."""
        self._database.run(lambda connection: insert_column(connection, key, content))

    def put_failures(self, signature: str, kinds: Mapping[Texts, str], time: float) -> None:
        """Store why tuples have no score, for the other processes of a run."""
        rows = {self._keys[texts]: kind for texts, kind in kinds.items()}
        self._database.run(lambda connection: insert_failures(connection, signature, rows, time))

    def find_failures(
        self, signature: str, tuples: Sequence[Texts], since: float
    ) -> dict[Texts, str]:
        """Return why tuples have no score, of those that another process rated since a time."""
        kinds = self._database.run(lambda connection: failures_since(connection, signature, since))
        return {texts: kinds[key] for texts in tuples if (key := self._keys[texts]) in kinds}

    def put_answers(self, scores: Mapping[Texts, float], counters: Sequence[Counter]) -> None:
        """Store scores of one signature and add what answers cost: all, or nothing."""
        rows = sorted((self._keys[texts], score) for texts, score in scores.items())
        self._database.run(lambda connection: insert_answers(connection, rows, counters))

    def usage(self) -> list[Counter]:
        """Return what answers cost, by process, signature and model."""
        return self._database.run(all_counters)

    def scored_models(self, signature: str) -> frozenset[str]:
        """Return the models whose answers gave the scores of a signature."""
        return self._database.run(lambda connection: scored_models(connection, signature))

    def info(self) -> CacheInfo:
        """Return the size of the cache, and what answers cost."""
        scores = self._database.run(count_scores)
        return CacheInfo(self.path, self._database.size(), scores, summed(self.usage()))

    def clear(self) -> None:
        """Delete everything, and give the disk space back."""
        self._database.run(delete_all)

    def merge(self, other: Path) -> None:
        """Copy scores, and what answers cost, that this cache does not have from another file."""
        if not other.is_file():
            raise CacheError(f"no score cache {str(other)!r} to merge")
        with Cache(other) as source:
            for signature in source.info().scores:
                self._insert({signature: source._rows(signature)})
            counters = source.usage()
            self._database.run(lambda connection: merge_counters(connection, counters))

    def _insert(self, rows: Mapping[str, Sequence[ScoreRow]]) -> None:
        self._database.run(lambda connection: insert(connection, rows))

    def _rows(self, signature: str) -> list[ScoreRow]:
        return self._database.run(lambda connection: rows_of(connection, signature))


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    from filelock import FileLock

    lock = FileLock(path.with_name(f"{path.name}.lock"), fallback_to_soft=False)
    try:
        lock.acquire()
    except OSError as error:
        reason = error.strerror or error
        raise CacheError(f"cannot lock {str(path)!r}: {reason}; name another cache file") from None
    try:
        yield
    finally:
        lock.release()
