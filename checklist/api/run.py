"""Run a checklist from Python."""

from __future__ import annotations

from argparse import ArgumentTypeError
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, cast

from shakeproof.errors import SpecError
from shakeproof.metrics.engine.cache import Cache
from shakeproof.metrics.settings import Precision
from shakeproof.results import Result, Run
from shakeproof.runs.arguments import (
    SEARCH_BUDGET,
    device_choice,
    precision_choice,
    worker_choice,
)
from shakeproof.runs.config import Adjustment, RunConfig
from shakeproof.runs.conftests import find_root, import_conftests
from shakeproof.runs.driver import run_checklists
from shakeproof.scoring.cache_errors import cache_errors
from shakeproof.spec.model import Checklist
from shakeproof.spec.read import load

if TYPE_CHECKING:
    import pandas as pd


def run(
    checklist: str | Path | Checklist,
    *,
    device: str = "auto",
    precision: Precision = "auto",
    workers: int | str | None = None,
    limit: int | None = None,
    data: Mapping[str, str] | None = None,
    cache: str | Path | None = None,
    baseline: str | Path | None = None,
    only_regressions: bool = False,
    offline: bool = False,
    texts: bool = True,
    search: int = SEARCH_BUDGET,
    adjust: Adjustment = "none",
    strict: bool = False,
) -> Run:
    """Run a checklist, from a file or built in code, and return the run as pytest would write it.

    `device` may name several GPUs, "cuda:0,cuda:1". `workers` is the number of processes that rate
    texts, "auto", "ray", or the address of a Ray cluster. Scores are kept in memory unless `cache`
    names a file; with a `baseline`, a run stored as JSON, checks that are significantly worse than
    in it fail; with `only_regressions`, what failed in it too is a known failure. Mistakes in the
    checklist raise `SpecError`; a metric that fails makes its own results errors and no others.
    """
    if only_regressions and baseline is None:
        raise SpecError("only_regressions=True needs baseline=FILE")
    path = checklist.path if isinstance(checklist, Checklist) else Path(checklist)
    config = RunConfig(
        device=_chosen("device", device_choice, device),
        precision=cast("Precision", _chosen("precision", precision_choice, precision)),
        offline=offline,
        workers=None if workers is None else _chosen("workers", worker_choice, str(workers)),
        rootdir=find_root(path),
        limit=limit,
        data={name: str(path) for name, path in (data or {}).items()},
        strict=strict,
        texts=texts,
        adjust=adjust,
        search=search,
        baseline=None if baseline is None else Path(baseline),
        baseline_name="" if baseline is None else str(baseline),
        only_regressions=only_regressions,
    )
    if not isinstance(checklist, Checklist):
        import_conftests(path)
        checklist = load(path, rootdir=config.rootdir)
    return _run(checklist, config, None if cache is None else Path(cache))


def _run(checklist: Checklist, config: RunConfig, cache: Path | None) -> Run:
    with cache_errors(), Cache(cache) as scores:
        command = f"shakeproof.run({checklist.path.name!r})"
        return run_checklists([checklist], config, scores, command=command)


def _chosen(name: str, read: Callable[[str], str], text: str) -> str:
    try:
        return read(text)
    except ArgumentTypeError as error:
        raise SpecError(f"{name}: {error}") from None


def to_frame(run: Run) -> pd.DataFrame:
    """Return the results of a run as a table, one row for each item."""
    import pandas as pd

    return pd.DataFrame([_row(result) for result in run.results])


def _row(result: Result) -> dict[str, object]:
    estimate = result.estimate
    columns = ("id", "metric", "check", "expectation", "family", "field", "level", "outcome")
    return {
        **{name: getattr(result, name) for name in columns},
        "value": estimate.value if estimate else None,
        "low": estimate.low if estimate else None,
        "high": estimate.high if estimate else None,
        "at_least": result.bounds.low,
        "at_most": result.bounds.high,
        "message": result.message,
    }
