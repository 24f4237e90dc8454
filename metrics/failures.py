"""Why a score is missing: what a metric returned or raised, and how its process ended."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from types import CodeType
from typing import Any

from shakeproof.metrics.functions import function_traceback

TRACEBACK_LINE = re.compile(r'^  File "(.+)", line (\d+), in ', re.MULTILINE)
MAX_SHOWN = 200  # characters of a value that is no number
MAX_DETAIL = 500  # characters of an exception's message


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a tuple of texts has no score.

    `kind` quotes no text of the data: it is the type of an exception, or words of ours. `detail`
    may quote one.
    """

    kind: str
    detail: str = ""
    traceback: str = ""  # from the user's function on, if one raised

    @property
    def reason(self) -> str:
        """Return kind and detail in one line."""
        return f"{self.kind}: {self.detail}" if self.detail else self.kind

    def described(self, *, texts: bool) -> str:
        """Return the reason; if it may quote no text, kind and place in the user's function."""
        if texts:
            return self.reason
        place = TRACEBACK_LINE.search(self.traceback)
        return f"{self.kind} at {Path(place[1]).name}:{place[2]}" if place else self.kind


class RatingFailed(Exception):
    """A scorer failed on a batch of tuples.

    `position` is the tuple that it was rating, if that is known. `permanent`: it would fail on
    every other tuple too, so none is tried again.
    """

    def __init__(
        self,
        failure: Failure,
        *,
        position: int | None = None,
        timed_out: bool = False,
        permanent: bool = False,
    ) -> None:
        super().__init__(failure.reason)
        self.failure = failure
        self.position = position
        self.timed_out = timed_out
        self.permanent = permanent


def failure_of(error: BaseException, caller: CodeType | None = None) -> Failure:
    """Describe an exception; `caller` is the code of ours that called the user's function."""
    if isinstance(error, RatingFailed):
        return error.failure
    detail = one_line(_text(str, error), MAX_DETAIL)
    return Failure(type(error).__name__, detail, function_traceback(error, caller))


def as_score(value: Any) -> float | Failure:  # noqa: ANN401  # whatever a user's function returns
    """Convert what a function returned to a float; texts and truth values are no numbers."""
    if isinstance(value, float):
        return float(value)  # also of NumPy's float64, which is a float
    if not isinstance(value, str | bytes) and not _is_truth_value(value):
        try:
            return float(value)
        except Exception:  # whatever the conversion of an object may raise
            pass
    return Failure("returned no number", one_line(_text(repr, value), MAX_SHOWN))


def not_finite(score: float) -> Failure | None:
    """Return why a score counts as missing; None if it is a finite number."""
    return None if isfinite(score) else Failure(f"returned {score}")


def _is_truth_value(value: object) -> bool:
    return type(value).__name__ in ("bool", "bool_")  # Python's, and NumPy's without importing it


def _text(convert: Callable[[object], str], value: object) -> str:
    """Convert an object of the user's to text, even if that raises."""
    try:
        return convert(value)
    except Exception:  # see above
        return f"a {type(value).__name__} that cannot be shown"


def one_line(text: str, most: int) -> str:
    """Join lines and cut; characters that would move a terminal's cursor are written as codes."""
    joined = " ".join(text.split())
    cut = joined if len(joined) <= most else f"{joined[:most]}…"
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in cut)
