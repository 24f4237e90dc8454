"""Leads: the texts in which a search for a counterexample begins."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from shakeproof.evidence.search.places import Standard, highest, judged_pairs, place_of, standard_of
from shakeproof.evidence.search.trials import Trial
from shakeproof.evidence.worst import Pick, trial_for
from shakeproof.plan.items import Block, PlannedItem
from shakeproof.plan.perturbed import CLEAN
from shakeproof.scoring.score_table import Observer
from shakeproof.stats.frame import Vector
from shakeproof.stats.rows import TIE


class Lead(NamedTuple):
    """A text worth a try, and where it stands."""

    trial: Trial
    block: Block
    pick: Pick


class Suspect(NamedTuple):
    """A row, and how far beyond its limits it is with all edits made."""

    harm: float
    block: Block
    pick: Pick


def leads(observer: Observer, item: PlannedItem, most: int) -> list[Lead]:
    """Take those texts, up to so many, on which all edits of the highest level do most."""
    standard = standard_of(observer, item)
    suspects = [
        one for block in highest(item) for one in _suspects(observer, block, item, standard)
    ]
    suspects.sort(key=lambda one: -one.harm)
    found = []
    for _, block, pick in suspects[:most]:
        trial = trial_for(observer, block, pick, standard)
        if trial is not None and trial.changes:
            found.append(Lead(trial, block, pick))
    return found


def _suspects(
    observer: Observer, block: Block, item: PlannedItem, standard: Standard | None
) -> Iterator[Suspect]:
    if standard is not None:
        return _moved(observer, block, standard)
    return _turned(observer, block) if item.check.expect.correlational else iter(())


def _moved(observer: Observer, block: Block, standard: Standard) -> Iterator[Suspect]:
    """List the changed texts."""
    rise = observer.scores(block) - observer.scores((block[0], CLEAN))
    harm = standard.beyond(np.where(observer.changed(block[1]), rise, np.nan))
    for row in _finite(harm):
        yield Suspect(float(harm[row]), block, Pick(row))


def _turned(observer: Observer, block: Block) -> Iterator[Suspect]:
    """List the judged pairs that the metric has right on the clean texts."""
    better, worse = judged_pairs(observer.frame).T
    clean, noisy = observer.scores((block[0], CLEAN)), observer.scores(block)
    right = observer.changed(block[1])[better] & (clean[better] - clean[worse] > TIE)
    harm = np.where(right, noisy[worse] - noisy[better], np.nan)
    for pair in _finite(harm):
        row, rival = int(better[pair]), int(worse[pair])
        number, position = place_of(observer.frame, rival)
        text = observer.plan.segments[number].candidates[position].text
        yield Suspect(
            float(harm[pair]), block, Pick(row, f"no longer ahead of the worse {text!r}", rival)
        )


def _finite(harm: Vector) -> list[int]:
    found: list[int] = np.flatnonzero(np.isfinite(harm)).tolist()
    return found
