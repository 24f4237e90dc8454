"""The work of a run as plain data: which tuples each scorer still has to rate."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TypeAlias

import numpy as np

from shakeproof.metrics.protocols import Instance, Matrix, Metric, Scorer, SharedScorer, Texts

Rating: TypeAlias = tuple[Metric, Instance]
Work: TypeAlias = Mapping[str, tuple[Scorer, Sequence[Texts]]]  # by signature

COVERED = 0.5  # a scorer joins its company's job if it needs this share of the job's texts


@dataclass(frozen=True, slots=True)
class Job:
    """Tuples to be rated by each of some scorers; several scorers are of one company."""

    scorers: tuple[Scorer, ...]
    tuples: tuple[Texts, ...]


def score(job: Job) -> Matrix:
    """Rate every tuple with every scorer: (tuples, scorers)."""
    first = job.scorers[0]
    if isinstance(first, SharedScorer):
        scores = np.asarray(first.score_together(job.scorers, job.tuples), dtype=float)
    else:
        scores = np.asarray(first.score(job.tuples), dtype=float).reshape(-1, 1)
    if scores.shape != (len(job.tuples), len(job.scorers)):
        raise ValueError(f"{len(job.tuples)} tuples of texts got {scores.shape[0]} scores")
    return scores


def blocks(segments: Iterable[Sequence[Rating]], characters: int) -> Iterator[list[Rating]]:
    """Gather segments until their unique texts hold so many characters."""
    block: list[Rating] = []
    size = 0
    for ratings in segments:
        cost = _characters(ratings)
        if block and size + cost > characters:
            yield block
            block, size = [], 0
        block.extend(ratings)
        size += cost
    if block:
        yield block


def collect(ratings: Iterable[Rating]) -> Work:
    """Say for each scorer which unique tuples are asked of it, in order."""
    work: dict[str, tuple[Scorer, dict[Texts, None]]] = {}
    seen: dict[int, tuple[Scorer, dict[Texts, None]]] = {}  # signatures are read once per scorer
    for metric, instance in ratings:
        for scorer, texts in metric.needs(instance):
            if (known := seen.get(id(scorer))) is None:
                _, tuples = work.setdefault(scorer.signature, (scorer, {}))
                known = seen[id(scorer)] = (scorer, tuples)
            known[1][texts] = None
    return {signature: (scorer, tuple(tuples)) for signature, (scorer, tuples) in work.items()}


def jobs(work: Work) -> list[Job]:
    """Put scorers of one company together, unless that would score many texts in vain."""
    companies: dict[Hashable, list[Job]] = defaultdict(list)
    for signature, (scorer, tuples) in work.items():
        group = ("company", scorer.group) if isinstance(scorer, SharedScorer) else signature
        companies[group].append(Job((scorer,), tuple(tuples)))
    return list(chain.from_iterable(_together(members) for members in companies.values()))


def _together(members: Iterable[Job]) -> list[Job]:
    groups: list[Job] = []
    for job in sorted(members, key=lambda job: -len(job.tuples)):
        joined = next((n for n, group in enumerate(groups) if _covers(job, group)), None)
        if joined is None:
            groups.append(job)
        else:
            groups[joined] = _union(groups[joined], job)
    return groups


def _covers(job: Job, group: Job) -> bool:
    needed, texts = (set(chain.from_iterable(each.tuples)) for each in (job, group))
    return len(needed & texts) >= COVERED * len(texts)


def _union(group: Job, job: Job) -> Job:
    return Job(group.scorers + job.scorers, tuple(dict.fromkeys(group.tuples + job.tuples)))


def _characters(ratings: Sequence[Rating]) -> int:
    instances = {
        id(instance): instance for _, instance in ratings
    }.values()  # metrics share their items
    texts = {text for instance in instances for text in (instance.candidate, *instance.references)}
    texts |= {instance.source for instance in instances if instance.source is not None}
    return sum(map(len, texts))
