"""Robustness checklists for text-generation metrics."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from shakeproof.api import run, to_frame
    from shakeproof.registration import data_set, expectation, family, metric

__version__ = "0.1.0"
__all__ = ["__version__", "data_set", "expectation", "family", "metric", "run", "to_frame"]

_HOMES = {  # imported at first use
    **dict.fromkeys(("run", "to_frame"), "shakeproof.api"),
    **dict.fromkeys(("data_set", "expectation", "family", "metric"), "shakeproof.registration"),
}


def __getattr__(name: str) -> Any:  # noqa: ANN401 - whatever the name stands for
    if name not in _HOMES:
        raise AttributeError(f"module 'shakeproof' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
