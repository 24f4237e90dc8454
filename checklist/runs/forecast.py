"""What a run would take and what its data can show, before any model is loaded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from shakeproof.errors import SpecError
from shakeproof.expectations import Evaluation
from shakeproof.expectations.assess import assess
from shakeproof.metrics.engine.cache import Cache, key
from shakeproof.metrics.engine.engine import BLOCK_CHARACTERS, Engine, MissingScores
from shakeproof.metrics.engine.jobs import blocks, collect
from shakeproof.metrics.protocols import MetricInput
from shakeproof.plan.items import Item, Plan
from shakeproof.plan.perturbed import CLEAN
from shakeproof.scoring.score_table import ScoreTable
from shakeproof.scoring.step import wanted_ratings
from shakeproof.scoring.tuning import tune
from shakeproof.stats.observations import Candidates, Mask
from shakeproof.stats.power import detectable, influence_se


@dataclass(frozen=True, slots=True)
class Tally:
    """The unique tuples that one scorer must rate, and how many of them are known."""

    signature: str
    tuples: int
    known: int

    @property
    def lacking(self) -> int:
        """Count what is still to be scored."""
        return self.tuples - self.known


@dataclass(frozen=True, slots=True)
class Smallest:
    """The smallest effect beyond its bound that an item would show in 4 of 5 cases."""

    item: Item
    low: float | None  # None: nothing can be said before scoring
    high: float | None = None  # a range is a guess

    @property
    def guessed(self) -> bool:
        """Say whether this is a range that other data showed, not these."""
        return self.high is not None


@dataclass(frozen=True, slots=True)
class Forecast:
    """A run before it is run."""

    plan: Plan
    tallies: tuple[Tally, ...]
    smallest: tuple[Smallest, ...]

    @property
    def lacking(self) -> int:
        """Count the tuples still to be scored."""
        return sum(tally.lacking for tally in self.tallies)

    def seconds(self, rates: Mapping[str, float]) -> float | None:
        """Say how long scoring will take at known rates; nothing if one is unknown."""
        wanting = [tally for tally in self.tallies if tally.lacking]
        if any(not rates.get(tally.signature) for tally in wanting):
            return None
        return sum(tally.lacking / rates[tally.signature] for tally in wanting)


def forecast(plan: Plan, cache: Cache) -> Forecast:
    """Count the work, and read from known scores what the data can show."""
    engine = Engine(cache)
    score_table = ScoreTable(plan, engine)
    tallies = tuple(tally(wanted_ratings(score_table, plan.items), cache))
    score_table = score_table.with_findings(tune(score_table, plan.items))
    return Forecast(plan, tallies, tuple(_smallest(score_table, item) for item in plan.items))


def tally(segments: Iterable[Sequence[MetricInput]], cache: Cache) -> Iterator[Tally]:
    """Count the unique tuples of each scorer, and those that the cache knows."""
    tuples: dict[str, set[bytes]] = {}
    known: dict[str, set[bytes]] = {}
    for block in blocks(segments, BLOCK_CHARACTERS):
        for signature, (_, texts) in collect(block).items():
            keys = [key(one) for one in texts]
            _, found = cache.get_many(signature, texts)
            tuples.setdefault(signature, set()).update(keys)
            hits = (one for one, hit in zip(keys, found, strict=True) if hit)
            known.setdefault(signature, set()).update(hits)
    for signature, keys_of in tuples.items():
        yield Tally(signature, len(keys_of), len(known[signature]))


def _smallest(score_table: ScoreTable, item: Item) -> Smallest:
    plan, failures = score_table.plan, score_table.plan.failures
    if item.check.expect.evaluation is not Evaluation.STATISTIC:
        return Smallest(item, None)  # no interval, or one that needs more than these scores
    if any(name in failures for name, _ in item.score_keys):
        return _guess(score_table, item)
    try:
        observed = score_table.observe(item.score_keys)
    except (MissingScores, SpecError):
        return _guess(score_table, item)
    influence = assess(item.check.expect, item.compared, observed, draws=0).influence
    if len(influence) < 2:
        return Smallest(item, None)
    se = influence_se(influence)
    return Smallest(item, detectable(se, plan.checklist.confidence) if np.isfinite(se) else None)


def _guess(score_table: ScoreTable, item: Item) -> Smallest:
    """Take the range that such effects were seen in on other data."""
    candidates = score_table.candidates
    noisy = [one for _, one in item.score_keys if one != CLEAN and not one.first]
    changed = min(
        (_changed(candidates, score_table.changed(one)) for one in noisy),
        default=candidates.segments,
    )
    errors = item.check.expect.guess_standard_error(candidates, changed)
    if errors is None:
        return Smallest(item, None)
    return Smallest(item, *(detectable(se, score_table.plan.checklist.confidence) for se in errors))


def _changed(candidates: Candidates, rows: Mask) -> int:
    return len(np.unique(candidates.segment[rows]))
