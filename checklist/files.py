"""Read and write files of users; a failure is a `SpecError` of one line."""

from __future__ import annotations

import os
import platform
import re
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from stat import S_IMODE
from typing import TextIO

from shakeproof.errors import SpecError, suggestion

MB = 1_000_000
ONE_DAY = 86_400  # seconds
PART = ".part"
TEMPORARY = re.compile(r"\..+\.shakeproof-(?P<node>.*)-(?P<process>\d{1,10})\.\w{8}\.part")


@dataclass(frozen=True, slots=True)
class Limit:
    """A limit on what is read; the user can raise it by an environment variable."""

    variable: str
    default: int
    unit: str

    def value(self) -> int:
        """Return the limit that holds."""
        written = os.environ.get(self.variable, "")
        if written and not (written.isdecimal() and int(written)):
            message = f"{self.variable} must be a whole number above 0, got {written!r}"
            raise SpecError(message)
        return int(written) if written else self.default

    def error(self, what: str) -> SpecError:
        """Return an error that says how to raise the limit."""
        exceeded = f"{what}: more than {self.value():,} {self.unit}"
        return SpecError(f"{exceeded}; to read it, set {self.variable} to a larger number")


def shown_path(path: Path) -> str:
    """Return a path as messages show it: relative if it is below the working folder."""
    try:
        return path.absolute().relative_to(Path.cwd()).as_posix()
    except (ValueError, OSError):
        return path.as_posix()


def expand_home(path: str) -> Path:
    """Return a path with ~ replaced by the home folder; of an unknown user it stays as it is."""
    return Path(os.path.expanduser(path))  # noqa: PTH111 - Path.expanduser raises for such a user


def read_bytes(path: Path, *, megabytes: Limit | None = None) -> bytes:
    """Read a file as bytes, no more of it than the limit allows."""
    most = megabytes.value() * MB if megabytes is not None else None
    try:
        with path.open("rb") as stream:
            content = stream.read(-1 if most is None else most + 1)
    except FileNotFoundError:
        raise SpecError(f"{shown_path(path)}: no such file{_similar(path)}") from None
    except IsADirectoryError:
        raise SpecError(f"{shown_path(path)}: is a folder, not a file") from None
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise SpecError(f"{shown_path(path)}: cannot be read: {reason_of(error)}") from None
    if megabytes is not None and most is not None and len(content) > most:
        raise megabytes.error(shown_path(path))
    return content


def read_text(path: Path, *, megabytes: Limit | None = None) -> str:
    """Read a UTF-8 file, with or without a byte order mark; lines end as on Unix."""
    text = decode_utf8(read_bytes(path, megabytes=megabytes), shown_path(path))
    return text.replace("\r\n", "\n")


def decode_utf8(content: bytes, file: str, *, lines_before: int = 0) -> str:
    """Decode UTF-8; the error names the line and column of the first wrong byte."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = lines_before + content.count(b"\n", 0, error.start) + 1
        start = content.rfind(b"\n", 0, error.start) + 1
        column = len(content[start : error.start].decode("utf-8", "replace")) + 1
        raise SpecError(
            f"{file}:{line}:{column}: not UTF-8 (byte 0x{content[error.start]:02x}); "
            "save the file as UTF-8"
        ) from None


def write_text(path: Path, text: str) -> None:
    """Write a file completely or not at all."""
    with open_for_writing(path) as stream:
        stream.write(text)


@contextmanager
def open_for_writing(path: Path) -> Iterator[TextIO]:
    """Open a temporary file, which is moved to `path` if nothing is raised, else removed."""
    _remove_left_over(path.parent)
    prefix = f".{path.name[:50]}.shakeproof-{platform.node()}-{os.getpid()}."
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=prefix, suffix=PART)
    except OSError as error:
        raise SpecError(f"{shown_path(path)}: cannot be written: {reason_of(error)}") from None
    temporary = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as stream:
            yield stream
        temporary.chmod(_mode(path))
        temporary.replace(path)
    except OSError as error:
        raise SpecError(f"{shown_path(path)}: cannot be written: {reason_of(error)}") from None
    finally:
        temporary.unlink(missing_ok=True)


def _mode(path: Path) -> int:
    """Return the permissions that a file has, or that the user's umask gives to a new one."""
    if path.exists():
        return S_IMODE(path.stat().st_mode)
    mask = os.umask(0o077)  # there is no other way to read it
    os.umask(mask)
    return 0o666 & ~mask


def _remove_left_over(folder: Path) -> None:
    """Remove temporary files of a folder whose writer was killed."""
    with suppress(OSError):
        for file in folder.glob(f".*.shakeproof-*{PART}"):
            match = TEMPORARY.fullmatch(file.name)
            if match and not _may_be_written(file, match["node"], int(match["process"])):
                file.unlink(missing_ok=True)


def _may_be_written(file: Path, node: str, process: int) -> bool:
    """Return whether the writer may still be there; of another machine only the age is known."""
    if time.time() - file.stat().st_mtime > ONE_DAY:
        return False
    if node != platform.node() or os.name != "posix":
        return True
    try:
        os.kill(process, 0)  # signal 0 only asks whether the process exists
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


def reason_of(error: Exception) -> str:
    """Return what the system says is wrong, as a part of a sentence."""
    return (getattr(error, "strerror", None) or str(error)).lower()


def _similar(path: Path) -> str:
    """Return a hint at a file with a similar name in the same folder."""
    try:
        names = [file.name for file in path.parent.iterdir()]
    except OSError:
        return f"; the folder {shown_path(path.parent)} does not exist either"
    suggested = suggestion(path.name, names)
    return f"; {suggested}" if suggested else ""
