"""Versions of installed libraries, as signatures have them."""

from __future__ import annotations

from functools import cache
from importlib.metadata import PackageNotFoundError, version


@cache  # signatures are asked for often, and reading metadata is slow
def version_of(package: str) -> str:
    """Return the installed version without importing the package; a dash if there is none."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "-"


def name_and_version(package: str) -> str:
    """Return `package:version`."""
    return f"{package}:{version_of(package)}"
