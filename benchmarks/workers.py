"""Measures what workers cost and gain: chrF, MiniLM, and a scorer that only waits.

python benchmarks/workers.py            # all but Ray
python benchmarks/workers.py --ray      # also on a Ray cluster of one node with two cores
"""

from __future__ import annotations

import argparse
import atexit
import heapq
import os
import resource
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache

import numpy as np

from shakeproof.metrics.bertscore.scorer import BertScoreOptions
from shakeproof.metrics.engine.cache import Cache
from shakeproof.metrics.engine.engine import Engine
from shakeproof.metrics.engine.executors.local import LocalWorkers
from shakeproof.metrics.engine.executors.pool import WorkerPool
from shakeproof.metrics.engine.executors.recipes import MetricOptions, Plain, Recipe, find_sources
from shakeproof.metrics.engine.executors.workers import Answer, Event, Ready, Workers
from shakeproof.metrics.formulas import BestReference
from shakeproof.metrics.kinds.lexical import ChrfOptions
from shakeproof.metrics.options import Options
from shakeproof.metrics.protocols import Instance, Metric, Texts, Vector
from shakeproof.metrics.settings import Settings

WORDS = ("harbour", "late", "again", "because", "snow", "road", "bus", "the", "of", "on", "was")
CHUNK_SECONDS = 0.5  # for a chunk of the scorer that waits, about what roberta-large takes on a GPU
CHUNKS_PER_WORKER = 20  # so a run of about ten seconds
SCORES_PER_CHUNK = 250


def make_instances(count: int) -> list[Instance]:
    """Make up candidates and references that all differ."""
    rng = np.random.default_rng(0)
    texts = [" ".join(rng.choice(WORDS, 14)) for _ in range(2 * count)]
    return [Instance(f"{texts[n]} {n}", (f"{texts[count + n]} {n}",)) for n in range(count)]


def seconds_to_fill(
    metric: Metric, instances: Sequence[Instance], pool: WorkerPool | None
) -> float:
    """Return how long scoring takes, the start of workers and the loading of models included."""
    engine = Engine(Cache())
    segments = ([(metric, instance)] for instance in instances)
    started = time.perf_counter()
    if pool is None:
        errors = engine.fill(segments)
    else:
        with engine.use(pool):
            errors = engine.fill(segments)
    if errors:
        raise SystemExit(str(errors))
    return time.perf_counter() - started


def compare(name: str, kind: str, options: Options, count: int, *, ray: bool) -> None:
    """Print the time in this process, with two local workers and, if asked for, with Ray."""
    settings, instances = Settings(offline=True), make_instances(count)
    metric = options.build({}, settings)
    written = MetricOptions(kind, options.model_dump_json(exclude_unset=True))
    recipe = Recipe({name: written}, settings, instances[0])
    sources = find_sources([(recipe, {name: metric})])
    plain = [recipe.to_plain()]
    alone = seconds_to_fill(metric, instances, None)
    print(f"{name:8} {count:,} scores: in this process {alone:.1f} s", flush=True)
    pools: dict[str, Callable[[], Workers]] = {"2 local workers": lambda: LocalWorkers(plain, 2)}
    if ray:
        pools["Ray, 2 actors"] = lambda: ray_workers(plain)
    for label, make in pools.items():
        workers = make()  # only now: a cluster that starts would slow down what is before it
        main, others = time.process_time(), children_time()
        seconds = seconds_to_fill(metric, instances, WorkerPool(workers, sources))
        main, others = time.process_time() - main, children_time() - others
        used = f"processor time: main process {main:.1f} s, local workers {others:.1f} s"
        print(
            f"{name:8} {label}: {seconds:.1f} s, {alone / seconds:.2f} times as fast; {used}",
            flush=True,
        )


