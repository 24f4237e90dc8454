"""Robustness checklists for text-generation metrics."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from shakeproof.api.build import check, checklist
    from shakeproof.api.register import data_set, expectation, family, statistic
    from shakeproof.api.register_metrics import metric, scorer
    from shakeproof.api.run import run, to_frame
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
    "shakeproof.api.single": ("perturb", "score"),
    "shakeproof.api.run": ("run", "to_frame"),
    "shakeproof.api.build": ("check", "checklist"),
    "shakeproof.api.register_metrics": ("metric", "scorer"),
    "shakeproof.perturbations": ("strategies",),
    "shakeproof.api.register": ("data_set", "expectation", "family", "statistic"),
    "shakeproof.spec.model": ("KnownFailure", "Perturb"),
}


def __getattr__(name: str) -> Any:  # noqa: ANN401 - whatever the name stands for
    home = next((home for home, names in _HOMES.items() if name in names), None)
    if home is None:
        raise AttributeError(f"module 'shakeproof' has no attribute {name!r}")
    if name == "strategies":
        return import_module(f"{home}.{name}")
    return getattr(import_module(home), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
