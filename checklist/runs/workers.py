"""The workers that rate for a run, as the user asked for them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain
from pathlib import Path

from shakeproof.errors import SpecError
from shakeproof.metrics.engine.engine import Engine
from shakeproof.metrics.engine.executors.pool import WorkerPool
from shakeproof.metrics.engine.executors.protocol import InProcess
from shakeproof.metrics.engine.executors.recipes import MetricOptions, Recipe, find_sources
from shakeproof.metrics.engine.executors.workers import Workers, WorkersFailed
from shakeproof.metrics.files import is_there
from shakeproof.metrics.models.devices import DeviceNotFound
from shakeproof.metrics.options import Options
from shakeproof.metrics.registry import METRICS
from shakeproof.metrics.settings import Settings
from shakeproof.plan.items import Plan
from shakeproof.plan.metrics import settings_of
from shakeproof.runs.arguments import AUTO, RAY, RAY_ADDRESS
from shakeproof.runs.config import RunConfig
from shakeproof.runs.conftests import find_conftests
from shakeproof.scoring.score_table import instances_of

OURS = "shakeproof.metrics."
WITH_FILES = ("python", "command")  # kinds that run what the user wrote
SHARED_DEVICES = ("auto", "cuda")  # a single device with a number is the same for all workers


class NoWorkers(SpecError):
    """The workers that the user asked for cannot be started or reached."""


class NoDevice(SpecError):
    """The device that the user asked for is not there."""


@contextmanager
def with_workers(engine: Engine, config: RunConfig, plans: Sequence[Plan]) -> Iterator[None]:
    """Let workers rate what the engine is asked for, if the user asked for workers."""
    if config.gpus_per_worker is not None and not is_on_ray(config.workers or ""):
        raise NoWorkers("GPUs per worker are shared out by Ray alone; ask for workers: ray too")
    try:
        with _workers_in_use(engine, config, plans):
            yield
    except WorkersFailed as failed:
        raise NoWorkers(str(failed)) from failed
    except DeviceNotFound as missing:
        raise NoDevice(str(missing)) from None


@contextmanager
def _workers_in_use(engine: Engine, config: RunConfig, plans: Sequence[Plan]) -> Iterator[None]:
    several = len(config.devices) > 1
    if config.workers is None and not several:
        with engine.use(InProcess(need_devices=True)):
            yield
        return
    settings = replace(config.settings, device="cuda") if several else config.settings
    recipes = [(recipe_of(plan, settings), plan) for plan in plans]
    sources = find_sources([(recipe, plan.metrics) for recipe, plan in recipes])
    workers = _workers(config, config.workers or AUTO, [recipe for recipe, _ in recipes])
    with engine.use(WorkerPool(workers, sources)):
        yield


def _workers(config: RunConfig, choice: str, recipes: Sequence[Recipe]) -> Workers:
    """Return the workers that the user chose; those of this machine are not started yet."""
    devices = config.devices
    share_gpus = config.device in SHARED_DEVICES
    if is_on_ray(choice):
        if len(devices) > 1:
            raise NoWorkers("several devices are for workers of this machine; with Ray say cuda")
        from shakeproof.metrics.engine.executors.ray_actors import RayWorkers

        root = (config.rootdir or Path.cwd()).resolve()
        folder = root if any(map(needs_files, recipes)) else None
        plain = [recipe.relative_to(root).to_plain() for recipe in recipes]
        address = "" if choice == RAY else choice
        gpus = config.gpus_per_worker if share_gpus else 0.0
        return RayWorkers(plain, address, folder=folder, gpus_per_worker=gpus)
    from shakeproof.metrics.engine.executors.local import LocalWorkers, automatic_size, gpu_names

    numbers = [int(device.partition(":")[2]) for device in devices] if len(devices) > 1 else None
    size = (len(numbers) if numbers else automatic_size()) if choice == AUTO else int(choice)
    names = gpu_names(numbers) if numbers or share_gpus else []
    return LocalWorkers([recipe.to_plain() for recipe in recipes], size, names, devices)


def is_on_ray(choice: str) -> bool:
    """Return whether workers are the actors of a Ray cluster."""
    return choice == RAY or choice.startswith(RAY_ADDRESS)


def needs_files(recipe: Recipe) -> bool:
    """Return whether a metric is built from modules or files of the user."""
    return any(
        _uses_files(metric, recipe.settings_of(metric).folder) for metric in recipe.metrics.values()
    )


def _uses_files(metric: MetricOptions, folder: Path) -> bool:
    classes = (kind for kind in METRICS[metric.kind].__mro__ if issubclass(kind, Options))
    if metric.kind.startswith(WITH_FILES) or any(
        not kind.__module__.startswith(OURS) for kind in classes
    ):
        return True
    return any(_is_file(value, folder) for value in json.loads(metric.options).values())


def _is_file(value: object, folder: Path) -> bool:
    return isinstance(value, str) and is_there(folder / value)


def recipe_of(plan: Plan, settings: Settings) -> Recipe:
    """Describe how the metrics of a plan are built in another process."""
    checklist = plan.checklist
    built_with = settings_of(checklist, settings)
    segments = chain(plan.segments, plan.development)
    instances = (instance for segment in segments for instance in instances_of(segment))
    metrics = {
        name: MetricOptions(
            spec.kind,
            spec.options.model_dump_json(exclude_unset=True),
            spec.options.refers,
            spec.file.parent.resolve() if spec.file else None,
        )
        for name, spec in checklist.metrics.items()
    }
    return Recipe(
        metrics,
        replace(built_with, folder=built_with.folder.resolve()),
        next(instances),
        tuple(file.resolve() for file in find_conftests(checklist.path)),
    )
