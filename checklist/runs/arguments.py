"""Defaults of a run and how values on a command line are read, for pytest and the command.

Every start of pytest loads this, so nothing else is imported here.
"""

from __future__ import annotations

from argparse import ArgumentTypeError
from importlib.util import find_spec
from pathlib import Path

ADJUSTMENTS = ("none", "holm")
CHECKLIST_SUFFIXES = (".checklist.yaml", ".checklist.yml")
DEFAULT_CACHE = Path(".shakeproof") / "scores.sqlite"  # below the root directory
AUTO = "auto"
RAY = "ray"
RAY_ADDRESS = "ray://"
SEARCH_BUDGET = 200  # scores that the search for the fewest edits may use, for each failed item


def positive(text: str) -> int:
    """Read a whole number above 0."""
    if not text.isdecimal() or int(text) == 0:
        raise ArgumentTypeError(f"{text!r} is not a whole number above 0")
    return int(text)


def whole(text: str) -> int:
    """Read a whole number, 0 included."""
    if not text.isdecimal():
        raise ArgumentTypeError(f"{text!r} is not a whole number")
    return int(text)


def worker_choice(text: str) -> str:
    """Read a number of workers, `auto`, `ray`, or the address of a Ray cluster."""
    on_ray = text == RAY or text.startswith(RAY_ADDRESS)
    if text != AUTO and not on_ray and (not text.isdecimal() or int(text) == 0):
        forms = f"a whole number above 0, {AUTO}, {RAY}, or an address such as ray://host:10001"
        raise ArgumentTypeError(f"{text!r} is not {forms}")
    if on_ray and find_spec("ray") is None:
        raise ArgumentTypeError(f"{text!r} needs Ray; install it with: pip install shakeproof[ray]")
    return text


def device_choice(text: str) -> str:
    """Read the name of a device, or the names of several GPUs."""
    from shakeproof.metrics.models.devices import split_devices  # only where one is given

    try:
        split_devices(text)
    except ValueError as error:
        raise ArgumentTypeError(str(error)) from None
    return text


def precision_choice(text: str) -> str:
    """Read the number format of models."""
    from shakeproof.metrics.settings import PRECISIONS  # only where one is given

    if text not in PRECISIONS:
        raise ArgumentTypeError(f"{text!r} is not one of {', '.join(PRECISIONS)}")
    return text


def gpu_share(text: str) -> float:
    """Read how many GPUs a worker gets: a whole number, or a part of one."""
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not (share >= 0 and (share < 1 or share.is_integer())):
        raise ArgumentTypeError(f"{text!r} is not a whole number, or a share such as 0.5")
    return share


def replacement(text: str) -> str:
    """Read NAME=PATH."""
    name, path = split_replacement(text)
    if not (name and path):
        raise ArgumentTypeError(f"{text!r} is not of the form NAME=PATH")
    return text


def split_replacement(text: str) -> tuple[str, str]:
    """Split NAME=PATH."""
    name, _, path = text.partition("=")
    return name, path


def adjustment(text: str) -> str:
    """Read how the verdicts of a run are adjusted."""
    if text not in ADJUSTMENTS:
        raise ArgumentTypeError(f"{text!r} is not one of {', '.join(ADJUSTMENTS)}")
    return text
