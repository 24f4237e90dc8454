"""The encoders in the local cache of the Hugging Face hub."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from shakeproof.metrics.models.files import ModelFiles, ModelNotFound, has_weights, layer_count

PREFIX = "models--"  # of a repository's folder; its name follows, with -- for /


@dataclass(frozen=True, slots=True)
class CachedModel:
    """A model with its weights, and the size of its files in bytes."""

    name: str
    bytes: int


def hub_folder() -> Path | None:
    """Return the folder of the cache; None if the library of the hub is not installed."""
    if find_spec("huggingface_hub") is None:
        return None
    from huggingface_hub import constants

    return Path(constants.HF_HUB_CACHE)


def cached_encoders(folder: Path) -> list[CachedModel]:
    """List the models of a cache that can be scored with: those with weights and layers."""
    models: dict[str, CachedModel] = {}
    for config in sorted(folder.glob(f"{PREFIX}*/snapshots/*/config.json")):
        name = config.parents[2].name.removeprefix(PREFIX).replace("--", "/")
        if _has_layers(ModelFiles(name, config.parent)) and has_weights(config.parent):
            models[name] = CachedModel(name, folder_size(config.parent))
    return list(models.values())


def folder_size(folder: Path) -> int:
    """Count the bytes of the files directly in a folder, links followed."""
    return sum(file.stat().st_size for file in folder.iterdir() if file.is_file())


def _has_layers(files: ModelFiles) -> bool:
    try:
        return layer_count(files) > 0
    except (ModelNotFound, OSError, ValueError, AttributeError):  # no layers, or no JSON object
        return False
