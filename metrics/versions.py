"""Versions of the libraries that a score depends on."""

from __future__ import annotations

from functools import cache
from importlib.metadata import version


@cache
def installed(package: str) -> str:
    """Tell the package's name and version, as signatures have them."""
    return f"{package}:{version(package)}"
