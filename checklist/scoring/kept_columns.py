"""Columns of numbers kept in the cache, so that known texts are not perturbed and read again."""

from __future__ import annotations

import json
import platform
from collections.abc import Callable, Iterator, Sequence
from dataclasses import astuple
from functools import cache
from hashlib import blake2b
from pathlib import Path

import shakeproof.data
import shakeproof.metrics
import shakeproof.perturbations
import shakeproof.plan
import shakeproof.scoring
from shakeproof.metrics.engine.cache import Cache
from shakeproof.perturbations.registry import is_built_in
from shakeproof.plan.items import Plan
from shakeproof.plan.perturbed import CLEAN, Condition

PACKAGES = (
    shakeproof.data,
    shakeproof.metrics,
    shakeproof.perturbations,
    shakeproof.plan,
    shakeproof.scoring,
)
NOT_CODE = ("__pycache__", "byte-mini")  # weights are part of signatures


class KeptColumns:
    """What was computed of the data of a plan, by its kind, its conditions and a signature.

    A family of the user may change without a trace, so nothing is kept of its texts.
    """

    def __init__(self, plan: Plan, cache: Cache) -> None:
        self._cache = cache
        self._families = plan.checklist.families
        self._origin = [code_digest(), *_origin(plan)]

    def get(
        self,
        kind: str,
        conditions: Sequence[Condition],
        signature: str,
        compute: Callable[[], bytes],
    ) -> bytes:
        """Return what was kept; if nothing was, compute it and keep it."""
        content = self.find(kind, conditions, signature)
        if content is None:
            content = compute()
            self.keep(kind, conditions, signature, content)
        return content

    def find(self, kind: str, conditions: Sequence[Condition], signature: str) -> bytes | None:
        """Return what was kept, if anything."""
        if not all(map(self._is_fixed, conditions)):
            return None
        return self._cache.find_column(self._key(kind, conditions, signature))

    def keep(
        self, kind: str, conditions: Sequence[Condition], signature: str, content: bytes
    ) -> None:
        """Keep something for later runs."""
        if all(map(self._is_fixed, conditions)):
            self._cache.put_column(self._key(kind, conditions, signature), content)

    def _is_fixed(self, condition: Condition) -> bool:
        """Return whether the texts follow from the data and from code that is hashed."""
        if condition == CLEAN or condition.stored:
            return True
        return is_built_in(self._families[condition.family])

    def _key(self, kind: str, conditions: Sequence[Condition], signature: str) -> bytes:
        parts = [*self._origin, kind, [astuple(one) for one in conditions], signature]
        return blake2b(json.dumps(parts).encode(), digest_size=16).digest()


def _origin(plan: Plan) -> Iterator[object]:
    """Yield all that the segments of a plan were made of."""
    yield [(data_set.name, data_set.sha256, len(data_set.segments)) for data_set in plan.data]
    yield plan.checklist.extend_with_copies
    yield repr(plan.checklist.development)


@cache
def code_digest() -> str:
    """Hash the code that perturbs texts and computes columns, with the version of Python."""
    digest = blake2b(platform.python_version().encode())
    for package in PACKAGES:
        folder = Path(str(package.__file__)).parent
        for file in sorted(folder.rglob("*")):
            if file.is_file() and file.parent.name not in NOT_CODE:
                digest.update(file.read_bytes())
    return digest.hexdigest()
