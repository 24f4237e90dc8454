"""--shakeproof-no-texts: nothing that code of the user says may reach an output.

A metric or family may quote the texts it gets in an exception, a print, a log or a warning.
"""

from __future__ import annotations

import logging
import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from traceback import walk_tb
from types import FrameType, TracebackType


@contextmanager
def unheard(*, captured: bool) -> Iterator[None]:
    """Drop the logs and warnings of user code, and what it prints if pytest does not capture it."""
    with ExitStack() as stack:
        stack.callback(logging.disable, logging.root.manager.disable)
        logging.disable(logging.CRITICAL)
        stack.enter_context(warnings.catch_warnings())
        warnings.simplefilter("ignore")
        warnings.filterwarnings("always", module=r"shakeproof\.")
        if not captured:
            stack.enter_context(_closed_output())
        yield


@contextmanager
def _closed_output() -> Iterator[None]:
    """Connect standard output and error output to nothing, for this process and its children."""
    _flush()
    kept = [os.dup(1), os.dup(2)]
    with Path(os.devnull).open("w") as nothing:
        for number in (1, 2):
            os.dup2(nothing.fileno(), number)
    try:
        yield
    finally:
        _flush()
        for number, file in zip((1, 2), kept, strict=True):
            os.dup2(file, number)
            os.close(file)


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        stream.flush()


def type_and_place(error: BaseException) -> str:
    """Describe an exception without its message: its type, and the line of the user that raised."""
    place = _place(error.__traceback__)
    return f"{type(error).__name__} at {place}" if place else type(error).__name__


def _place(traceback: TracebackType | None) -> str:
    """Return the last line outside shakeproof, or else the last line."""
    steps = [
        (frame.f_globals.get("__name__", ""), frame, line) for frame, line in walk_tb(traceback)
    ]
    others = [step for step in steps if not step[0].startswith("shakeproof.")]
    if not steps:
        return ""
    _, frame, line = (others or steps)[-1]
    return f"{Path(frame.f_code.co_filename).name}:{line}"


def _is_ours(frame: FrameType) -> bool:
    return str(frame.f_globals.get("__name__", "")).startswith("shakeproof.")
