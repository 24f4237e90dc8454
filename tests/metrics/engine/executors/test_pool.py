"""Chunks are rated once each, whatever happens to the workers."""

from collections import Counter, deque
from dataclasses import dataclass, field
from types import SimpleNamespace

import numpy as np
import pytest

from shakeproof.metrics.engine.cache import Cache
from shakeproof.metrics.engine.engine import Engine
from shakeproof.metrics.engine.executors.chunk_sizes import (
    CHUNK_SECONDS,
    FIRST_CHARACTERS,
    ChunkSizes,
)
from shakeproof.metrics.engine.executors.pool import (
    IN_FLIGHT,
    WorkerPool,
    WorkerWarning,
)
from shakeproof.metrics.engine.executors.workers import Answer, Ended, Ready, WorkersFailed
from shakeproof.metrics.engine.jobs import Job
from shakeproof.metrics.formulas import BestReference
from shakeproof.metrics.protocols import Instance

TEXTS = ["x" * (n % 50 + 1) + str(n) for n in range(400)]


@dataclass(frozen=True)
class Lengths:
    """Rates a pair by the length of its first text; never called in the main process."""

    signature: str = "lengths|version:1"

    def score(self, tuples):
        raise AssertionError("rated in the main process")


@dataclass
class FakeWorkers:
    """Workers that answer at once, in the order of sending, and do what a test tells them to."""

    deadly: frozenset = frozenset()  # texts that end a worker
    errors: dict = field(default_factory=dict)  # worker -> what is added to its scores
    cannot_build: frozenset = frozenset()  # workers
    starts: bool = True
    killed: set = field(default_factory=set)  # numbers of answers before which a worker ends
    queue: deque = field(default_factory=deque)
    alive: set = field(default_factory=set)
    waiting: Counter = field(default_factory=Counter)
    most_waiting: int = 0
    rated: Counter = field(default_factory=Counter)
    ended: list = field(default_factory=list)
    answers: int = 0

    def start(self, worker):
        self.alive.add(worker)
        self.queue.append(Ready(worker) if self.starts else Ended(worker, "no such module"))

    def send(self, worker, number, request):
        self.waiting[worker] += 1
        self.most_waiting = max(self.most_waiting, self.waiting[worker])
        self.queue.append((worker, number, request))

    def receive(self):
        event = self.queue.popleft()
        if isinstance(event, tuple):
            event = self.answer(*event)
        return [event] if event else []

    def answer(self, worker, number, request):
        if worker not in self.alive:
            return None
        self.answers += 1
        texts = [first for first, _ in request["tuples"]]
        if self.deadly & {*texts} or self.answers in self.killed:
            self.alive.discard(worker)
            return Ended(worker, "the process ended with signal 6 (SIGABRT)")
        self.waiting[worker] -= 1
        if worker in self.cannot_build:
            return Answer(worker, number, {"cannot build": "weights:1 instead of weights:2"})
        self.rated.update(texts)
        error = self.errors.get(worker, 0.0)
        scores = np.array([len(text) + error for text in texts], dtype="<f8")
        return Answer(worker, number, {"columns": [[scores.tobytes(), {}]], "seconds": 0.1})

    def end(self, worker):
        self.alive.discard(worker)
        self.ended.append(worker)

    def close(self):
        self.alive.clear()


def rate(workers, size=3, texts=TEXTS, chunk_characters=200):
    """Rate texts with a pool; return the scores, the errors and the engine."""
    metric = BestReference(Lengths())
    workers.size = size
    pool = WorkerPool(workers, {metric.signature: (0, "lengths")})
    pool.chunk_characters = lambda job: chunk_characters
    engine = Engine(Cache())
    instances = [Instance(text, ("r",)) for text in texts]
    with engine.use(pool):
        errors = engine.fill([[(metric, instance) for instance in instances]])
    assert not workers.alive
    return engine.read(metric, instances).tolist() if not errors else None, errors, engine


def lengths(texts=TEXTS, missing=()):
    return [float("nan") if text in missing else float(len(text)) for text in texts]


