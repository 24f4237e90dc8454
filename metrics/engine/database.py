"""The SQLite file of the score cache: opened, checked, set aside when damaged."""

from __future__ import annotations

import sqlite3
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")

APPLICATION = 0x53484B50  # "SHKP" marks the file as ours
VERSION = 1
IN_MEMORY = ":memory:"
WAIT_SECONDS = 60.0

TABLES = (
    "CREATE TABLE IF NOT EXISTS signatures (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE)",
    "CREATE TABLE IF NOT EXISTS scores (signature INTEGER NOT NULL, texts BLOB NOT NULL,"
    " score REAL, PRIMARY KEY (signature, texts)) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS matrices (signature TEXT NOT NULL, texts BLOB NOT NULL,"
    " content BLOB NOT NULL, PRIMARY KEY (signature, texts))",
    "CREATE TABLE IF NOT EXISTS columns (key BLOB PRIMARY KEY, content BLOB NOT NULL)"
    " WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS failures (signature INTEGER NOT NULL, texts BLOB NOT NULL,"
    " kind TEXT NOT NULL, time REAL NOT NULL, PRIMARY KEY (signature, texts)) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS usage (run TEXT NOT NULL, signature INTEGER NOT NULL,"
    " model TEXT NOT NULL, scored INTEGER NOT NULL, calls INTEGER NOT NULL,"
    " input_tokens INTEGER NOT NULL, output_tokens INTEGER NOT NULL,"
    " PRIMARY KEY (run, signature, model, scored)) WITHOUT ROWID",
)


class CacheError(ValueError):
    """The score cache cannot be used; the message is one line and says what to do."""


class _Outdated(sqlite3.DatabaseError):
    """The file has the tables of another version."""


class Database:
    """A connection to the file; a damaged file is set aside and a new one begun."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._connection = _connect(path)

    def run(self, action: Callable[[sqlite3.Connection], T]) -> T:
        """Call `action` with the connection; if the file is damaged, again with a new file."""
        try:
            return action(self._connection)
        except sqlite3.DatabaseError as error:
            if self._path is None or not _is_damage(error):
                raise _unusable(self._path, error) from error
            self.close()
            _set_aside(self._path, error)
            self._connection = _connect(self._path)
            return action(self._connection)

    def size(self) -> int:
        """Count the bytes on disk, with the log that SQLite has not merged yet."""
        files = _files(self._path) if self._path else ()
        return sum(file.stat().st_size for file in files if file.exists())

    def close(self) -> None:
        """Close the file."""
        self._connection.close()


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Write all or nothing."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):  # the first error is the one to report
            connection.execute("ROLLBACK")
        raise


def _connect(path: Path | None) -> sqlite3.Connection:
    if path is None:
        return _open(IN_MEMORY)
    try:
        _make_folder(path.parent)
        return _open(str(path))
    except sqlite3.DatabaseError as error:
        if not _is_damage(error):
            raise _unusable(path, error) from None
        _set_aside(path, error)
        return _open(str(path))
    except OSError as error:
        raise _unusable(path, error.strerror) from None


def _make_folder(folder: Path) -> None:
    """Make the folder of the file; git ignores a new one whose name begins with a dot."""
    if folder.exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    if folder.name.startswith("."):
        (folder / ".gitignore").write_text("*\n", encoding="utf-8")


def _open(name: str) -> sqlite3.Connection:
    connection = sqlite3.connect(
        name,
        timeout=WAIT_SECONDS,
        isolation_level=None,
        check_same_thread=False,  # used by one thread at a time: judges store where they ask
    )
    try:
        _check_owner(connection, name)
        with suppress(sqlite3.OperationalError):  # another process is just doing the same
            connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        with transaction(connection):
            for table in TABLES:
                connection.execute(table)
            connection.execute(f"PRAGMA application_id = {APPLICATION}")
            connection.execute(f"PRAGMA user_version = {VERSION}")
    except BaseException:
        connection.close()
        raise
    return connection


def _unusable(path: Path | None, reason: object) -> CacheError:
    code = getattr(reason, "sqlite_errorcode", 0) & 0xFF  # the low byte is the primary code
    if code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
        return CacheError(
            f"cannot write the score cache {str(path)!r}: {reason}; "
            "the scores so far are kept: free some disk space and run again"
        )
    return CacheError(f"cannot use {str(path)!r} as score cache: {reason}; name another cache file")


def _check_owner(connection: sqlite3.Connection, name: str) -> None:
    """Raise an error for the database of another program, or of another version of ours."""
    (tables,) = connection.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if tables and application != APPLICATION:
        raise CacheError(f"{name!r} is the database of another program; name another cache file")
    if tables and version > VERSION:
        raise CacheError(
            f"{name!r} is the score cache of a newer shakeproof (version {version} of its tables; "
            f"this one knows {VERSION}); update shakeproof, or name another cache file"
        )
    if tables and version != VERSION:
        raise _Outdated(f"its tables are of version {version}, not {VERSION}")


def _is_damage(error: sqlite3.DatabaseError) -> bool:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the low byte is the primary code
    damage = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
    return isinstance(error, _Outdated) or code in damage


def _set_aside(path: Path, error: sqlite3.DatabaseError) -> None:
    """Rename the file with its log, so that nothing is lost and nothing reads it again."""
    names = (path.with_name(f"{path.name}.damaged-{n}") for n in count(1))
    aside = next(name for name in names if not name.exists())
    for old, new in reversed(list(zip(_files(path), _files(aside), strict=True))):
        with suppress(FileNotFoundError):  # no log, or another process was faster
            old.replace(new)
    warnings.warn(
        f"score cache {str(path)!r} set aside as {aside.name!r}, and a new one begun: {error}",
        stacklevel=2,
    )


def _files(path: Path) -> tuple[Path, ...]:
    return tuple(path.with_name(path.name + suffix) for suffix in ("", "-wal", "-shm"))
