"""A model with its device and precision: what scorers that use a model have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, TypeGuard

from shakeproof.metrics.models.devices import find_device, find_precision
from shakeproof.metrics.models.files import (
    ModelFiles,
    config_sha256,
    find_model,
    library_versions,
    require_libraries,
    tokenizer_sha256,
    weights_sha256,
)
from shakeproof.metrics.protocols import Instance, Metric, Scorer
from shakeproof.metrics.settings import Settings


@dataclass(frozen=True, slots=True)
class ModelRuntime:
    """A model, and the device and precision it runs with; `auto` is resolved when needed."""

    model: ModelFiles
    device: str = "auto"
    precision: str = "auto"

    def resolve(self) -> tuple[ModelFiles, str, str]:
        """Return the model with its device and precision on this machine."""
        device = find_device(self.device)
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


def runtimes_of(metric: Metric, instance: Instance) -> list[ModelRuntime]:
    """Return the distinct models that a metric reads the texts of an instance with."""
    scorers = (scorer for scorer, _ in metric.needs(instance))
    return list(dict.fromkeys(scorer.runtime for scorer in scorers if uses_model(scorer)))
