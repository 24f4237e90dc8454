"""Bring a public data set here: its files from their origin or a copy, converted to our format."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from filelock import FileLock

from shakeproof.data.json_lines import json_lines
from shakeproof.data.loading import parse_data
from shakeproof.data.segments import DataSet
from shakeproof.data.sets.catalogue import SETS
from shakeproof.data.sets.convert import convert
from shakeproof.data.sets.download import Progress, download, size_of, wrong_digest
from shakeproof.data.sets.folder import data_file, data_folder, notice_file
from shakeproof.data.sets.records import COMMITS, OriginFile, files_of
from shakeproof.errors import SpecError
from shakeproof.files import read_bytes, reason_of, shown_path, write_text

LOCK = ".lock"
DOWNLOADS = "downloads"  # where files are until they are converted


def get_set(
    name: str, *, copy: Path | None = None, again: bool = False, progress: Progress
) -> DataSet | None:
    """Bring a set here from its origin, or from a copy at hand; None if it is here already."""
    with _locked(data_folder()):
        if data_file(name).is_file() and not again:
            return None
        with _origin_files(name, copy, progress) as folder:
            text = json_lines(convert(name, folder))
        data = parse_data(text.encode(), name, name=name)
        write_text(notice_file(name), notice(name))
        write_text(data_file(name), text)
        return data


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Create the folder, and let one process at a time write to it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with FileLock(folder / LOCK):
            yield
    except OSError as error:
        other = "SHAKEPROOF_DATA names another folder"
        message = f"{shown_path(folder)}: cannot be written: {reason_of(error)}; {other}"
        raise SpecError(message) from None


@contextmanager
def _origin_files(name: str, copy: Path | None, progress: Progress) -> Iterator[Path]:
    """Bring the files of a set into a folder, which is removed once they are converted.

    Downloads stay there if one of them fails, so that the next one goes on from there.
    """
    if copy is not None:
        with TemporaryDirectory() as temporary:
            for file in files_of(name):
                _copy(file, copy, Path(temporary) / file.folder / file.path)
            yield Path(temporary)
        return
    folder = data_folder() / DOWNLOADS / name
    for file in files_of(name):
        path = folder / file.folder / file.path
        if path.is_file() and not wrong_digest(path.read_bytes(), file):
            progress(file, size_of(path))
        else:
            download(file, path, progress)
    yield folder
    shutil.rmtree(folder)


def _copy(file: OriginFile, folder: Path, path: Path) -> None:
    """Copy a file of a checkout, if it is the one of the commit."""
    original = _find(file, folder)
    content = read_bytes(original)
    if problem := wrong_digest(content, file):
        raise SpecError(
            f"{shown_path(original)}: not the file of {file.repository} at commit "
            f"{file.commit[:7]}: {problem}; run git checkout {file.commit[:7]} there"
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def _find(file: OriginFile, folder: Path) -> Path:
    """Find a file below a checkout of its repository, or below a folder of several."""
    places = ("", file.folder, file.repository, file.repository.replace("/", "+"))
    unpacked = sorted(folder.glob(f"{file.folder}-*"))  # as an archive of the host unpacks
    for place in (*(folder / name for name in places), *unpacked):
        if (place / file.path).is_file():
            return place / file.path
    raise SpecError(
        f"{shown_path(folder)}: no {file.path} of {file.repository}, neither here nor in a folder "
        f"{file.folder}"
    )


def notice(name: str) -> str:
    """Return licence, citation and origin of a set, for the file beside its data."""
    record = SETS[name]
    repositories = dict.fromkeys(file.repository for file in files_of(name))
    origins = [f"  {repository} at commit {COMMITS[repository]}" for repository in repositories]
    lines = [
        f"{name}: {record.summary}",
        f"Licence: {record.licence}",
        f"Cite: {record.citation}",
        "Origin, on GitHub; converted to JSON Lines by shakeproof:",
        *origins,
    ]
    return "\n".join(lines) + "\n"
