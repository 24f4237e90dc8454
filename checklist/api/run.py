"""The same line from Python: run a checklist, get a run."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from shakeproof.errors import SpecError
from shakeproof.metrics.engine.cache import Cache
from shakeproof.metrics.engine.engine import Engine
from shakeproof.metrics.settings import Settings
from shakeproof.plan.items import Item, make_plan
from shakeproof.plugin.options import SEARCH
from shakeproof.results import Outcome, Result, Run
from shakeproof.runs.assemble import put_together
from shakeproof.runs.baseline import read_baseline, regressed
from shakeproof.runs.conftests import import_conftests, root_of
from shakeproof.runs.evaluate import MetricFailed
from shakeproof.runs.outcomes import is_known_failure
from shakeproof.runs.session import Session
from shakeproof.spec.read import Checklist, load

if TYPE_CHECKING:
    import pandas as pd


def run(
    checklist: str | Path | Checklist,
    *,
    device: str = "auto",
    limit: int | None = None,
    data: Mapping[str, str] | None = None,
    cache: str | Path | None = None,
    baseline: str | Path | None = None,
    offline: bool = False,
    texts: bool = True,
    search: int = SEARCH,
) -> Run:
    """Run a checklist, from a file or built in code, and give what pytest would have found.

    Scores are kept in memory unless `cache` names a file; with a `baseline`, a run stored as JSON,
    checks that are surely worse than in it fail. Mistakes in the checklist raise
    `SpecError`; a metric that fails makes its own results errors and no others.
    """
    path = checklist.path if isinstance(checklist, Checklist) else Path(checklist)
    settings = Settings(device=device, offline=offline, rootdir=root_of(path))
    instead = {name: str(place) for name, place in (data or {}).items()}
    with Cache(None if cache is None else Path(cache)) as store:
        session = Session(
            settings, store, Engine(store), limit, instead, with_texts=texts, search_budget=search
        )
        if baseline is not None:
            session.baseline = read_baseline(Path(baseline))
        found = _run(checklist, path, session)
    return found.model_copy(update={"baseline": "" if baseline is None else str(baseline)})


def _run(checklist: str | Path | Checklist, path: Path, session: Session) -> Run:
    started, settings = time.time(), session.settings
    read = _read(checklist, settings)
    plan = make_plan(read, settings, limit=session.limit, instead=session.instead)
    session.add(path, plan)
    session.score((path, item) for item in plan.items)
    return put_together(
        [settled(session, path, item) for item in plan.items],
        [session.record(path)],
        started=started,
        seconds=time.time() - started,
        command=f"shakeproof.run({path.name!r})",
        settings={
            "device": settings.device,
            "limit": session.limit,
            "data": session.instead,
            "offline": settings.offline,
            "search": session.search_budget,
        },
        texts=session.with_texts,
    )


def _read(checklist: str | Path | Checklist, settings: Settings) -> Checklist:
    """Read a checklist once the conftest.py files around it have registered."""
    if isinstance(checklist, Checklist):
        return checklist
    import_conftests(Path(checklist))
    return load(Path(checklist), rootdir=settings.rootdir)


def settled(session: Session, path: Path, item: Item) -> Result:
    """Judge an item and take known failures, warnings and errors into account."""
    try:
        found = session.examine(path, item)
    except (SpecError, MetricFailed) as error:
        return session.finished(path, item, None, Outcome.ERROR, str(error))
    outcome = found.outcome
    if is_known_failure(item) and not regressed(found):
        expected = {
            Outcome.FAILED: Outcome.KNOWN_FAILURE,
            Outcome.PASSED: Outcome.UNEXPECTED_PASS,
        }
        outcome = expected.get(outcome, outcome)
    elif outcome is Outcome.FAILED and item.check.severity == "warn":
        outcome = Outcome.WARNED
    known = item.check.known_failure
    return session.finished(path, item, found, outcome, known.reason if known else "")


def to_frame(run: Run) -> pd.DataFrame:
    """Lay the results of a run out as a table, one row for each item."""
    import pandas as pd

    return pd.DataFrame([_row(result) for result in run.results])


def _row(result: Result) -> dict[str, object]:
    number = result.estimate
    columns = ("id", "metric", "check", "expectation", "family", "field", "level", "outcome")
    return {
        **{name: getattr(result, name) for name in columns},
        "value": number.value if number else None,
        "low": number.low if number else None,
        "high": number.high if number else None,
        "at_least": result.bounds.low,
        "at_most": result.bounds.high,
        "message": result.message,
    }
