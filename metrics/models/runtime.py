"""A model, where it computes and how exactly: what every scorer with a model says of itself."""

from __future__ import annotations

from dataclasses import dataclass

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
from shakeproof.metrics.settings import Settings


@dataclass(frozen=True, slots=True)
class ModelRuntime:
    """A model on a device, in a number format; `auto` is settled when it is first needed."""

    model: ModelFiles
    device: str = "auto"
    precision: str = "auto"

    def settled(self) -> tuple[ModelFiles, str, str]:
        """Find out what `auto` means here: what an encoder is loaded by."""
        device = find_device(self.device)
        return self.model, device, find_precision(self.precision, device)

    def describe(self, name: str, version: int, **facts: object) -> str:
        """Write a signature: the model, the facts of the score, and what it is computed with."""
        _, device, precision = self.settled()
        named = {
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
        return "|".join([name, *(f"{fact}:{value}" for fact, value in named.items())])


def find_runtime(name: str, revision: str | None, settings: Settings) -> ModelRuntime:
    """Find a model for a run, and load nothing."""
    require_libraries()
    find_precision(settings.precision, settings.device)
    place = find_model(name, offline=settings.offline, folder=settings.folder, revision=revision)
    return ModelRuntime(place, settings.device, settings.precision)
