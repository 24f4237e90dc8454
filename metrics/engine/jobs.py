"""The work of a run as plain data: which tuples of texts each scorer still has to rate."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TypeAlias

import numpy as np

from shakeproof.metrics.engine.calls import wrong_length
from shakeproof.metrics.failures import as_score
from shakeproof.metrics.models.runtime import half_precision_failures
from shakeproof.metrics.protocols import (
    ColumnScorer,
    MetricInput,
    ScoreColumn,
    Scorer,
    SharedScorer,
    Texts,
    column_of,
    column_with,
)

Work: TypeAlias = Mapping[str, tuple[Scorer, Sequence[Texts]]]  # by signature

MIN_SHARED = 0.5  # a scorer joins a job of its group if it needs this share of the job's texts


@dataclass(frozen=True, slots=True)
class Job:
    """Tuples of texts, and the scorers that rate all of them; several scorers are one group."""

    scorers: tuple[Scorer, ...]
    tuples: tuple[Texts, ...]


def score(job: Job) -> tuple[ScoreColumn, ...]:
    """Rate every tuple with every scorer, and return a column for each scorer."""
    first = job.scorers[0]
    if isinstance(first, ColumnScorer):
        column = first.score_column(job.tuples)
        _check_length(len(column.scores), job)
        return (column,)
    if isinstance(first, SharedScorer):
        matrix = np.asarray(first.score_together(job.scorers, job.tuples), dtype=float)
    else:
        scores = np.asarray(first.score(job.tuples))
        if scores.dtype.kind not in "fiu":  # of a user's scorer; NumPy would convert texts
            _check_length(len(scores), job)
            return (column_of(map(as_score, scores.tolist())),)
        matrix = scores.astype(float).reshape(-1, 1)
    _check_length(matrix.shape[0], job)
    return tuple(
        column_with(column, half_precision_failures(scorer, column))
        for scorer, column in zip(job.scorers, matrix.T, strict=True)
    )


def _check_length(scores: int, job: Job) -> None:
    if scores != len(job.tuples):
        raise wrong_length(scores, len(job.tuples))


def blocks(
    segments: Iterable[Sequence[MetricInput]], characters: int
) -> Iterator[list[MetricInput]]:
    """Gather whole segments into blocks of up to so many characters of distinct texts."""
    block: list[MetricInput] = []
    size = 0
    for inputs in segments:
        added = _count_characters(inputs)
        if block and size + added > characters:
            yield block
            block, size = [], 0
        block.extend(inputs)
        size += added
    if block:
        yield block


def _count_characters(inputs: Sequence[MetricInput]) -> int:
    unique = {id(instance): instance for _, instance in inputs}  # metrics share their instances
    texts = {text for i in unique.values() for text in (i.candidate, *i.references)}
    texts |= {i.source for i in unique.values() if i.source is not None}
    return sum(map(len, texts))


def collect(inputs: Iterable[MetricInput]) -> Work:
    """List for each scorer the distinct tuples that metrics need of it, in order."""
    work: dict[str, tuple[Scorer, dict[Texts, None]]] = {}
    seen: dict[int, tuple[Scorer, dict[Texts, None]]] = {}  # so that signatures are read once
    for metric, instance in inputs:
        for scorer, texts in metric.needs(instance):
            if (known := seen.get(id(scorer))) is None:
                _, tuples = work.setdefault(scorer.signature, (scorer, {}))
                known = seen[id(scorer)] = (scorer, tuples)
            known[1][texts] = None
    return {signature: (scorer, tuple(tuples)) for signature, (scorer, tuples) in work.items()}


def jobs(work: Work) -> list[Job]:
    """Make jobs of the work; scorers of one group share a job if they need the same texts."""
    groups: dict[Hashable, list[Job]] = defaultdict(list)
    for signature, (scorer, tuples) in work.items():
        group = ("group", scorer.group) if isinstance(scorer, SharedScorer) else signature
        groups[group].append(Job((scorer,), tuple(tuples)))
    return list(chain.from_iterable(map(_join, groups.values())))


def _join(members: Iterable[Job]) -> list[Job]:
    """Join the jobs of one group, the largest first, unless a job would rate many texts more."""
    joined: list[Job] = []
    for job in sorted(members, key=lambda job: -len(job.tuples)):
        position = next((n for n, other in enumerate(joined) if _shares_texts(job, other)), None)
        if position is None:
            joined.append(job)
        else:
            other = joined[position]
            tuples = tuple(dict.fromkeys(other.tuples + job.tuples))
            joined[position] = Job(other.scorers + job.scorers, tuples)
    return joined


def _shares_texts(job: Job, other: Job) -> bool:
    needed, texts = (set(chain.from_iterable(one.tuples)) for one in (job, other))
    return len(needed & texts) >= MIN_SHARED * len(texts)
