"""Whether a score cache can be used, found out without writing to it."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from shakeproof.metrics.engine.database import APPLICATION, VERSION
from shakeproof.metrics.engine.queries import count_scores

LOG = "-wal"  # in which SQLite keeps what is not merged into the file yet


@dataclass(frozen=True, slots=True)
class CacheState:
    """The size of a cache file, and why it cannot be used; `problem` is empty if it can."""

    path: Path
    exists: bool
    writable: bool
    bytes: int = 0
    scores: int = 0
    problem: str = ""


def find_cache_state(path: Path) -> CacheState:
    """Read how many scores a cache file has; a file that does not exist is not created."""
    try:
        if not path.exists():
            return CacheState(path, exists=False, writable=_can_be_created(path))
    except PermissionError as error:  # of a folder above it
        problem = (error.strerror or str(error)).lower()
        return CacheState(path, exists=False, writable=False, problem=problem)
    writable = os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)
    try:
        files = (path, path.with_name(path.name + LOG))
        size = sum(file.stat().st_size for file in files if file.exists())
        scores = _count(path)
    except (sqlite3.Error, OSError) as error:
        return CacheState(path, exists=True, writable=writable, problem=str(error))
    return CacheState(path, exists=True, writable=writable, bytes=size, scores=scores)


def _can_be_created(path: Path) -> bool:
    parent = next(folder for folder in path.absolute().parents if folder.exists())
    return parent.is_dir() and os.access(parent, os.W_OK)


def _count(path: Path) -> int:
    """Count all scores of a file; sqlite3.DatabaseError if it is damaged or not ours."""
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        (tables,) = connection.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if tables and application != APPLICATION:
            raise sqlite3.DatabaseError("it is the database of another program")
        if tables and version > VERSION:
            raise sqlite3.DatabaseError("it was written by a newer shakeproof")
        return sum(count_scores(connection).values()) if tables else 0
