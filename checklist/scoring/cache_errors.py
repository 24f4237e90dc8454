"""A score cache that cannot be used is a mistake of one line, as every other is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from shakeproof.errors import SpecError


@contextmanager
def cache_errors() -> Iterator[None]:
    """Raise SpecError if the score cache cannot be opened, read, written or locked."""
    from shakeproof.metrics.engine.database import CacheError

    try:
        yield
    except CacheError as error:
        raise SpecError(str(error)) from None
