"""Run a study: its checklists as one run, compared with the published numbers."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace

from shakeproof.data.segments import DataSet
from shakeproof.metrics.engine.cache import Cache
from shakeproof.metrics.engine.engine import Progress
from shakeproof.metrics.models.tokenizer_files import load_tokenizer, tokenizer_model
from shakeproof.perturbations.severity import unknown_per_segment
from shakeproof.plan.items import Place, Plan
from shakeproof.results import Run
from shakeproof.runs.config import RunConfig
from shakeproof.runs.driver import run_checklists
from shakeproof.scoring.score_table import instances_of
from shakeproof.spec.model import Checklist
from shakeproof.studies.available import AvailableStudy, find_data, read_data
from shakeproof.studies.published import compare_with_run, read_tables
from shakeproof.studies.spaces import with_spaces


def run_study(
    available: AvailableStudy,
    config: RunConfig,
    cache: Cache,
    *,
    command: str,
    progress: Callable[[Progress], None] | None = None,
) -> Run:
    """Score and judge, and compare the published numbers with those measured."""
    checklists = available.checklists
    run = run_checklists(
        checklists,
        replace(config, rootdir=checklists[0].path.parent.resolve()),
        cache,
        command=command,
        progress=progress,
        data={
            checklist.path: dict(_data(checklist, available.unspaced)) for checklist in checklists
        },
        facts=unknown_token_facts,
    )
    tables = read_tables(available.study.published_text())
    published = compare_with_run(tables, run, available.left_out)
    return run.model_copy(update={"published": published})


def _data(checklist: Checklist, unspaced: Collection[str]) -> Iterator[tuple[str, Place]]:
    """Yield the path of each file, also of those shipped with the study, or its spaced texts."""
    for group, file in checklist.data.items():
        path = find_data(file, checklist.path.parent)
        if path and file in unspaced:
            yield file, with_spaces(read_data(path, group))
        elif path:
            yield file, str(path.absolute())


def unknown_token_facts(plan: Plan) -> dict[str, dict[str, float]]:
    """Return the unknown tokens of a clean reference, by metric with a tokenizer and by group.

    Vu et al. 2022, Table 4.
    """
    instance = next(instance for segment in plan.segments for instance in instances_of(segment))
    facts = {}
    for name, metric in plan.metrics.items():
        model = tokenizer_model(metric, instance)
        tokenize = load_tokenizer(model) if model else None
        if tokenize:
            facts[name] = {
                f"unknown tokens a reference, {data.name}": round(
                    unknown_per_segment(_references(data), tokenize), 3
                )
                for data in plan.data
            }
    return facts


def _references(data: DataSet) -> list[str]:
    return [reference for segment in data.segments for reference in segment.references]
