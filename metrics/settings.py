"""What the run decides about scoring: where to compute, and where to look things up."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Settings:
    """Device, precision, network policy and the folders that names are looked up in."""

    device: str = "auto"
    precision: str = "auto"
    offline: bool = False
    folder: Path = Path()  # where the checklist lies
    rootdir: Path | None = None


def find_file(name: str, settings: Settings) -> Path:
    """Find a file that a checklist names, first beside the checklist."""
    for path in (settings.folder / name, Path(name)):
        if path.is_file():
            return path.resolve()
    raise ValueError(f"no file {name!r} beside the checklist")
