"""The settings of a run that metrics are built with."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias, get_args

AUTO = "auto"
Precision: TypeAlias = Literal["auto", "float32", "tf32", "float16", "bfloat16"]
PRECISIONS: tuple[str, ...] = get_args(Precision)


@dataclass(frozen=True, slots=True)
class Settings:
    """Device, precision, use of the network, and the folders in which files are looked for."""

    device: str = "auto"
    precision: str = "auto"
    offline: bool = False
    folder: Path = Path()  # the folder of the checklist
    rootdir: Path | None = None
