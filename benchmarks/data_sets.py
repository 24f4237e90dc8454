"""Data sets drawn with replacement from a population."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from populations import Population

from shakeproof.stats.observations import Candidates, Ints, Observations


@dataclass(frozen=True, slots=True)
class Draws:
    """Data sets drawn from a population with replacement."""

    population: Population
    units: int  # segments, or documents, of each data set

    def choose(self, sets: int, seed: int) -> Iterator[Ints]:
        """Choose the segments, or documents, of each data set."""
        rng = np.random.default_rng((seed, self.units))
        units = len(np.unique(self.population.clusters))
        for _ in range(sets):
            yield rng.integers(0, units, self.units)

    def generate(self, sets: int, seed: int) -> Iterator[Observations]:
        """Draw data sets."""
        _, clusters = np.unique(self.population.clusters, return_inverse=True)
        order = np.argsort(clusters, kind="stable")
        sizes = np.bincount(clusters)
        starts = np.cumsum(sizes) - sizes
        for chosen in self.choose(sets, seed):
            segments = order[ranges(starts[chosen], sizes[chosen])]
            documents = np.repeat(np.arange(self.units), sizes[chosen])
            yield take(self.population.observed, segments, documents)


def ranges(starts: Ints, sizes: Ints) -> Ints:
    """Concatenate the ranges that begin at `starts`."""
    ends = np.cumsum(sizes)
    return np.arange(int(sizes.sum())) + np.repeat(starts - (ends - sizes), sizes)


def take(observed: Observations, segments: Ints, documents: Ints) -> Observations:
    """Take segments, some of them several times, as segments of their own."""
    candidates = observed.candidates
    sizes = np.bincount(candidates.segment, minlength=candidates.segments)
    starts = np.cumsum(sizes) - sizes
    rows = ranges(starts[segments], sizes[segments])
    members = candidates.members
    if members is not None and len(members):
        members = np.stack([np.arange(len(rows)), members[rows, 1]], axis=1)
    taken = replace(
        candidates,
        segments=len(segments),
        segment=np.repeat(np.arange(len(segments)), sizes[segments]),
        rating=candidates.rating[rows],
        pairs=take_pairs(candidates, segments, sizes),
        group=candidates.group[segments],
        ids=tuple(map(str, range(len(segments)))),
        members=members,
        cluster=None if candidates.cluster is None else documents,
        added=None,
        ratings={aspect: ratings[rows] for aspect, ratings in candidates.ratings.items()},
    )
    return Observations(
        taken,
        {key: scores[rows] for key, scores in observed.scores.items()},
        {key: changed[rows] for key, changed in observed.changed.items()},
    )


def take_pairs(candidates: Candidates, segments: Ints, sizes: Ints) -> Ints:
    """Renumber the preferences of the segments that were taken."""
    if not len(candidates.pairs):
        return candidates.pairs
    owner = candidates.segment[candidates.pairs[:, 0]]
    counts = np.bincount(owner, minlength=candidates.segments)
    first = np.cumsum(counts) - counts
    pairs = candidates.pairs[np.argsort(owner, kind="stable")]
    chosen = pairs[ranges(first[segments], counts[segments])]
    before = np.cumsum(sizes) - sizes
    now = np.cumsum(sizes[segments]) - sizes[segments]
    shift: Ints = np.repeat(now - before[segments], counts[segments])
    return chosen + shift[:, None]
