"""Leads: the texts in which a search for a counterexample begins."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from shakeproof.evidence.search.places import Standard, highest, judged_pairs, place_of, standard_of
from shakeproof.evidence.search.trials import Trial
from shakeproof.evidence.worst import Pick, trial_for
from shakeproof.plan.items import Item, ScoreKey
from shakeproof.plan.perturbed import CLEAN
from shakeproof.scoring.score_table import ScoreTable
from shakeproof.stats.observations import Vector
from shakeproof.stats.rows import TIE


class Lead(NamedTuple):
    """A text worth a try, and where it stands."""

    trial: Trial
    score_key: ScoreKey
    pick: Pick


class Suspect(NamedTuple):
    """A row, and how far beyond its limits it is with all edits made."""

    harm: float
    score_key: ScoreKey
    pick: Pick


def leads(score_table: ScoreTable, item: Item, most: int) -> list[Lead]:
    """Take those texts, up to so many, on which all edits of the highest level do most."""
    standard = standard_of(score_table, item)
    suspects = [
        one
        for score_key in highest(item)
        for one in _suspects(score_table, score_key, item, standard)
    ]
    suspects.sort(key=lambda one: -one.harm)
    found = []
    for _, score_key, pick in suspects[:most]:
        trial = trial_for(score_table, score_key, pick, standard)
        if trial is not None and trial.changes:
            found.append(Lead(trial, score_key, pick))
    return found


def _suspects(
    score_table: ScoreTable, score_key: ScoreKey, item: Item, standard: Standard | None
) -> Iterator[Suspect]:
    if standard is not None:
        return _moved(score_table, score_key, standard)
    return _turned(score_table, score_key) if item.check.expect.correlational else iter(())


def _moved(score_table: ScoreTable, score_key: ScoreKey, standard: Standard) -> Iterator[Suspect]:
    """List the changed texts."""
    rise = score_table.scores(score_key) - score_table.scores((score_key[0], CLEAN))
    harm = standard.beyond(np.where(score_table.changed(score_key[1]), rise, np.nan))
    for row in _finite(harm):
        yield Suspect(float(harm[row]), score_key, Pick(row))


def _turned(score_table: ScoreTable, score_key: ScoreKey) -> Iterator[Suspect]:
    """List the judged pairs that the metric has right on the clean texts."""
    better, worse = judged_pairs(score_table.candidates).T
    clean, noisy = score_table.scores((score_key[0], CLEAN)), score_table.scores(score_key)
    right = score_table.changed(score_key[1])[better] & (clean[better] - clean[worse] > TIE)
    harm = np.where(right, noisy[worse] - noisy[better], np.nan)
    for pair in _finite(harm):
        row, rival = int(better[pair]), int(worse[pair])
        number, position = place_of(score_table.candidates, rival)
        text = score_table.plan.segments[number].candidates[position].text
        yield Suspect(
            float(harm[pair]), score_key, Pick(row, f"no longer ahead of the worse {text!r}", rival)
        )


def _finite(harm: Vector) -> list[int]:
    found: list[int] = np.flatnonzero(np.isfinite(harm)).tolist()
    return found
