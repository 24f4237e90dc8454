"""A second opinion on the fewest edits from Hypothesis, for those who have it installed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace

from shakeproof.evidence.search.rounds import Counterexample, Rater, Reading
from shakeproof.evidence.search.shrinking import Subset

LEAST = 3  # every edit was rated alone, so fewer than two cannot be


def polished(found: Counterexample, rater: Rater, room: int) -> Counterexample:
    """Let Hypothesis shrink the whole set of edits its own way; keep what is smaller.

    It draws without chance and remembers nothing, so the same texts give the same answer. It asks
    for one set after the other, up to `room` scores.
    """
    if len(found.edits) < LEAST:
        return found
    known: dict[Subset, Reading] = {}
    cost = len(found.trial.positions)

    def breaks(mask: Sequence[bool]) -> bool:
        edits = frozenset(number for number, chosen in enumerate(mask) if chosen)
        if edits not in known:
            if not edits or (len(known) + 1) * cost > room:
                return False
            ((known[edits],),) = rater.read([(found.trial, [edits])])
        return known[edits].beyond > 0

    _look(len(found.trial.changes), breaks)
    smaller = [one for one, reading in known.items() if reading.beyond > 0]
    best = min([found.edits, *smaller], key=len)
    scores = found.scores if best == found.edits else known[best].scores
    return replace(found, edits=best, scores=scores, calls=found.calls + len(known) * cost)


def _look(count: int, breaks: Callable[[Sequence[bool]], bool]) -> None:
    """Run Hypothesis over sets of edits, each told by which of them are chosen."""
    from hypothesis import HealthCheck, Phase, find, settings
    from hypothesis import strategies as st
    from hypothesis.errors import NoSuchExample

    quiet = settings(
        derandomize=True,
        database=None,
        deadline=None,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )
    masks = st.lists(st.booleans(), min_size=count, max_size=count)
    with suppress(NoSuchExample):
        find(masks, breaks, settings=quiet)
