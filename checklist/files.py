"""Read and write files of users; a failure is a `SpecError` of one line."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from shakeproof.errors import SpecError, suggestion


def shown_path(path: Path) -> str:
    """Return a path as messages show it: relative if it is below the working folder."""
    try:
        return path.absolute().relative_to(Path.cwd()).as_posix()
    except (ValueError, OSError):
        return path.as_posix()


def read_bytes(path: Path) -> bytes:
    """Read a file as bytes."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise SpecError(f"{shown_path(path)}: no such file{_similar(path)}") from None
    except IsADirectoryError:
        raise SpecError(f"{shown_path(path)}: is a folder, not a file") from None
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise SpecError(f"{shown_path(path)}: cannot be read: {_reason(error)}") from None


def read_text(path: Path) -> str:
    """Read a UTF-8 file, with or without a byte order mark; lines end as on Unix."""
    text = decode_utf8(read_bytes(path), shown_path(path))
    return text.replace("\r\n", "\n")


def decode_utf8(content: bytes, file: str) -> str:
    """Decode UTF-8; the error names the line and column of the first wrong byte."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        start = content.rfind(b"\n", 0, error.start) + 1
        column = len(content[start : error.start].decode("utf-8", "replace")) + 1
        raise SpecError(
            f"{file}:{line}:{column}: not UTF-8 (byte 0x{content[error.start]:02x}); "
            "save the file as UTF-8"
        ) from None


def write_text(path: Path, text: str) -> None:
    """Write a file completely or not at all: to a temporary file first, which is then moved."""
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    except OSError as error:
        raise SpecError(f"{shown_path(path)}: cannot be written: {_reason(error)}") from None
    temporary = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
        temporary.chmod(0o644)
        temporary.replace(path)
    except OSError as error:
        raise SpecError(f"{shown_path(path)}: cannot be written: {_reason(error)}") from None
    finally:
        temporary.unlink(missing_ok=True)


def _reason(error: Exception) -> str:
    return (getattr(error, "strerror", None) or str(error)).lower()


def _similar(path: Path) -> str:
    """Return a hint at a file with a similar name in the same folder."""
    try:
        names = [file.name for file in path.parent.iterdir()]
    except OSError:
        return f"; the folder {shown_path(path.parent)} does not exist either"
    suggested = suggestion(path.name, names)
    return f"; {suggested}" if suggested else ""
