"""Folders that a command writes into."""

from __future__ import annotations

from pathlib import Path

from shakeproof.errors import SpecError
from shakeproof.files import shown_path


def make_folder(folder: Path) -> None:
    """Make a folder and those above it, or say in one line why not."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise SpecError(f"{shown_path(folder)}: cannot be made: {reason}") from None
