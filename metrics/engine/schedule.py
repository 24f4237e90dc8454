"""Chunks of work that are handed to an executor, and what becomes of their scores."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from shakeproof.metrics.engine.answers import Asking
from shakeproof.metrics.engine.executors.protocol import Completed, Executor
from shakeproof.metrics.engine.jobs import Job, Work, jobs
from shakeproof.metrics.engine.known import KnownScores
from shakeproof.metrics.engine.retries import Retries
from shakeproof.metrics.failures import RatingFailed
from shakeproof.metrics.protocols import ScoreColumn, Scorer, Texts

LOG = logging.getLogger(__name__)
ASKED_TOGETHER = 4_000  # questions of a scorer that asks a service; fewer leave it idle at times


@dataclass(frozen=True, slots=True)
class Chunk:
    """A job for one worker, and how many scores of each scorer were asked for."""

    job: Job
    wanted: Mapping[str, int]  # by signature

    @property
    def name(self) -> str:
        """Return the signatures of its scorers."""
        return ", ".join(scorer.signature for scorer in self.job.scorers)


class Schedule:
    """Hands out chunks, stores their scores, and rates chunks that fail again in parts."""

    def __init__(self, known: KnownScores, executor: Executor) -> None:
        self.executor = executor
        self._known = known
        self._retries = Retries(self._rate_now)
        self._chunks: Iterator[Chunk] = iter(())
        self._sent: dict[int, Chunk] = {}  # by ticket
        self._answers: dict[int, Completed | None] = {}  # of urgent parts, by ticket
        self._failed: deque[tuple[Chunk, RatingFailed]] = deque()
        self._pending: dict[str, set[Texts]] = {}  # tuples that were handed out, by signature
        self._report: Callable[[Chunk, int], None] = lambda *_: None

    def run(self, work: Iterable[Work], report: Callable[[Chunk, int], None]) -> None:
        """Rate and store everything; `report` is told each chunk and how many scores are new."""
        self._chunks, self._report = self._split(work), report
        try:
            self._hand_out()
            while self._sent or self._failed:
                if self._failed:
                    self._rate_again(*self._failed.popleft())
                else:
                    self._take()
                if not self._failed:  # after it, their scorer may be given up
                    self._hand_out()
        finally:  # after an interrupt nothing of this run may be taken for the next one's
            self._sent, self._answers, self._pending = {}, {}, {}
            self._failed.clear()

    def _split(self, work: Iterable[Work]) -> Iterator[Chunk]:
        """Make chunks of work whose tuples were not handed out before."""
        for missing in gather_questions(work):
            new = {
                signature: (scorer, tuples if not pending else without(tuples, pending))
                for signature, (scorer, tuples) in missing.items()
                for pending in [self._pending.get(signature)]
            }
            new = {signature: entry for signature, entry in new.items() if entry[1]}
            wanted = {signature: set(tuples) for signature, (_, tuples) in new.items()}
            for signature, asked in wanted.items():
                self._pending.setdefault(signature, set()).update(asked)
            for job in jobs(new):
                for part in self._parts(job):
                    names = [scorer.signature for scorer in job.scorers]
                    yield Chunk(part, {name: count(part.tuples, wanted[name]) for name in names})

    def _parts(self, job: Job) -> Iterator[Job]:
        """Split a job into parts of the size that the executor asks for, each when it is needed."""
        rest = job.tuples
        while rest:
            asks = isinstance(job.scorers[0], Asking)
            size = part_length(rest, None if asks else self.executor.chunk_characters(job))
            yield Job(job.scorers, rest[:size])
            rest = rest[size:]

    def _hand_out(self) -> None:
        """Give the executor chunks as long as it has room."""
        while self.executor.room > 0:
            chunk = next(self._chunks, None)
            if chunk is None:
                return
            if not self._given_up(chunk):
                self._report(chunk, 0)
                self._sent[self.executor.submit(chunk.job)] = chunk

    def _given_up(self, chunk: Chunk) -> bool:
        return all(self._known.has_given_up(scorer.signature) for scorer in chunk.job.scorers)

    def _take(self) -> None:
        """Wait for completed chunks; store their scores, and note those that failed."""
        for completed in self.executor.completed():
            if completed.ticket in self._answers:
                self._answers[completed.ticket] = completed
                continue
            chunk = self._sent.pop(completed.ticket)
            if completed.failed is None:
                self._retries.note_success(chunk.job)
                self._store(chunk, completed.columns)
            elif len(chunk.job.scorers) == 1:
                self._failed.append((chunk, completed.failed))
            else:
                self._rate_alone(chunk, completed.failed)

    def _rate_alone(self, chunk: Chunk, failed: RatingFailed) -> None:
        """Run each scorer of a group that failed alone, to find the one that fails."""
        LOG.debug("a group of scorers failed", exc_info=failed)
        for scorer in reversed(chunk.job.scorers):  # the last one that is urgent is the first
            part = Chunk(
                Job((scorer,), chunk.job.tuples),
                {scorer.signature: chunk.wanted[scorer.signature]},
            )
            self._sent[self.executor.submit(part.job, urgent=True)] = part

    def _rate_again(self, chunk: Chunk, failed: RatingFailed) -> None:
        """Rate a chunk that failed in parts; tuples that fail alone have no score."""
        try:
            self._store(chunk, [self._retries.rate_parts(chunk.job, failed)])
        except RatingFailed as again:
            self._known.give_up(chunk.job, again)
            self._end(chunk)

    def _rate_now(self, job: Job) -> Sequence[ScoreColumn]:
        """Rate a part of a chunk, while other chunks go on."""
        ticket = self.executor.submit(job, urgent=True)
        self._answers[ticket] = None
        while (completed := self._answers[ticket]) is None:
            self._hand_out()
            self._take()
        del self._answers[ticket]
        if completed.failed is not None:
            raise completed.failed
        return completed.columns

    def _store(self, chunk: Chunk, columns: Sequence[ScoreColumn]) -> None:
        self._known.store(chunk.job, columns)
        self._end(chunk)

    def _end(self, chunk: Chunk) -> None:
        """Note that a chunk is no longer pending, and report it."""
        for signature in chunk.wanted:
            self._pending.get(signature, set()).difference_update(chunk.job.tuples)
        self._report(chunk, sum(chunk.wanted.values()))


def gather_questions(work: Iterable[Work]) -> Iterator[Work]:
    """Hold back what scorers ask until it is enough to ask much at once, or all there is."""
    waiting: dict[str, tuple[Scorer, dict[Texts, None]]] = {}
    for block in work:
        ready: dict[str, tuple[Scorer, Sequence[Texts]]] = {}
        for signature, (scorer, tuples) in block.items():
            if not isinstance(scorer, Asking):
                ready[signature] = scorer, tuples
                continue
            _, questions = waiting.setdefault(signature, (scorer, {}))
            questions.update(dict.fromkeys(tuples))
            if len(questions) >= ASKED_TOGETHER:
                ready[signature] = scorer, tuple(waiting.pop(signature)[1])
        yield ready
    yield {signature: (scorer, tuple(rest)) for signature, (scorer, rest) in waiting.items()}


def without(tuples: Sequence[Texts], pending: set[Texts]) -> list[Texts]:
    """Return the tuples that are not pending."""
    return [texts for texts in tuples if texts not in pending]


def count(tuples: Sequence[Texts], wanted: set[Texts]) -> int:
    """Count the tuples that are wanted."""
    return sum(texts in wanted for texts in tuples)


def part_length(tuples: Sequence[Texts], characters: int | None) -> int:
    """Count the first tuples that have up to so many characters together, at least one."""
    if characters is None:
        return len(tuples)
    ends = accumulate(sum(map(len, texts)) for texts in tuples)
    return max(1, next((at for at, end in enumerate(ends) if end > characters), len(tuples)))
