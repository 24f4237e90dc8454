"""Two runs side by side: what can be compared, and by how much it changed."""

from __future__ import annotations

import sys
import zlib
from array import array
from base64 import b64decode
from collections.abc import Iterator
from dataclasses import dataclass
from math import isfinite, sqrt
from statistics import NormalDist, fmean

from shakeproof.reports.wording.margins import certainty, value
from shakeproof.results import ChecklistRecord, Estimate, Result, Run


@dataclass(frozen=True, slots=True)
class Pair:
    """One check in two runs; `change` is None where they cannot be compared."""

    old: Result
    new: Result
    change: Estimate | None
    reason: str  # why not
    signature_changed: bool

    @property
    def word(self) -> str:
        """Say whether the change is for the better, if the data say so."""
        return turn(self.new, self.change)


def turn(result: Result, change: Estimate | None) -> str:
    """Say whether a change of a result is for the better, if the data say so."""
    if change is None:
        return "not comparable"
    if not change.value and not change.low:
        return "unchanged"
    if certainty(change) <= 1:
        return "unclear"
    return direction(result, (change.value or 0.0) > 0)


def direction(result: Result, up: bool) -> str:
    """Say whether a higher or lower estimate is for the better; two bounds have no side."""
    low, high = result.bounds.low, result.bounds.high
    if (low is None) == (high is None):
        return "higher" if up else "lower"
    return "better" if up == (low is not None) else "worse"


def pairs(old: Run, new: Run) -> list[Pair]:
    """Match the checks of two runs by id, the most certain change first."""
    before = {result.id: result for result in old.results}
    found = [
        pair(before[result.id], result, old, new) for result in new.results if result.id in before
    ]
    return sorted(found, key=lambda one: certainty(one.change), reverse=True)


def pair(old: Result, new: Result, old_run: Run, new_run: Run) -> Pair:
    """Compare one check in two runs."""
    records = record_of(old, old_run), record_of(new, new_run)
    reason = next(differences(old, new, *records), "")
    other = signature(old, records[0]) != signature(new, records[1])
    return Pair(old, new, None if reason else change(old, new), reason, other)


def record_of(result: Result, run: Run) -> ChecklistRecord | None:
    """Find the checklist that a result came from."""
    return next((record for record in run.checklists if record.file == result.file), None)


def signature(result: Result, record: ChecklistRecord | None) -> str:
    """Find the signature of the metric that was checked."""
    metrics = record.metrics if record else ()
    return next((one.signature for one in metrics if one.name == result.metric), "")


def differences(
    old: Result, new: Result, before: ChecklistRecord | None, after: ChecklistRecord | None
) -> Iterator[str]:
    """Name what makes two results incomparable."""
    if before is None or after is None:
        yield "the checklist is not in the run"
        return
    if [data.sha256 for data in before.data] != [data.sha256 for data in after.data]:
        yield "other data"
    if before.seed != after.seed:
        yield "another seed"
    yield from ()
    yield from (
        f"no estimate in the {name} run" for name, one in named(old, new) if value(one) is None
    )
    sizes = len(influence(old)), len(influence(new))
    if 0 in sizes:
        yield "a run without influence values"
    elif sizes[0] != sizes[1]:
        yield f"other segments: {sizes[0]} and {sizes[1]}"
    elif len(moves(old, new)) < 2:
        yield "no segments in common"


def named(old: Result, new: Result) -> tuple[tuple[str, Result], ...]:
    """Call the runs old and new."""
    return ("old", old), ("new", new)


def influence(result: Result) -> array[float]:
    """Unpack one value per segment."""
    values = array("f", zlib.decompress(b64decode(result.influence)) if result.influence else b"")
    if sys.byteorder == "big":
        values.byteswap()
    return values


def moves(old: Result, new: Result) -> list[float]:
    """Subtract influences, those that are not a number left out: their segment does not count."""
    pairs = zip(influence(old), influence(new), strict=True)
    return [after - before for before, after in pairs if isfinite(after - before)]


def change(old: Result, new: Result) -> Estimate:
    """Estimate the change in pairs: its error is that of the difference of influences."""
    apart = (value(new) or 0.0) - (value(old) or 0.0)
    moved = moves(old, new)
    error = sqrt(variance(moved) / len(moved))
    confidence = new.estimate.confidence if new.estimate else 0.95
    half = NormalDist().inv_cdf((1 + confidence) / 2) * error
    return Estimate(
        value=apart,
        low=apart - half,
        high=apart + half,
        confidence=confidence,
        segments=len(moved),
        method="paired influence",
    )


def variance(values: list[float]) -> float:
    """Average the squared distance from the mean, less one degree of freedom."""
    middle = fmean(values)
    return sum((one - middle) ** 2 for one in values) / max(len(values) - 1, 1)
