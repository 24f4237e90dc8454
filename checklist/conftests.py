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
    folder = checklist.absolute().parent
    folders = [folder, *folder.parents]
    root = next((one for one in folders if any((one / name).exists() for name in ROOT)), folder)
    inside = folders[: folders.index(root) + 1]
    return [file for one in reversed(inside) if (file := one / "conftest.py").is_file()]
