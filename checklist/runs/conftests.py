"""Import the conftest.py files around a checklist, where pytest does not do it."""

from __future__ import annotations

from pathlib import Path

from shakeproof.errors import SpecError, one_line
from shakeproof.files import shown_path
from shakeproof.metrics.functions import run_file

ROOT_FILES = ("pyproject.toml", "pytest.ini", "tox.ini", "setup.cfg", ".git")


def import_conftests(checklist: Path) -> None:
    """Import them, the outermost first, so that they register their names."""
    for file in find_conftests(checklist):
        try:
            run_file(file.resolve())
        except Exception as error:  # whatever the user's file raises
            reason = one_line(f"{type(error).__name__}: {error}")
            raise SpecError(f"{shown_path(file)}: cannot be imported: {reason}") from error


def find_conftests(checklist: Path) -> list[Path]:
    """Return the conftest.py files from the root of the project to the folder of the checklist."""
    folder, root = checklist.absolute().parent, find_root(checklist)
    folders = [path for path in (folder, *folder.parents) if path.is_relative_to(root)]
    return [file for path in reversed(folders) if (file := path / "conftest.py").is_file()]


def find_root(checklist: Path) -> Path:
    """Return the root of the project that a checklist is in, or else the folder it is in."""
    folder = checklist.absolute().parent
    folders = (folder, *folder.parents)
    return next(
        (path for path in folders if any((path / name).exists() for name in ROOT_FILES)), folder
    )
