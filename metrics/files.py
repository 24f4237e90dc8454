"""Files that a checklist names; what cannot be a name, such as a very long text, is not there."""

from __future__ import annotations

import os
from pathlib import Path

from shakeproof.metrics.settings import Settings


def is_file(path: Path) -> bool:
    """Return whether there is a file; `Path.is_file` raises for a very long name."""
    return os.path.isfile(path)  # noqa: PTH113 - see above


def is_there(path: Path) -> bool:
    """Return whether there is a file or a folder."""
    return os.path.exists(path)  # noqa: PTH110 - as above


def find_file(name: str, settings: Settings) -> Path:
    """Find a file that a checklist names: beside the checklist, then in the working folder."""
    for path in (settings.folder / name, Path(name)):
        if is_file(path):
            return path.resolve()
    raise ValueError(f"no file {name!r} beside the checklist or in the working folder")
