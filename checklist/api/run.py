"""Run a checklist from Python."""

from __future__ import annotations

from argparse import ArgumentTypeError
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import cast

from shakeproof.api.notebook_run import NotebookRun
from shakeproof.api.replaced_data import Source, replace_data
from shakeproof.api.scored import CacheInMemory, ScoredChecklist
from shakeproof.errors import SpecError
from shakeproof.metrics.settings import Precision
from shakeproof.runs import archive
from shakeproof.runs.arguments import (
    SEARCH_BUDGET,
    device_choice,
    precision_choice,
    worker_choice,
)
from shakeproof.runs.config import Adjustment, RunConfig
from shakeproof.runs.conftests import find_root, import_conftests
from shakeproof.spec.model import Checklist
from shakeproof.spec.read import load


def run(
    checklist: str | Path | Checklist,
    *,
    device: str = "auto",
    precision: Precision = "auto",
    workers: int | str | None = None,
    gpus_per_worker: float | None = None,
    limit: int | None = None,
    data: Source | Mapping[str, Source] | None = None,
    cache: str | Path | None = None,
    baseline: str | Path | None = None,
    only_regressions: bool = False,
    offline: bool = False,
    texts: bool = True,
    search: int = SEARCH_BUDGET,
    adjust: Adjustment = "none",
    strict: bool = False,
) -> NotebookRun:
    """Run a checklist, from a file or built in code, and return the run as pytest would write it.

    `data` are read instead of the only data of the checklist or, as a mapping, instead of those of
    a name or group: a path, a pandas frame, a data set of Hugging Face, or a list of mappings.
    `device` may name several GPUs, "cuda:0,cuda:1". `workers` is the number of processes that rate
    texts, "auto", "ray", or the address of a Ray cluster, with `gpus_per_worker` there. Scores are
    kept in memory unless `cache` names a file; with a `baseline`, a run stored as JSON, checks that
    are significantly worse than in it fail; with `only_regressions`, what failed in it too is a
    known failure. Mistakes in the checklist raise `SpecError`; a metric that fails makes its own
    results errors and no others.
    """
    if only_regressions and baseline is None:
        raise SpecError("only_regressions=True needs baseline=FILE")
    path = checklist.path if isinstance(checklist, Checklist) else Path(checklist)
    config = RunConfig(
        device=_chosen("device", device_choice, device),
        precision=cast("Precision", _chosen("precision", precision_choice, precision)),
        offline=offline,
        workers=None if workers is None else _chosen("workers", worker_choice, str(workers)),
        gpus_per_worker=gpus_per_worker,
        rootdir=find_root(path),
        limit=limit,
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
    checklist, replaced = replace_data(checklist, data)
    config = replace(config, data=replaced.paths, tables=replaced.tables)
    scored = ScoredChecklist(checklist, config, CacheInMemory() if cache is None else Path(cache))
    return NotebookRun.of(scored.run(f"shakeproof.run({path.name!r})"), scored)


def read_run(path: str | Path) -> NotebookRun:
    """Read a run that `--shakeproof-json` wrote."""
    return NotebookRun.of(archive.read_run(Path(path)))


def _chosen(name: str, read: Callable[[str], str], text: str) -> str:
    try:
        return read(text)
    except ArgumentTypeError as error:
        raise SpecError(f"{name}: {error}") from None
