"""Metrics: scorers, formulas over them, and the engine that computes and caches the scores."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from shakeproof.metrics.failures import Failure
    from shakeproof.metrics.formulas import (
        AllReferences,
        BestReference,
        Blend,
        Computed,
        PairwiseScorer,
        ReferenceFree,
    )
    from shakeproof.metrics.options import Options, reference_free
    from shakeproof.metrics.protocols import (
        Instance,
        Matrix,
        Metric,
        MetricInput,
        ScoreColumn,
        Scorer,
        ScoreRequest,
        SharedScorer,
        Texts,
        Vector,
    )
    from shakeproof.metrics.registry import METRICS, SCORERS
    from shakeproof.metrics.settings import Settings

__all__ = [
    "METRICS",
    "SCORERS",
    "AllReferences",
    "BestReference",
    "Blend",
    "Computed",
    "Failure",
    "Instance",
    "Matrix",
    "Metric",
    "MetricInput",
    "Options",
    "PairwiseScorer",
    "ReferenceFree",
    "ScoreColumn",
    "ScoreRequest",
    "Scorer",
    "Settings",
    "SharedScorer",
    "Texts",
    "Vector",
    "reference_free",
]

_MODULES = {  # of the names above; imported at first use
    "options": ("Options", "reference_free"),
    "registry": ("METRICS", "SCORERS"),
    "settings": ("Settings",),
    "failures": ("Failure",),
    "formulas": (
        "AllReferences",
        "BestReference",
        "Blend",
        "Computed",
        "PairwiseScorer",
        "ReferenceFree",
    ),
}


def __getattr__(name: str) -> Any:  # noqa: ANN401  # whatever the name stands for
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = next((home for home, names in _MODULES.items() if name in names), "protocols")
    return getattr(import_module(f"{__name__}.{module}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
