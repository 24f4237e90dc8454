"""The conftest.py files around a checklist, for when pytest is not there to import them."""

from __future__ import annotations

from pathlib import Path

from shakeproof.errors import SpecError, one_line
from shakeproof.files import shown_path
from shakeproof.metrics.functions import run_file

ROOT = ("pyproject.toml", "pytest.ini", "tox.ini", "setup.cfg", ".git")  # ends the search


def import_conftests(checklist: Path) -> None:
    """Import them from the outermost to the one beside the checklist, so that they register."""
    for file in conftests(checklist):
        try:
            run_file(file.resolve())
        except Exception as error:  # whatever the user's file raises
            reason = one_line(f"{type(error).__name__}: {error}")
            raise SpecError(f"{shown_path(file)}: cannot be imported: {reason}") from error


def conftests(checklist: Path) -> list[Path]:
    """List conftest.py of the folder and of those above, up to the root of the project."""
    folder, root = checklist.absolute().parent, root_of(checklist)
    inside = [one for one in (folder, *folder.parents) if one.is_relative_to(root)]
    return [file for one in reversed(inside) if (file := one / "conftest.py").is_file()]


def root_of(checklist: Path) -> Path:
    """Find the root of the project that a checklist lies in, or else the folder it lies in."""
    folder = checklist.absolute().parent
    folders = (folder, *folder.parents)
    return next((one for one in folders if any((one / name).exists() for name in ROOT)), folder)
