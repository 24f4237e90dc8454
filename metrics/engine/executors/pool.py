"""Shares chunks out among workers: two at a time for each, and again if a worker ends."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import count
from warnings import warn

from shakeproof.metrics.engine.executors.canaries import Canary, difference, make_canary
from shakeproof.metrics.engine.executors.chunk_sizes import ChunkSizes, Key, key_of
from shakeproof.metrics.engine.executors.protocol import Completed, rated_here
from shakeproof.metrics.engine.executors.rating import columns_of, to_request
from shakeproof.metrics.engine.executors.recipes import Plain, Source
from shakeproof.metrics.engine.executors.workers import (
    Answer,
    Ended,
    Event,
    Workers,
    WorkersFailed,
)
from shakeproof.metrics.engine.jobs import Job
from shakeproof.metrics.failures import Failure, RatingFailed
from shakeproof.metrics.protocols import ScoreColumn

IN_FLIGHT = 2  # chunks that a worker has: it rates one while the next one waits
MAX_DEATHS = 3  # workers that a chunk may end before it is split to find the text that does it
MAX_FAILED_STARTS = 3  # in a row


class WorkerWarning(UserWarning):
    """Something about workers that the user should know; the run goes on."""


@dataclass(eq=False, slots=True)
class _Task:
    """A chunk, and how many workers ended while they rated it."""

    ticket: int
    job: Job
    request: Plain
    max_deaths: int = MAX_DEATHS
    deaths: int = 0
    canary: bool = False
    key: Key = field(init=False)

    def __post_init__(self) -> None:
        self.key = key_of(self.job)


@dataclass(eq=False, slots=True)
class _Worker:
    """What a worker is doing, and which scorers it may rate with."""

    number: int
    started: bool = False
    tasks: deque[_Task] = field(default_factory=deque)  # in the order of sending
    held: list[tuple[_Task, list[ScoreColumn]]] = field(default_factory=list)
    proven: set[Key] = field(default_factory=set)  # it rates canaries as the others do
    refused: set[Key] = field(default_factory=set)

    @property
    def has_room(self) -> bool:
        return len(self.tasks) < IN_FLIGHT


class WorkerPool:
    """An executor whose chunks are rated by workers, which are started when they are needed."""

    def __init__(self, workers: Workers, sources: Mapping[str, Source]) -> None:
        self._workers = workers
        self._sources = sources
        self._running: dict[int, _Worker] = {}
        self._queue: deque[_Task] = deque()
        self._here: deque[tuple[int, Job]] = deque()  # what no worker can rate
        self._results: list[Completed] = []
        self._sizes = ChunkSizes()
        self._canaries: dict[Key, Canary] = {}
        self._canary_deaths: Counter[Key] = Counter()
        self._failed_starts = 0
        self._refused = False  # some worker was refused for some scorer
        self._warned: set[str] = set()
        self._tickets, self._numbers = count(), count()

    @property
    def workers(self) -> int:
        return sum(worker.started for worker in self._running.values())

    @property
    def room(self) -> int:
        busy = sum(len(worker.tasks) + len(worker.held) for worker in self._running.values())
        return IN_FLIGHT * self._workers.size - busy - len(self._queue) - len(self._here)

    def chunk_characters(self, job: Job) -> int | None:
        return self._sizes.characters(job)

    def submit(self, job: Job, *, urgent: bool = False) -> int:
        ticket = next(self._tickets)
        sources = [self._sources.get(scorer.signature) for scorer in job.scorers]
        known = [source for source in sources if source is not None]
        if len(known) < len(sources):
            self._here.append((ticket, job))
            return ticket
        max_deaths = 1 if urgent and len(job.tuples) > 1 else MAX_DEATHS  # else it is split anyway
        task = _Task(ticket, job, to_request(job, known), max_deaths)
        self._queue.appendleft(task) if urgent else self._queue.append(task)
        self._assign()
        return ticket

    def completed(self) -> list[Completed]:
        while not self._results:
            self._assign()
            if self._here:
                self._results.append(rated_here(*self._here.popleft()))
                break
            for event in self._workers.receive():
                self._take(event)
        results, self._results = self._results, []
        return results

    def close(self) -> None:
        self._running.clear()
        self._queue.clear()
        self._workers.close()

    def _assign(self) -> None:
        """Send waiting chunks to the started workers that have the least to do.

        One that has not started gets none: a cluster may have no place for it for a long time.
        """
        self._start_more()
        free = [one for one in self._running.values() if one.started and one.has_room]
        waiting: list[_Task] = []
        while self._queue and (free or self._refused):
            task = self._queue.popleft()
            able = [one for one in free if task.key not in one.refused]
            if able:
                worker = min(able, key=lambda one: len(one.tasks))
                self._send(worker, task)
                free = [one for one in free if one.has_room]
            elif self._is_refused_everywhere(task):
                self._here.append((task.ticket, task.job))
            else:
                waiting.append(task)
        self._queue.extendleft(reversed(waiting))

    def _start_more(self) -> None:
        """Start a worker for each chunk that no idle worker will take."""
        idle = sum(not worker.tasks for worker in self._running.values())
        wanted = min(len(self._queue) - idle, self._workers.size - len(self._running))
        if self._refused and any(map(self._is_refused_everywhere, self._queue)):
            wanted = max(wanted, min(1, self._workers.size - len(self._running)))
        for _ in range(wanted):
            worker = _Worker(next(self._numbers))
            self._running[worker.number] = worker
            self._workers.start(worker.number)

    def _is_refused_everywhere(self, task: _Task) -> bool:
        """Return whether no worker may rate a chunk."""
        return all(task.key in worker.refused for worker in self._running.values())

    def _send(self, worker: _Worker, task: _Task) -> None:
        worker.tasks.append(task)
        self._workers.send(worker.number, task.ticket, task.request)

    def _take(self, event: Event) -> None:
        worker = self._running.get(event.worker)
        if worker is None:  # of one that was given up
            return
        if isinstance(event, Ended):
            self._lose(worker, event.reason)
            return
        worker.started, self._failed_starts = True, 0
        if isinstance(event, Answer):
            task = next(task for task in worker.tasks if task.ticket == event.number)
            worker.tasks.remove(task)
            self._take_answer(worker, task, event.content)

    def _take_answer(self, worker: _Worker, task: _Task, answer: Plain) -> None:
        """Deliver scores if the worker has shown that it rates as the others do."""
        if "cannot build" in answer:
            self._refuse(worker, task, answer["cannot build"])
            return
        try:
            columns = columns_of(answer)
        except RatingFailed as failed:
            others_can = task.key in self._canaries and task.key not in worker.proven
            if task.canary or (failed.permanent and others_can):
                self._refuse(worker, task, failed.failure.reason)
            else:
                self._results.append(Completed(task.ticket, failed=failed))
            return
        if task.canary:
            self._compare(worker, task, columns)
        else:
            self._sizes.note(task.job, answer["seconds"])
            self._take_columns(worker, task, columns)

    def _take_columns(self, worker: _Worker, task: _Task, columns: list[ScoreColumn]) -> None:
        if task.key not in self._canaries and (canary := make_canary(task.job, columns)):
            self._canaries[task.key] = canary
            worker.proven.add(task.key)
        if task.key in worker.proven or task.key not in self._canaries:
            self._results.append(Completed(task.ticket, columns))
            return
        waits = any(held.key == task.key for held, _ in worker.held)
        worker.held.append((task, columns))
        if not waits:
            job = Job(task.job.scorers, self._canaries[task.key].tuples)
            known = [self._sources[signature] for signature in task.key]
            request = to_request(job, known)
            self._send(worker, _Task(next(self._tickets), job, request, canary=True))

    def _compare(self, worker: _Worker, task: _Task, columns: list[ScoreColumn]) -> None:
        """Let a worker's scores count if it rates the canaries as the first worker did."""
        if reason := difference(self._canaries[task.key], columns, task.key):
            self._refuse(worker, task, reason)
            return
        worker.proven.add(task.key)
        for held, scores in self._release(worker, task.key):
            self._results.append(Completed(held.ticket, scores))

    def _refuse(self, worker: _Worker, task: _Task, reason: str) -> None:
        """Give a worker no more chunks of these scorers; others rate those that it has rated."""
        worker.refused.add(task.key)
        self._refused = True
        tasks = [held for held, _ in self._release(worker, task.key)]
        self._queue.extendleft(reversed(tasks if task.canary else [task, *tasks]))
        name = " ".join(task.key[0].split("|")[:2])
        self._warn(f"a worker is not used for {name}: {reason}")

    def _release(self, worker: _Worker, key: Key) -> list[tuple[_Task, list[ScoreColumn]]]:
        released = [entry for entry in worker.held if entry[0].key == key]
        worker.held = [entry for entry in worker.held if entry[0].key != key]
        return released

    def _lose(self, worker: _Worker, reason: str) -> None:
        """Send the chunks of a worker that ended again; the first of them may have ended it."""
        del self._running[worker.number]
        self._workers.end(worker.number)
        lost = [task for task in worker.tasks if not task.canary]
        if not worker.started:
            self._failed_starts += 1
            if self._failed_starts >= MAX_FAILED_STARTS:
                raise WorkersFailed(f"no worker starts: {reason}")
        elif worker.tasks and worker.tasks[0].canary:
            self._lose_canary(worker.tasks[0].key)
        elif worker.tasks:
            lost[0].deaths += 1
            if lost[0].deaths >= lost[0].max_deaths:
                failed = RatingFailed(Failure(reason))
                self._results.append(Completed(lost.pop(0).ticket, failed=failed))
        self._queue.extendleft(reversed([*(held for held, _ in worker.held), *lost]))

    def _lose_canary(self, key: Key) -> None:
        """Choose other canaries if these end one worker after the other."""
        self._canary_deaths[key] += 1
        if self._canary_deaths[key] % MAX_DEATHS == 0:
            self._canaries.pop(key, None)

    def _warn(self, message: str) -> None:
        if message not in self._warned:
            self._warned.add(message)
            warn(WorkerWarning(message), stacklevel=2)
