"""Results of a run as a pandas frame."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Any

from shakeproof.errors import SpecError
from shakeproof.results import Estimate, PartName, Result, Run

if TYPE_CHECKING:
    import pandas as pd

# Parts with a number on clean and on perturbed texts: a correlation, or a mean score.
CLEAN = (PartName.CLEAN, "clean score")
PERTURBED = (PartName.PERTURBED, "perturbed score")
NAMES = ("id", "metric", "check", "expectation", "family", "field", "level")
COLUMNS = (
    *NAMES,
    *("group", "clean", "perturbed", "drop", "value", "low", "high", "unit"),
    *("at_least", "at_most", "verdict", "outcome", "message"),
)
NOT_ESTIMATED = Estimate(value=None)


def to_frame(run: Run, *, groups: bool = False) -> pd.DataFrame:
    """Return the results as a table: a row for each item and, with `groups`, for each group of it.

    `value` is what is judged, `low` and `high` its interval; `drop` is `clean` minus `perturbed`.
    The row of a group has its value and interval alone, as the verdict is about all groups.
    """
    try:
        import pandas as pd
    except ImportError:
        message = "a table needs pandas; install it with: pip install shakeproof[frames]"
        raise SpecError(message) from None
    rows = [row for result in run.results for row in _rows(result, groups=groups)]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _rows(result: Result, *, groups: bool) -> Iterator[dict[str, Any]]:
    names = {name: getattr(result, name) for name in NAMES}
    yield {
        **names,
        "group": "",
        **_clean_and_perturbed(result),
        **_estimate_columns(result.estimate or NOT_ESTIMATED),
        "unit": result.unit,
        "at_least": result.bounds.low,
        "at_most": result.bounds.high,
        "verdict": result.verdict.value if result.verdict else None,
        "outcome": result.outcome.value,
        "message": result.message or result.reason,
    }
    for part in result.parts if groups else ():
        if part.group:
            estimated = _estimate_columns(part.estimate)
            yield {**names, "group": part.group, **estimated, "unit": result.unit}


def _estimate_columns(estimate: Estimate) -> dict[str, float | None]:
    return {"value": estimate.value, "low": estimate.low, "high": estimate.high}


def _clean_and_perturbed(result: Result) -> dict[str, float | None]:
    """Return the numbers before and after the perturbation, if there is one of each."""
    clean, perturbed = (_only_part(result, kinds) for kinds in (CLEAN, PERTURBED))
    drop = None if clean is None or perturbed is None else clean - perturbed
    return {"clean": clean, "perturbed": perturbed, "drop": drop}


def _only_part(result: Result, names: Collection[str]) -> float | None:
    """Return the number of the one part with one of the names; None if there are several."""
    values = [part.estimate.value for part in result.parts if part.name in names and not part.group]
    return values[0] if len(values) == 1 else None
