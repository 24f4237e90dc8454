"""Which ratings decide the checks: those of an aspect, the mean over aspects, or each by itself."""

from __future__ import annotations

from typing import Any

from shakeproof.data.ratings import EACH, PLAIN
from shakeproof.expectations import Expectation
from shakeproof.spec.diagnostics import Diagnostics
from shakeproof.spec.model import Ratings
from shakeproof.spec.written import Text, entries, one_or_more
from shakeproof.validation import Trail, shown

KEY = "rating"
EXAMPLE = "rating: coherence, rating: [coherence, fluency], rating: each or rating: mean"


def rating_type() -> Any:  # noqa: ANN401 - a type
    """Return the type of `rating`: an aspect, or several of which each is judged by itself."""
    return one_or_more(Text)


def read_ratings(value: object, trail: Trail, diagnostics: Diagnostics) -> Ratings | None:
    """Read which ratings decide; None if nothing is written, or nothing right."""
    if value is None:
        return None
    if value == []:
        diagnostics.add(trail, f"rating is empty; write {EXAMPLE}")
    names: list[str] = []
    for name, at in entries(value, trail):
        if not isinstance(name, str) or not name.strip():
            message = f"rating must be the name of an aspect, got {shown(name)}; write {EXAMPLE}"
            diagnostics.add(at, message)
        elif name in names:
            diagnostics.add(at, f"rating {name!r} is listed twice")
        else:
            names.append(name)
            if isinstance(value, list):
                diagnostics.check_name("rating", name, at)
    if EACH in names and len(names) > 1:
        diagnostics.add(trail, f"{EACH} means all aspects; write rating: {EACH} alone")
    in_ids = isinstance(value, list) or EACH in names
    line, base = diagnostics.line(trail), diagnostics.base(trail)
    return Ratings(tuple(names), in_ids, line, base) if names else None


def check_use(
    ratings: Ratings | None, expect: Expectation, trail: Trail, diagnostics: Diagnostics
) -> None:
    """Refuse a rating in a check that looks at none."""
    if ratings is None or expect.uses_ratings or ratings.names == (PLAIN,):
        return
    diagnostics.add(trail, f"{expect.name} {expect.why_no_rating}; leave rating out", key=True)
