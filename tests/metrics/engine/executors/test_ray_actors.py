"""Actors of a real Ray cluster of several nodes on this machine: nothing is lost or left over."""

import os
import random
import signal
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import shakeproof
from shakeproof.metrics.engine.cache import Cache
from shakeproof.metrics.engine.engine import Engine
from shakeproof.metrics.engine.executors.pool import WorkerPool, WorkerWarning
from shakeproof.metrics.engine.executors.recipes import MetricOptions, Recipe, find_sources
from shakeproof.metrics.engine.executors.workers import WorkersFailed
from shakeproof.metrics.kinds.python import PythonOptions
from shakeproof.metrics.protocols import Instance
from shakeproof.metrics.settings import Settings

pytestmark = [pytest.mark.ray, pytest.mark.slow]

TEXTS = [f"text {number} of many" for number in range(300)]
OWN = """
import os, time
from pathlib import Path

def note():
    Path(os.environ["PIDS"], str(os.getpid())).touch()

def length(candidate, reference):
    note()
    time.sleep(0.005)
    return len(candidate) + 0.0

def aborts(candidate, reference):
    if candidate == "text 131 of many":
        os.abort()
    return len(candidate)

def differs(candidate, reference):
    time.sleep(0.005)
    return len(candidate) + (0.5 if os.environ.get("NODE") == "odd" else 0)
"""
CHECKLIST = """
data: sample
language: en
metrics:
  deep: {bertscore: {model: minilm, layer: last}}
  bytes: {bertscore: {model: byte-mini}}
  letters: {chrf: }
  mine: {python: own:length}
checks:
  - check: typing errors
    perturb: {keyboard-typo: {on: candidate, levels: [0.3]}}
    expect: {score_change: {at_most: 0.2}}
"""


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """A cluster of three nodes with a core each; on one of them a function rates differently."""
    from ray.cluster_utils import Cluster

    pids = tmp_path_factory.mktemp("pids")
    os.environ["PIDS"] = str(pids)
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    for node in ("even", "odd"):
        cluster.add_node(num_cpus=1, env_vars={"NODE": node})
    cluster.pids = pids
    yield cluster
    cluster.shutdown()


@pytest.fixture
def folder(tmp_path, monkeypatch, cluster):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.py").write_text(OWN)
    return tmp_path


def rate(cluster, function, during=None, texts=TEXTS):
    """Rate the texts on the cluster; return the scores and the engine."""
    from shakeproof.metrics.engine.executors.ray_actors import RayWorkers

    settings, instances = Settings(folder=Path.cwd()), [Instance(text, ("r",)) for text in texts]
    options = PythonOptions(function=f"own:{function}", isolate=False)
    metric = options.build({}, settings)
    written = MetricOptions("python", options.model_dump_json(exclude_unset=True))
    recipe = Recipe({"mine": written}, settings, instances[0])
    sources = find_sources([(recipe, {"mine": metric})])
    plain = recipe.relative_to(Path.cwd()).to_plain()
    workers = RayWorkers([plain], cluster.address, folder=Path.cwd(), use_gpus=True)
    pool = WorkerPool(workers, sources)
    pool.chunk_characters = lambda job: 300
    engine = Engine(Cache())
    thread = threading.Thread(target=during or (lambda: None))
    thread.start()
    with engine.use(pool):
        errors = engine.fill([[(metric, instance) for instance in instances]])
    thread.join()
    assert errors == {}
    return engine.read(metric, instances), engine


LENGTHS = [float(len(text)) for text in TEXTS]


def running(cluster):
    """Return the processes of actors that have rated and still run."""
    numbers = [int(file.name) for file in cluster.pids.iterdir()]
    return [number for number in numbers if Path(f"/proc/{number}/cmdline").exists()]


def wait_until(condition):
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_actors_killed_at_random_cost_no_score(folder, cluster):
    def kill():
        for _ in range(10):
            wait_until(lambda: running(cluster))
            os.kill(random.Random(0).choice(running(cluster)), signal.SIGKILL)
            time.sleep(0.1)

    scores, engine = rate(cluster, "length", kill)

    assert scores.tolist() == LENGTHS
    assert not engine.failed()
    wait_until(lambda: not running(cluster))


def test_a_text_that_aborts_its_actor_has_no_score(folder, cluster):
    scores, engine = rate(cluster, "aborts")
    (failures,) = engine.failed().values()

    assert np.flatnonzero(np.isnan(scores)).tolist() == [131]
    assert [failure.reason for failure in failures.values()] == [
        "the process of the Ray actor ended"
    ]


def test_an_actor_that_rates_the_same_texts_differently_is_refused(folder, cluster):
    with pytest.warns(WorkerWarning, match="same texts differently"):
        scores, _ = rate(cluster, "differs")

    assert len(set(scores - LENGTHS)) == 1  # as the first actor rates, whichever that was


@pytest.mark.model
def test_a_run_is_the_same_on_a_cluster(folder, cluster, monkeypatch):
    path = folder / "noise.checklist.yaml"
    path.write_text(CHECKLIST)
    monkeypatch.setenv("RAY_ADDRESS", cluster.address)
    alone, together = (
        shakeproof.run(
            folder / "noise.checklist.yaml", offline=True, limit=12, search=0, workers=workers
        )
        for workers in (None, "ray")
    )

    for one, other in zip(alone.results, together.results, strict=True):
        assert (one.id, one.outcome, one.message) == (other.id, other.outcome, other.message)
        assert other.estimate.value == pytest.approx(one.estimate.value, abs=1e-5)
        assert [example.before for example in one.examples] == [
            example.before for example in other.examples
        ]


def test_a_node_may_be_lost(folder, cluster):
    def lose_node():
        wait_until(lambda: running(cluster))
        cluster.remove_node(cluster.list_all_nodes()[-1], allow_graceful=False)

    scores, engine = rate(cluster, "length", lose_node)

    assert scores.tolist() == LENGTHS
    assert not engine.failed()


@pytest.mark.parametrize("address", ["127.0.0.1:1", "ray://127.0.0.1:1"])
def test_no_cluster_is_one_line(address):
    from shakeproof.metrics.engine.executors.ray_actors import connect

    with pytest.raises(WorkersFailed, match=f"there is no Ray cluster at {address}"):
        connect(address, None)