def children_time() -> float:
    """Return the processor time of processes that this one has started and that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def ray_workers(recipes: Sequence[Plain]) -> Workers:
    """Return the workers of a cluster."""
    from shakeproof.metrics.engine.executors.ray_actors import RayWorkers

    return RayWorkers(recipes, cluster_address(), folder=None, gpus_per_worker=0)


@cache
def cluster_address() -> str:
    """Start a cluster of one node with two cores."""
    from ray.cluster_utils import Cluster

    os.environ["RAY_worker_niceness"] = "0"  # noqa: SIM112  # Ray spells it so; 15 would be slower
    head = {"num_cpus": 2, "include_dashboard": False}
    cluster = Cluster(initialize_head=True, head_node_args=head)
    atexit.register(cluster.shutdown)
    return str(cluster.address)


@dataclass(frozen=True, slots=True)
class Waiting:
    """A scorer that only exists in simulated workers."""

    signature: str = "waiting|version:1"

    def score(self, tuples: Sequence[Texts]) -> Vector:
        raise NotImplementedError


@dataclass
class SimulatedWorkers:
    """Workers that take a fixed time for each chunk, simulated in this process."""

    size: int
    seconds: float
    free: dict[int, float] = field(default_factory=dict)  # by worker, when it is free again
    events: list[tuple[float, int, Event]] = field(default_factory=list)
    sent: int = 0

    def start(self, worker: int) -> None:
        self.free[worker] = time.perf_counter()
        self._add(self.free[worker], Ready(worker))

    def send(self, worker: int, number: int, request: Plain) -> None:
        share = len(request["tuples"]) / SCORES_PER_CHUNK  # canaries are few
        self.free[worker] = max(self.free[worker], time.perf_counter()) + share * self.seconds
        scores = np.array([len(texts[0]) for texts in request["tuples"]], dtype="<f8")
        content = {"columns": [[scores.tobytes(), {}]], "seconds": self.seconds}
        self._add(self.free[worker], Answer(worker, number, content))

    def _add(self, when: float, event: Event) -> None:
        self.sent += 1
        heapq.heappush(self.events, (when, self.sent, event))

    def receive(self) -> list[Event]:
        when, _, event = heapq.heappop(self.events)
        time.sleep(max(0.0, when - time.perf_counter()))
        return [event]

    def end(self, worker: int) -> None:
        del self.free[worker]

    def close(self) -> None:
        self.free.clear()


def simulate(size: int, seconds: float) -> None:
    """Print how busy simulated workers are: ideal time by time, canaries not counted."""
    count = size * CHUNKS_PER_WORKER * SCORES_PER_CHUNK
    metric = BestReference(Waiting())
    instances = [Instance(f"{n:0100d}", ("r",)) for n in range(count)]
    pool = WorkerPool(SimulatedWorkers(size, seconds), {metric.signature: (0, "waiting")})
    pool.chunk_characters = lambda job: 101 * SCORES_PER_CHUNK  # type: ignore[method-assign]
    engine = Engine(Cache(), block_characters=101 * SCORES_PER_CHUNK * 64)
    started = time.perf_counter()
    with engine.use(pool):
        engine.fill([(metric, instance)] for instance in instances)
    took = time.perf_counter() - started
    ideal = CHUNKS_PER_WORKER * seconds
    busy = f", workers busy {ideal / took:.0%} of the time" if seconds else ""
    print(f"waiting  {size} workers: {count / took:,.0f} scores per second{busy}", flush=True)


def main() -> None:
    """Print one line for each measurement."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--ray", action="store_true", help="also measure a Ray cluster")
    arguments = parser.parse_args()
    for size in (1, 8, 64, 256):
        simulate(size, CHUNK_SECONDS)
    simulate(64, 0.0)
    compare("chrF", "chrf", ChrfOptions(), 150_000, ray=arguments.ray)
    compare("MiniLM", "bertscore", BertScoreOptions(), 5_200, ray=arguments.ray)


if __name__ == "__main__":
    main()
