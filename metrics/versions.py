"""Versions of installed libraries, as signatures have them."""

from __future__ import annotations

from functools import cache
from importlib.metadata import PackageNotFoundError, version

NOT_INSTALLED = "-"


@cache  # signatures are asked for often, and reading metadata is slow
def version_of(package: str) -> str:
    """Return the installed version without importing the package."""
    try:
        return version(package)
    except PackageNotFoundError:
        return NOT_INSTALLED


def name_and_version(package: str) -> str:
    """Return `package:version`."""
    return f"{package}:{version_of(package)}"
