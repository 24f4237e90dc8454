"""The numbers of a result: its estimate, and the parts beside it."""

from __future__ import annotations

from shakeproof.results import Estimate, PartName, Result


def value_of(result: Result) -> float | None:
    """Return the estimate of a result, None where there is none."""
    return None if result.estimate is None else result.estimate.value


def part_estimate(result: Result, name: PartName) -> Estimate | None:
    """Return a part over all groups at the judged level, None where it is undefined."""
    parts = [part for part in result.parts if part.name == name and not part.group]
    part = max(
        parts, key=lambda part: (part.level == result.level, part.level or 0.0), default=None
    )
    return None if part is None or part.estimate.value is None else part.estimate


def defined_ends(estimate: Estimate) -> list[float]:
    """List what is defined of a value and its interval."""
    ends = (estimate.value, estimate.low, estimate.high)
    return [end for end in ends if end is not None]


def has_common_unit(result: Result) -> bool:
    """Return whether the estimate is in a unit that all metrics share; raw scores are not."""
    return bool(result.unit or result.coefficient)
