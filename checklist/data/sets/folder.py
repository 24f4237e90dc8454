"""The folder in which downloaded data sets are kept."""

from __future__ import annotations

import os
from pathlib import Path

from shakeproof.errors import SpecError
from shakeproof.files import read_bytes


def data_folder() -> Path:
    """Return the folder: SHAKEPROOF_DATA, or `shakeproof/data` in the user's cache folder."""
    if own := os.environ.get("SHAKEPROOF_DATA"):
        return Path(own).expanduser()
    cache = os.environ.get("XDG_CACHE_HOME")
    return (Path(cache) if cache else Path.home() / ".cache") / "shakeproof" / "data"


def data_file(name: str) -> Path:
    """Return the file that a data set has, or gets, in the folder."""
    return data_folder() / f"{name}.jsonl"


def notice_file(name: str) -> Path:
    """Return the file beside it with licence, citation and origin."""
    return data_folder() / f"{name}.licence.txt"


def read_set(name: str, *, collection: str = "") -> bytes:
    """Read a data set that was downloaded before, by itself or with its collection."""
    path = data_file(name)
    if not path.is_file():
        wanted = collection or name
        raise SpecError(f"{name}: not downloaded yet; run shakeproof data get {wanted}")
    return read_bytes(path)
