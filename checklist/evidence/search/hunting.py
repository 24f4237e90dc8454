"""A hunt through many texts for one that few edits break."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from shakeproof.evidence.search.rounds import Counterexample, Inquiry, Lot, Rater, Reading, pursue
from shakeproof.evidence.search.shrinking import Subset, thin
from shakeproof.evidence.search.trials import Scores, Trial

SINGLES = 48  # edits of one text that are rated one by one


@dataclass(frozen=True, slots=True)
class Hunt:
    """What a hunt came to, and how hard it looked."""

    found: Counterexample | None
    furthest: tuple[Trial, Scores] | None  # that so few edits came; None: nothing was tried
    texts: int
    calls: int


@dataclass(slots=True)
class Diary:
    """All that was rated so far, by text."""

    rater: Rater
    calls: int = 0
    pages: list[tuple[Trial, dict[Subset, Reading]]] = field(default_factory=list)

    def rate(self, lots: Sequence[Lot]) -> list[dict[Subset, Reading]]:
        """Rate sets of edits of several texts together, and write down what they did."""
        found = [
            dict(zip(subsets, readings, strict=True))
            for (_, subsets), readings in zip(lots, self.rater.read(lots), strict=True)
        ]
        self.calls += sum(len(subsets) * len(trial.positions) for trial, subsets in lots)
        self.pages += [(trial, page) for (trial, _), page in zip(lots, found, strict=True)]
        return found

    def entries(self) -> Iterator[tuple[Trial, Subset, Reading]]:
        """List everything that was rated, in order."""
        for trial, page in self.pages:
            yield from ((trial, edits, reading) for edits, reading in page.items())

    @property
    def breaking(self) -> tuple[Trial, Subset, Reading] | None:
        """Pick the fewest edits that break a text, of these the most harmful."""
        broken = (entry for entry in self.entries() if entry[2].beyond > 0)
        return min(broken, key=lambda one: (len(one[1]), -one[2].beyond), default=None)


def hunt(trials: Sequence[Trial], rater: Rater, *, most: int, calls: int) -> Hunt:
    """Rate the edits of the most promising texts one by one, then pile up those that do most.

    Each wave takes up to half of the calls that are left, so that few rounds are needed and what
    is found early costs little.
    """
    diary = Diary(rater)
    small = [one for one in trials if len(one.changes) <= most]
    diary.pages += [(one, {one.everything: _whole(one)}) for one in small]
    waiting = sorted(trials, key=lambda one: -one.guess(most))
    while diary.breaking is None:
        wave, waiting = _take(waiting, calls - diary.calls, most)
        if not wave:
            break
        alone = diary.rate([(one, singles(one)) for one in wave])
        if diary.breaking is None:
            piled = [piles(page, most) for page in alone]
            diary.rate([lot for lot in zip(wave, piled, strict=True) if lot[1]])
    return _concluded(diary, calls)


def _whole(trial: Trial) -> Reading:
    return Reading(trial.beyond(trial.whole), trial.whole)


def _take(waiting: Sequence[Trial], left: int, most: int) -> tuple[list[Trial], list[Trial]]:
    """Take texts in order, as many as half of the calls allow and at least one that fits."""
    wave: list[Trial] = []
    rest: list[Trial] = []
    spent = 0
    for trial in waiting:
        cost = _cost(trial, most)
        if spent + cost <= (left / 2 if wave else left):
            wave.append(trial)
            spent += cost
        else:
            rest.append(trial)
    return wave, rest


def _cost(trial: Trial, most: int) -> int:
    count = len(singles(trial))
    return (count + max(min(most, count) - 1, 0)) * len(trial.positions)


def singles(trial: Trial) -> list[Subset]:
    """List the edits of a text one by one; of very many, some from all over the text."""
    count = len(trial.changes)
    step = max(1.0, count / SINGLES)
    return [frozenset({int(number * step)}) for number in range(min(count, SINGLES))]


def piles(alone: dict[Subset, Reading], most: int) -> list[Subset]:
    """Put the most harmful edit and the next ones together, up to `most` of them."""
    ranked = sorted(alone, key=lambda edits: -alone[edits].beyond)
    sizes = range(2, min(most, len(ranked)) + 1)
    return [frozenset[int]().union(*ranked[:size]) for size in sizes]


def _concluded(diary: Diary, calls: int) -> Hunt:
    furthest = max(diary.entries(), key=lambda one: one[2].beyond, default=None)
    texts = len({id(trial) for trial, _ in diary.pages})
    nearest = furthest and (furthest[0], furthest[2].scores)
    if diary.breaking is None:
        return Hunt(None, nearest, texts, diary.calls)
    trial, edits, _ = diary.breaking
    inquiry = Inquiry(trial, thin(edits), calls - diary.calls)
    for other, page in diary.pages:
        inquiry.known |= page if other is trial else {}
    (found,) = pursue([inquiry], diary.rater)
    spent = diary.calls + found.calls
    return Hunt(replace(found, calls=spent), nearest, texts, spent)
