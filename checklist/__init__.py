"""Robustness checklists for text-generation metrics."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from shakeproof.api.build import check, checklist
    from shakeproof.api.frames import to_frame
    from shakeproof.api.mlflow_log import log_mlflow
    from shakeproof.api.register import data_set, expectation, family, metric, scorer, statistic
    from shakeproof.api.run import read_run, run
    from shakeproof.api.single import perturb, score
    from shakeproof.perturbations import strategies
    from shakeproof.spec.model import KnownFailure, Perturb

__version__ = "0.1.0"
__all__ = [
    "KnownFailure",
    "Perturb",
    "__version__",
    "check",
    "checklist",
    "data_set",
    "expectation",
    "family",
    "log_mlflow",
    "metric",
    "perturb",
    "read_run",
    "run",
    "score",
    "scorer",
    "statistic",
    "strategies",
    "to_frame",
]

_MODULES = {  # of the names above; imported at first use
    "shakeproof.api.single": ("perturb", "score"),
    "shakeproof.api.run": ("read_run", "run"),
    "shakeproof.api.frames": ("to_frame",),
    "shakeproof.api.mlflow_log": ("log_mlflow",),
    "shakeproof.api.build": ("check", "checklist"),
    "shakeproof.api.register": (
        "data_set",
        "expectation",
        "family",
        "metric",
        "scorer",
        "statistic",
    ),
    "shakeproof.spec.model": ("KnownFailure", "Perturb"),
}
_SUBMODULES = {  # imported at first use, so that `import shakeproof` is enough
    "errors": "shakeproof.errors",
    "expectations": "shakeproof.expectations",
    "reports": "shakeproof.reports",
    "results": "shakeproof.results",
    "strategies": "shakeproof.perturbations.strategies",
}


def __getattr__(name: str) -> Any:  # noqa: ANN401 - whatever the name stands for
    if name in _SUBMODULES:
        return import_module(_SUBMODULES[name])
    module = next((module for module, names in _MODULES.items() if name in names), None)
    if module is None:
        raise AttributeError(f"module 'shakeproof' has no attribute {name!r}")
    return getattr(import_module(module), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_SUBMODULES})
