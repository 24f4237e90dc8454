"""The workers that rate for a run, as the user asked for them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from shakeproof.errors import SpecError
from shakeproof.metrics.engine.engine import Engine
from shakeproof.metrics.engine.executors.pool import WorkerPool, WorkersFailed
from shakeproof.metrics.engine.executors.recipes import MetricOptions, Recipe, find_sources
from shakeproof.metrics.settings import Settings
from shakeproof.plan.items import Plan
from shakeproof.runs.arguments import AUTO
from shakeproof.runs.config import RunConfig
from shakeproof.runs.conftests import find_conftests
from shakeproof.scoring.score_table import instances_of

SHARED_DEVICES = ("auto", "cuda")  # a device with a number is the same for all workers


@contextmanager
def with_workers(engine: Engine, config: RunConfig, plans: Sequence[Plan]) -> Iterator[None]:
    """Let workers rate what the engine is asked for, if the user asked for workers."""
    if config.workers is None:
        yield
        return
    recipes = [(recipe_of(plan, config.settings), plan) for plan in plans]
    sources = find_sources([(recipe, plan.metrics) for recipe, plan in recipes])
    pool = _pool(config, [recipe for recipe, _ in recipes], sources)
    try:
        with engine.use(pool):
            yield
    except WorkersFailed as failed:
        raise SpecError(str(failed)) from failed


def _pool(
    config: RunConfig, recipes: Sequence[Recipe], sources: dict[str, tuple[int, str]]
) -> WorkerPool:
    from shakeproof.metrics.engine.executors.local import LocalWorkers, automatic_size

    size = automatic_size() if config.workers == AUTO else int(config.workers or 1)
    plain = [recipe.to_plain() for recipe in recipes]
    workers = LocalWorkers(plain, size, share_gpus=config.device in SHARED_DEVICES)
    return WorkerPool(workers, size, sources)


def recipe_of(plan: Plan, settings: Settings) -> Recipe:
    """Describe how the metrics of a plan are built in another process."""
    checklist = plan.checklist
    segments = (*plan.segments, *plan.development)
    instances = (instance for segment in segments for instance in instances_of(segment))
    metrics = {
        name: MetricOptions(
            spec.kind, spec.options.model_dump_json(exclude_unset=True), spec.options.refers
        )
        for name, spec in checklist.metrics.items()
    }
    folder = Path(checklist.path).parent.absolute()
    return Recipe(
        metrics,
        replace(settings, folder=folder),
        next(instances),
        tuple(find_conftests(checklist.path)),
    )
