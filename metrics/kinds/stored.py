"""Scores that were computed elsewhere and are part of the data."""

from __future__ import annotations

from collections.abc import Mapping
from math import nan
from typing import ClassVar

from pydantic import Field

from shakeproof.metrics.formulas import Computed
from shakeproof.metrics.options import Options
from shakeproof.metrics.protocols import Metric
from shakeproof.metrics.settings import Settings


class StoredOptions(Options):
    """The name of the scores, and whether higher ones are better."""

    summary: ClassVar[str] = "scores computed elsewhere, which the data has under this name"
    scalar: ClassVar[str | None] = "name"

    name: str = Field(min_length=1)
    higher_is_better: bool = True

    def build(self, others: Mapping[str, Metric], settings: Settings) -> Computed:
        sign = 1.0 if self.higher_is_better else -1.0
        signature = f"stored|name:{self.name}|sign:{sign:+.0f}"
        required = frozenset({f"stored:{self.name}"})
        return Computed(
            signature, required, lambda instance: sign * instance.stored.get(self.name, nan)
        )
