"""An item against what a stored run knows of the same correlation."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import numpy as np

from shakeproof.expectations.baseline import NoWorseThanBaseline
from shakeproof.plan.items import Item, Plan
from shakeproof.results import Estimate, Part, Result, Verdict
from shakeproof.runs.assemble import checklist_record
from shakeproof.runs.baseline import Baseline, other_data, other_setting, read_baseline, remembered
from shakeproof.stats.assess import Assessment
from shakeproof.stats.compare import Change, Remembered, compare_runs
from shakeproof.stats.influence import packed, unpacked
from shakeproof.stats.pvalues import chance_from_interval, violated
from shakeproof.stats.verdicts import Judgement

UNCHANGED = Estimate(value=0.0, low=0.0, high=0.0, method="unchanged")


def since_stored(
    expect: NoWorseThanBaseline, plan: Plan, item: Item, now: Assessment
) -> Assessment:
    """Judge the loss since the stored run; where nothing can be compared, it is undecided."""
    shown = (Part(name="now", estimate=now.estimate), *now.parts)
    try:
        then = stored_result(expect, plan, item)
        change = _change(then, now, expect.tolerance, plan.checklist.confidence)
    except ValueError as reason:
        undecided = Judgement(Verdict.INCONCLUSIVE, str(reason))
        return Assessment(Estimate(value=None, note=str(reason)), shown, undecided, np.empty(0))
    found = change.estimate or UNCHANGED
    before = () if then.estimate is None else (Part(name="then", estimate=then.estimate),)
    judgement = replace(change.judgement, p=_p(expect, found))
    return Assessment(found, (*before, *shown), judgement, np.empty(0))


def stored_result(expect: NoWorseThanBaseline, plan: Plan, item: Item) -> Result:
    """Find the stored result of the same metric, correlation and condition; a raise says why not.

    Only `correlation` checks keep a correlation that can be compared.
    """
    path = plan.checklist.path.parent / expect.baseline
    if not path.is_file():
        way = "write one with --shakeproof-json"
        raise ValueError(f"no run is stored in {expect.baseline} yet; {way}")
    stored = _read(path, path.stat().st_mtime_ns)
    found = [one for one in stored.results.values() if _asked(one) == _asks(expect, item)]
    if not found:
        raise ValueError(f"{expect.baseline} has no such correlation of {item.metric!r}")
    before, after = stored.records[found[0].file], checklist_record(plan)
    if reason := other_data(before, after) or other_setting(before, after, found[0]):
        raise ValueError(f"not comparable with {expect.baseline}: {reason}")
    return found[0]


@lru_cache(maxsize=4)
def _read(path: Path, changed: int) -> Baseline:
    """Read a stored run once, until the file changes."""
    return read_baseline(path)


def _asked(one: Result) -> tuple[object, ...]:
    where = one.family, one.field, one.level, one.stored, one.seeds
    return one.metric, one.expectation, one.quantity, *where


def _asks(expect: NoWorseThanBaseline, item: Item) -> tuple[object, ...]:
    perturb, plain = item.perturb, expect.plain
    where: tuple[object, ...] = (None, None, None, False, ())
    if perturb is not None:
        where = perturb.family, perturb.on, item.level, perturb.stored, item.seeds
    return item.metric, plain.name, plain.quantity, *where


def _change(then: Result, now: Assessment, allowed: float, confidence: float) -> Change:
    if now.estimate.value is None:
        raise ValueError(now.judgement.message)
    current = Remembered(now.estimate.value, unpacked(packed(now.influence)))  # as it was stored
    return compare_runs(
        remembered(then), current, direction=-1, allowed=allowed, confidence=confidence
    )


def _p(expect: NoWorseThanBaseline, found: Estimate) -> float:
    bound = None if found.value is None else violated(expect.bounds, found.value)
    return 1.0 if bound is None else chance_from_interval(found, bound)
