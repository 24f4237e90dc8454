"""Names of metrics and checklists, told apart where several checklists use the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import PurePath

from shakeproof.results import Result, Run

ENDINGS = (".yaml", ".yml", ".checklist")


def short(file: str) -> str:
    """Name a checklist without its folder and ending."""
    name = PurePath(file).name
    for ending in ENDINGS:
        name = name.removesuffix(ending)
    return name or file


def labels(files: Iterable[str]) -> dict[str, str]:
    """Name each checklist as briefly as they can be told apart."""
    known = list(dict.fromkeys(files))
    counts = Counter(map(short, known))
    return {file: short(file) if counts[short(file)] == 1 else file for file in known}


def several(named: Mapping[str, str], file: str) -> str:
    """Name the checklist, if there are several."""
    return named[file] if len(named) > 1 else ""


def told_apart(run: Run) -> tuple[Result, ...]:
    """Add the checklist to metrics of the same name in different ones."""
    named = labels(result.file for result in run.results)
    files: dict[str, set[str]] = {}
    for result in run.results:
        files.setdefault(result.metric, set()).add(result.file)
    return tuple(
        result.model_copy(update={"metric": f"{result.metric} ({named[result.file]})"})
        if len(files[result.metric]) > 1
        else result
        for result in run.results
    )


def bare(metric: str, file: str) -> str:
    """Name a metric where its checklist is known anyway."""
    return metric.removesuffix(f" ({short(file)})").removesuffix(f" ({file})")
