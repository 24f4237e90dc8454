"""A model with its device and precision: what scorers that use a model have in common."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol, TypeGuard

import numpy as np

from shakeproof.metrics.failures import Failure
from shakeproof.metrics.models.devices import (
    HALF_PRECISIONS,
    exceeds_float16,
    find_device,
    find_precision,
    wide_precision,
)
from shakeproof.metrics.models.files import (
    ModelFiles,
    config_sha256,
    find_model,
    library_versions,
    read_config,
    require_libraries,
    tokenizer_sha256,
    weights_sha256,
)
from shakeproof.metrics.protocols import Instance, Metric, Scorer, Vector
from shakeproof.metrics.settings import AUTO, Settings


@dataclass(frozen=True, slots=True)
class ModelRuntime:
    """A model, and the device and precision it runs with; `auto` is resolved when needed."""

    model: ModelFiles
    device: str = "auto"
    precision: str = "auto"

    def resolve(self) -> tuple[ModelFiles, str, str]:
        """Return the model with its device and precision on this machine."""
        device = find_device(self.device)
        if self.precision == AUTO and device.startswith("cuda") and _exceeds_float16(self.model):
            return self.model, device, wide_precision(device)
        return self.model, device, find_precision(self.precision, device)

    def signature(self, name: str, version: int, **facts: object) -> str:
        """Write the signature of a scorer: model, facts about the score, device and libraries."""
        _, device, precision = self.resolve()
        parts = {
            "model": self.model.title,
            "weights": weights_sha256(self.model)[:16],
            "tokenizer": tokenizer_sha256(self.model)[:16],
            "config": config_sha256(self.model)[:16],
            **facts,
            "device": device.partition(":")[0],
            "precision": precision,
            **library_versions(),
            "version": version,
        }
        return "|".join([name, *(f"{fact}:{value}" for fact, value in parts.items())])


@lru_cache(maxsize=64)
def _exceeds_float16(model: ModelFiles) -> bool:
    return exceeds_float16(read_config(model))


def find_runtime(name: str, revision: str | None, settings: Settings) -> ModelRuntime:
    """Find the files of a model, without loading it."""
    require_libraries()
    find_precision(settings.precision, settings.device)
    model = find_model(name, offline=settings.offline, folder=settings.folder, revision=revision)
    return ModelRuntime(model, settings.device, settings.precision)


class ModelScorer(Scorer, Protocol):
    """A scorer that reads texts with a model, so through the tokenizer of that model."""

    @property
    def runtime(self) -> ModelRuntime:
        """Return the model, its device and its precision."""
        ...


def uses_model(scorer: Scorer) -> TypeGuard[ModelScorer]:
    """Return whether a scorer reads texts with a model.

    `isinstance` with a protocol takes twenty times as long, and would compute the signature.
    """
    return hasattr(scorer, "runtime")


def half_precision_failures(scorer: Scorer, scores: Vector) -> dict[int, Failure]:
    """Say of scores that are not finite, by position, that half precision may be the reason."""
    positions = np.flatnonzero(~np.isfinite(scores)).tolist()
    if not positions or not uses_model(scorer):
        return {}
    _, _, precision = scorer.runtime.resolve()
    if precision not in HALF_PRECISIONS:
        return {}
    way_out = f"in {precision}, which may not hold its numbers; set precision: float32"
    return {position: Failure(f"returned {scores[position]} {way_out}") for position in positions}


def runtimes_of(metric: Metric, instance: Instance) -> list[ModelRuntime]:
    """Return the distinct models that a metric reads the texts of an instance with."""
    scorers = (scorer for scorer, _ in metric.needs(instance))
    return list(dict.fromkeys(scorer.runtime for scorer in scorers if uses_model(scorer)))
