"""A study from its files to a run, by the same line as any checklist."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from shakeproof.errors import SpecError
from shakeproof.files import shown_path
from shakeproof.metrics.engine.cache import Cache
from shakeproof.metrics.engine.engine import Progress
from shakeproof.metrics.settings import Settings
from shakeproof.results import Run
from shakeproof.runs.config import RunConfig
from shakeproof.runs.driver import run_checklists
from shakeproof.spec.model import Checklist
from shakeproof.spec.read import parse
from shakeproof.studies import Study
from shakeproof.studies.choosing import chosen
from shakeproof.studies.fitting import find_data, fit, models_of
from shakeproof.studies.published import beside, read_numbers
from shakeproof.studies.unknowns import unknown_token_facts


@dataclass(frozen=True, slots=True)
class Ready:
    """A study cut to what is at hand."""

    study: Study
    checklists: tuple[Checklist, ...]
    absent: Mapping[str, str]  # groups and metrics that were left out, and why
    remarks: tuple[str, ...]  # the same for people, in few lines


def prepare(
    study: Study,
    folder: Path,
    settings: Settings,
    *,
    models: Sequence[str] | None = None,
    ours: bool = False,
) -> Ready:
    """Cut the checklists to the data in the folder and the models at hand; score nothing."""
    if not folder.is_dir():
        raise SpecError(f"{shown_path(folder)}: no such folder; --data names that of the data")
    texts = {folder / f"{name}.checklist.yaml": study.text(name) for name in study.checklists}
    wholes = [parse(text, path) for path, text in texts.items()]
    places = list(dict.fromkeys(place for one in wholes for place in one.data.values()))
    if not any((folder / place).is_file() for place in places):
        raise SpecError(f"{shown_path(folder)}: has none of {', '.join(places)}")
    known = list(dict.fromkeys(model for one in wholes for model in models_of(one)))
    names = chosen(models, known, replace(settings, folder=folder))
    fitted = [fit(text, path, names, ours=ours) for path, text in texts.items()]
    unused = [one for one in known if one not in names]
    bare = [name for one in fitted for name in one.bare]
    files = {group: place for one in fitted for group, place in one.files.items()}
    return Ready(
        study,
        tuple(one.checklist for one in fitted if one.checklist),
        {
            **{group: f"{place} is not in the folder" for group, place in files.items()},
            **{name: why for one in fitted for name, why in one.checks.items()},
            **{name: why for one in fitted for name, why in one.metrics.items()},
        },
        tuple(_remarks([*files.values()], unused, bare, asked=models is not None)),
    )


def _remarks(
    files: Sequence[str], models: Sequence[str], bare: Sequence[str], *, asked: bool
) -> Iterator[str]:
    """Say in a line each what is missing."""
    if files:
        yield f"left out, not in the folder: {', '.join(files)}"
    if models and asked:
        yield f"left out, not among --models: {', '.join(models)}"
    elif models:
        yield f"left out, not here (--models downloads what it names): {', '.join(models)}"
    if bare:
        yield (
            f"attacks left out, as these carry no attacked references: {', '.join(bare)}; "
            "--ours attacks English ones anew"
        )


def run_study(
    ready: Ready,
    config: RunConfig,
    cache: Cache,
    *,
    command: str,
    progress: Callable[[Progress], None] | None = None,
) -> Run:
    """Score, judge, and set the published numbers beside what was measured."""
    run = run_checklists(
        ready.checklists,
        replace(config, rootdir=ready.checklists[0].path.parent.resolve()),
        cache,
        command=command,
        progress=progress,
        data={checklist.path: _data_paths(checklist) for checklist in ready.checklists},
        facts=unknown_token_facts,
    )
    numbers = read_numbers(ready.study.published)
    return run.model_copy(update={"published": beside(numbers, run, ready.absent)})


def _data_paths(checklist: Checklist) -> dict[str, str]:
    """Return where the data of a checklist are, among them those that the study brings along."""
    paths = {name: find_data(name, checklist.path.parent) for name in checklist.data.values()}
    return {name: str(path.absolute()) for name, path in paths.items() if path}
