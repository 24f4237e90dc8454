"""Whether the machine has what a check requires: cuda, network, model:NAME."""

from __future__ import annotations

from collections.abc import Iterable

from shakeproof.metrics.models.devices import find_device
from shakeproof.metrics.models.files import ModelNotFound, find_model
from shakeproof.metrics.models.hub import is_offline
from shakeproof.metrics.settings import Settings

MODEL = "model:"


def first_unmet(requires: Iterable[str], settings: Settings) -> str:
    """Return why a check cannot run here; empty if it can."""
    return next(filter(None, (_why_unmet(requirement, settings) for requirement in requires)), "")


def _why_unmet(requirement: str, settings: Settings) -> str:
    if requirement == "network":
        switch = "--shakeproof-offline" if settings.offline else "HF_HUB_OFFLINE"
        return f"requires network, and {switch} is set" if settings.offline or is_offline() else ""
    if requirement == "cuda":
        return _why_no_cuda()
    name = requirement.removeprefix(MODEL)
    try:
        find_model(name, offline=settings.offline, folder=settings.folder)
    except ModelNotFound as error:
        return f"requires {requirement}: {error}"
    return ""


def _why_no_cuda() -> str:
    try:
        return "" if find_device("auto") == "cuda" else "requires cuda, and there is none"
    except ImportError as error:
        return f"requires cuda, and it cannot be used: {error}"
