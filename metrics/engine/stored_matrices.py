"""Token matrices in the score cache, unreadable without the texts that they belong to."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from hashlib import shake_256

import numpy as np

from shakeproof.metrics.engine.database import transaction
from shakeproof.metrics.protocols import Texts


def masked(content: bytes, texts: Texts) -> bytes:
    """Make content unreadable without the texts, or readable again.

    A token matrix contains the words of its texts, and the cache must not show any text.
    """
    mask = shake_256(json.dumps(texts).encode()).digest(len(content))
    pair = (np.frombuffer(part, np.uint8) for part in (content, mask))
    return np.bitwise_xor(*pair).tobytes()


def find_matrices(
    connection: sqlite3.Connection, signature: str, keys: Sequence[bytes]
) -> dict[bytes, bytes]:
    """Return the contents of the keys that are known."""
    query = "SELECT content FROM matrices WHERE signature = ? AND texts = ?"
    rows = ((key, connection.execute(query, (signature, key)).fetchone()) for key in keys)
    return {key: row[0] for key, row in rows if row is not None}


def insert_matrices(
    connection: sqlite3.Connection, signature: str, contents: Mapping[bytes, bytes]
) -> None:
    """Insert contents by key; one that is already there stays."""
    query = "INSERT OR IGNORE INTO matrices (signature, texts, content) VALUES (?, ?, ?)"
    with transaction(connection):
        connection.executemany(query, ((signature, *row) for row in contents.items()))
