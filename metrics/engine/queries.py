"""The SQL of the score cache."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from shakeproof.metrics.engine.database import transaction

ScoreRow: TypeAlias = tuple[bytes, float | None]  # key and score; SQLite stores NaN as NULL

KEYS_PER_QUERY = 4_000  # SQLite allows 32,766 variables
ROWS_PER_LOOKUP = 3  # reading so many rows in order takes as long as looking one up


def find(
    connection: sqlite3.Connection, signature: str, keys: Sequence[bytes]
) -> dict[bytes, float | None]:
    """Return the scores of the keys that are known, and perhaps those of other keys too."""
    identity = _identity(connection, signature)
    if identity is None or not keys:
        return {}
    if _has_fewer(connection, identity, ROWS_PER_LOOKUP * len(keys)):
        return dict(_all_rows(connection, identity))
    scores: dict[bytes, float | None] = {}
    in_order = sorted(set(keys))  # the order of the rows in the file
    for start in range(0, len(in_order), KEYS_PER_QUERY):
        chunk = in_order[start : start + KEYS_PER_QUERY]
        marks = ",".join("?" * len(chunk))
        query = f"SELECT texts, score FROM scores WHERE signature = ? AND texts IN ({marks})"
        scores.update(connection.execute(query, (identity, *chunk)))
    return scores


def _has_fewer(connection: sqlite3.Connection, identity: int, number: int) -> bool:
    """Return whether a signature has fewer scores than `number`, without counting further."""
    query = "SELECT COUNT(*) FROM (SELECT 1 FROM scores WHERE signature = ? LIMIT ?)"
    (count,) = connection.execute(query, (identity, number)).fetchone()
    return bool(count < number)


def insert(connection: sqlite3.Connection, scores: Mapping[str, Iterable[ScoreRow]]) -> None:
    """Insert scores by signature, all or none; a score that is already there stays."""
    with transaction(connection):
        for signature, rows in scores.items():
            insert_rows(connection, new_identity(connection, signature), rows)


def insert_rows(connection: sqlite3.Connection, identity: int, rows: Iterable[ScoreRow]) -> None:
    """Insert scores of one signature, in a transaction of the caller."""
    connection.executemany(
        "INSERT OR IGNORE INTO scores (signature, texts, score) VALUES (?, ?, ?)",
        ((identity, texts, score) for texts, score in rows),
    )


def insert_failures(
    connection: sqlite3.Connection, signature: str, kinds: Mapping[bytes, str], time: float
) -> None:
    """Insert why tuples have no score; a new failure replaces an older one."""
    with transaction(connection):
        identity = new_identity(connection, signature)
        connection.executemany(
            "INSERT OR REPLACE INTO failures (signature, texts, kind, time) VALUES (?, ?, ?, ?)",
            ((identity, texts, kind, time) for texts, kind in kinds.items()),
        )


def failures_since(connection: sqlite3.Connection, signature: str, time: float) -> dict[bytes, str]:
    """Return why tuples had no score, of those that were rated after a time."""
    query = "SELECT texts, kind FROM failures WHERE signature = ? AND time > ?"
    return dict(connection.execute(query, (_identity(connection, signature), time)))


def find_column(connection: sqlite3.Connection, key: bytes) -> bytes | None:
    """Return the content of a column that was kept, if there is one."""
    row = connection.execute("SELECT content FROM columns WHERE key = ?", (key,)).fetchone()
    return None if row is None else bytes(row[0])


def insert_column(connection: sqlite3.Connection, key: bytes, content: bytes) -> None:
    """Keep the content of a column; one that is already there stays."""
    with transaction(connection):
        connection.execute("INSERT OR IGNORE INTO columns VALUES (?, ?)", (key, content))


def rows_of(connection: sqlite3.Connection, signature: str) -> list[ScoreRow]:
    """Read all scores of a signature, in the order of their keys."""
    return _all_rows(connection, _identity(connection, signature))


def new_identity(connection: sqlite3.Connection, signature: str) -> int:
    """Return the number that stands for a signature; a new one is inserted."""
    connection.execute("INSERT OR IGNORE INTO signatures (text) VALUES (?)", (signature,))
    query = "SELECT id FROM signatures WHERE text = ?"
    return int(connection.execute(query, (signature,)).fetchone()[0])


def _identity(connection: sqlite3.Connection, signature: str) -> int | None:
    """Look up the number that stands for a signature in the table of scores."""
    query = "SELECT id FROM signatures WHERE text = ?"
    row = connection.execute(query, (signature,)).fetchone()
    return None if row is None else int(row[0])


def _all_rows(connection: sqlite3.Connection, identity: int | None) -> list[ScoreRow]:
    query = "SELECT texts, score FROM scores WHERE signature = ?"
    return connection.execute(query, (identity,)).fetchall()


def count_scores(connection: sqlite3.Connection) -> dict[str, int]:
    """Count the scores of each signature."""
    query = (
        "SELECT text, (SELECT COUNT(*) FROM scores WHERE signature = id) AS number"
        " FROM signatures WHERE number > 0 ORDER BY text"
    )
    return dict(connection.execute(query).fetchall())


def delete_all(connection: sqlite3.Connection) -> None:
    """Delete everything, and give the disk space back."""
    with transaction(connection):
        connection.execute("DELETE FROM scores")
        connection.execute("DELETE FROM failures")
        connection.execute("DELETE FROM signatures")
        connection.execute("DELETE FROM matrices")
        connection.execute("DELETE FROM columns")
        connection.execute("DELETE FROM usage")
    connection.execute("VACUUM")
