"""A study from its files to a run, by the same line as any checklist."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Required, TypedDict, Unpack

from shakeproof.api.run import settled
from shakeproof.errors import SpecError
from shakeproof.files import shown_path
from shakeproof.metrics.engine.cache import Cache
from shakeproof.metrics.engine.engine import Engine, Progress
from shakeproof.metrics.settings import Settings
from shakeproof.plan.items import make_plan
from shakeproof.results import Run
from shakeproof.runs.assemble import put_together
from shakeproof.runs.session import Session
from shakeproof.scoring.rates import Stopwatch
from shakeproof.spec.read import Checklist, parse
from shakeproof.studies import Study
from shakeproof.studies.choosing import chosen
from shakeproof.studies.fitting import find_data, fit, models_of
from shakeproof.studies.published import beside, read_numbers
from shakeproof.studies.unknowns import with_unknowns

Show = Callable[[Progress], None]


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


class How(TypedDict, total=False):
    """What a run may be told beside what it runs."""

    command: Required[str]  # that repeats it
    limit: int | None  # segments of each data set
    show: Show | None  # progress
    texts: bool  # of the data, in the run
    search: int  # scores spent on the fewest edits that break a metric, for each failure


def run_study(ready: Ready, settings: Settings, cache: Cache, **how: Unpack[How]) -> Run:
    """Score, judge, and set the published numbers beside what was measured."""
    run = run_checklists(ready.checklists, settings, cache, **how)
    numbers = read_numbers(ready.study.published)
    return run.model_copy(update={"published": beside(numbers, run, ready.absent)})


def run_checklists(
    checklists: Sequence[Checklist], settings: Settings, cache: Cache, **how: Unpack[How]
) -> Run:
    """Run several checklists that lie in one folder as one run."""
    limit, texts = how.get("limit"), how.get("texts", True)
    started = time.time()
    settings = replace(settings, rootdir=checklists[0].path.parent.resolve())
    watch = Stopwatch(how.get("show"))
    engine = Engine(cache, progress=watch)
    session = Session(
        settings=settings,
        cache=cache,
        engine=engine,
        limit=limit,
        with_texts=texts,
        watch=watch,
        search_budget=how.get("search", 0),
    )
    items = []
    for checklist in checklists:
        plan = make_plan(checklist, settings, limit=limit, instead=_places(checklist))
        session.add(checklist.path, plan)
        items += [(checklist.path, item) for item in plan.items]
    session.score(items)
    for score_table in session.score_tables.values():
        score_table.plan = with_unknowns(score_table.plan)
    return put_together(
        [settled(session, path, item) for path, item in items],
        [session.record(path) for path in session.score_tables],
        started=started,
        seconds=time.time() - started,
        command=how["command"],
        settings={"device": settings.device, "limit": limit, "offline": settings.offline},
        texts=texts,
    )


def _places(checklist: Checklist) -> dict[str, str]:
    """Say where the data lie that the study brings along."""
    found = {place: find_data(place, checklist.path.parent) for place in checklist.data.values()}
    return {place: str(path.absolute()) for place, path in found.items() if path}