def test_every_text_is_rated_once_by_workers_that_have_two_chunks_at_most():
    workers = FakeWorkers()
    scores, errors, _ = rate(workers)

    assert (scores, errors) == (lengths(), {})
    assert workers.most_waiting <= IN_FLIGHT + 1  # with the canaries
    assert sum(workers.rated.values()) <= len(TEXTS) + 2 * 4  # canaries of two more workers


def test_no_more_workers_are_started_than_there_are_chunks():
    workers = FakeWorkers()
    rate(workers, size=8, texts=TEXTS[:5], chunk_characters=10_000)

    assert workers.waiting.keys() == {0}


def test_a_chunk_whose_worker_ended_is_sent_again():
    workers = FakeWorkers(killed={2, 3, 5, 8, 9, 13, 14, 15, 20, 21})
    scores, errors, engine = rate(workers)

    assert (scores, errors) == (lengths(), {})
    assert not engine.failed()
    assert len(workers.ended) == 10


def test_a_text_that_ends_every_worker_is_found_and_has_no_score():
    bad = TEXTS[123]
    scores, errors, engine = rate(FakeWorkers(deadly=frozenset({bad})))
    (failures,) = engine.failed().values()

    assert np.array_equal(scores, lengths(missing={bad}), equal_nan=True)
    assert errors == {}
    assert {texts: one.reason for texts, one in failures.items()} == {
        (bad, "r"): "the process ended with signal 6 (SIGABRT)"
    }


def test_a_scorer_that_ends_every_worker_is_an_error():
    _, errors, _ = rate(FakeWorkers(deadly=frozenset(TEXTS)), texts=TEXTS[:40])

    assert list(errors.values()) == ["the process ended with signal 6 (SIGABRT)"]


def test_a_worker_that_rates_the_same_texts_differently_is_refused():
    with pytest.warns(WorkerWarning, match=r"lengths .*same texts differently.*instead of") as seen:
        scores, _, _ = rate(FakeWorkers(errors={1: 0.01}))

    assert scores == lengths()
    assert len(seen) == 1


def test_a_difference_within_the_tolerance_is_accepted():
    scores, _, _ = rate(FakeWorkers(errors={1: 1e-6, 2: -1e-6}))

    assert scores == pytest.approx(lengths(), abs=1e-5)


def test_a_worker_with_other_weights_is_refused():
    with pytest.warns(WorkerWarning, match="weights:1 instead of weights:2"):
        scores, _, _ = rate(FakeWorkers(cannot_build=frozenset({0, 2})))

    assert scores == lengths()


def test_what_no_worker_can_build_is_rated_in_the_main_process():
    with pytest.warns(WorkerWarning):
        _, errors, _ = rate(FakeWorkers(cannot_build=frozenset(range(9))), texts=TEXTS[:9])

    assert "rated in the main process" in next(iter(errors.values()))


def test_workers_are_added_when_there_is_room_for_more():
    @dataclass
    class Growing(FakeWorkers):
        @property
        def size(self):
            return 1 if self.answers < 5 else 3

        @size.setter
        def size(self, _):
            pass

    workers = Growing()
    scores, _, _ = rate(workers)

    assert scores == lengths()
    assert workers.waiting.keys() == {0, 1, 2}


def test_workers_that_do_not_start_are_one_error():
    with pytest.raises(WorkersFailed, match="no worker starts: no such module"):
        rate(FakeWorkers(starts=False))


def test_chunks_are_cut_by_time_once_the_speed_is_known():
    sizes, job = ChunkSizes(), Job((Lengths(),), (("x" * 100, "r" * 100),) * 50)
    before = sizes.characters(job)
    sizes.note(job, seconds=2.0)

    assert (before, sizes.characters(job)) == (FIRST_CHARACTERS, 5_000 * CHUNK_SECONDS)


@pytest.mark.parametrize("mark", ["runtime", "batch"])
def test_what_reads_texts_in_batches_gets_the_same_batches_as_in_one_process(mark):
    scorer = SimpleNamespace(signature="s", **{mark: True})

    assert ChunkSizes().characters(Job((Lengths(), scorer), (("a", "b"),))) is None
