"""What the score cache asks of its database."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from shakeproof.metrics.engine.database import transaction

Row: TypeAlias = tuple[bytes, float | None]  # SQLite keeps "not a number" as NULL

KEYS_PER_QUERY = 4_000  # SQLite allows 32,766 variables
SCANNED = 3  # reading so many rows in order takes as long as looking one up


def find(
    connection: sqlite3.Connection, *, signature: str, keys: Sequence[bytes]
) -> dict[bytes, float | None]:
    """Find the scores of keys, and perhaps of others."""
    identity = identity_of(connection, signature)
    if identity is None or not keys:
        return {}
    if _fewer(connection, identity, SCANNED * len(keys)):
        return dict(rows_of(connection, identity))
    found: dict[bytes, float | None] = {}
    in_order = sorted(set(keys))  # as they lie in the file
    for start in range(0, len(in_order), KEYS_PER_QUERY):
        chunk = in_order[start : start + KEYS_PER_QUERY]
        marks = ",".join("?" * len(chunk))
        query = f"SELECT texts, score FROM scores WHERE signature = ? AND texts IN ({marks})"
        found.update(connection.execute(query, (identity, *chunk)))
    return found


def _fewer(connection: sqlite3.Connection, identity: int, number: int) -> bool:
    """Tell whether a signature has fewer scores than that, without counting any further."""
    query = "SELECT COUNT(*) FROM (SELECT 1 FROM scores WHERE signature = ? LIMIT ?)"
    (count,) = connection.execute(query, (identity, number)).fetchone()
    return bool(count < number)


def insert(connection: sqlite3.Connection, *, scores: Mapping[str, Iterable[Row]]) -> None:
    """Keep the scores of some signatures, all or none; a score that is there stays."""
    with transaction(connection):
        for signature, rows in scores.items():
            connection.execute("INSERT OR IGNORE INTO signatures (text) VALUES (?)", (signature,))
            identity = identity_of(connection, signature)
            connection.executemany(
                "INSERT OR IGNORE INTO scores (signature, texts, score) VALUES (?, ?, ?)",
                ((identity, texts, score) for texts, score in rows),
            )


def identity_of(connection: sqlite3.Connection, signature: str) -> int | None:
    """Look up the number of a signature."""
    query = "SELECT id FROM signatures WHERE text = ?"
    row = connection.execute(query, (signature,)).fetchone()
    return None if row is None else int(row[0])


def rows_of(connection: sqlite3.Connection, identity: int | None) -> list[Row]:
    """Read all scores of a signature, in the order of their keys."""
    query = "SELECT texts, score FROM scores WHERE signature = ?"
    return connection.execute(query, (identity,)).fetchall()


def counts(connection: sqlite3.Connection) -> dict[str, int]:
    """Count the scores of each signature."""
    query = (
        "SELECT text, (SELECT COUNT(*) FROM scores WHERE signature = id) FROM signatures"
        " ORDER BY text"
    )
    return dict(connection.execute(query).fetchall())


def delete_all(connection: sqlite3.Connection) -> None:
    """Forget everything and give the space back."""
    with transaction(connection):
        connection.execute("DELETE FROM scores")
        connection.execute("DELETE FROM signatures")
    connection.execute("VACUUM")
