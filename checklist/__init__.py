"""Robustness checklists for text-generation metrics."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from shakeproof.alone import perturb, score
    from shakeproof.api import run, to_frame
    from shakeproof.building import check, checklist
    from shakeproof.own_metrics import metric, scorer
    from shakeproof.perturbations import strategies
    from shakeproof.registration import data_set, expectation, family, statistic
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
    "metric",
    "perturb",
    "run",
    "score",
    "scorer",
    "statistic",
    "strategies",
    "to_frame",
]

_HOMES = {  # imported at first use
    "shakeproof.alone": ("perturb", "score"),
    "shakeproof.api": ("run", "to_frame"),
    "shakeproof.building": ("check", "checklist"),
    "shakeproof.own_metrics": ("metric", "scorer"),
    "shakeproof.perturbations.strategies": ("strategies",),
    "shakeproof.registration": ("data_set", "expectation", "family", "statistic"),
    "shakeproof.spec.model": ("KnownFailure", "Perturb"),
}


def __getattr__(name: str) -> Any:  # noqa: ANN401 - whatever the name stands for
    home = next((home for home, names in _HOMES.items() if name in names), None)
    if home is None:
        raise AttributeError(f"module 'shakeproof' has no attribute {name!r}")
    module = import_module(home)
    return module if home.endswith(f".{name}") else getattr(module, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
