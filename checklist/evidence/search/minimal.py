"""Minimal counterexamples: of the edits that broke a metric, as few as still do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from shakeproof.evidence.search.polish import polished
from shakeproof.evidence.search.rounds import Counterexample, Inquiry, Rater, pursue
from shakeproof.evidence.search.shrinking import UNITS, shrink
from shakeproof.evidence.search.trials import Trial

ROUNDS = 3  # in which all units of a text are rated, more or less


@dataclass(frozen=True, slots=True)
class Effort:
    """How hard to look for the fewest edits when a check has failed."""

    calls: int = 200  # scores for one check item; 0: do not look
    texts: int = 3  # of one check item
    polish: bool = False  # let Hypothesis look too; it must be installed
    matrices: bool = True  # compare the tokens of the worst texts, before and after


NONE = Effort(calls=0, matrices=False)


def minimised(trials: Sequence[Trial], rater: Rater, effort: Effort) -> list[Counterexample | None]:
    """Find the fewest edits for each text; None where all of them together break nothing."""
    room = effort.calls // max(1, min(effort.texts, len(trials)))
    broken = [one for one in trials[: effort.texts] if one.changes and one.beyond(one.whole) > 0]
    units = min(UNITS, max(2, room // ROUNDS))
    found = pursue([Inquiry(one, shrink(len(one.changes), units), room) for one in broken], rater)
    if effort.polish:
        found = [polished(one, rater, room - one.calls) for one in found]
    by_trial = {id(one.trial): one for one in found}
    return [by_trial.get(id(trial)) for trial in trials]
