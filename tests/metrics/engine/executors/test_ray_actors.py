"""Actors of a real Ray cluster of several nodes on this machine: nothing is lost or left over."""

import json
import os
import random
import signal
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from waiting import PATIENCE, wait_until

import shakeproof
from shakeproof.metrics.engine.cache import Cache
from shakeproof.metrics.engine.engine import Engine
from shakeproof.metrics.engine.executors.pool import IN_FLIGHT, WorkerPool, WorkerWarning
from shakeproof.metrics.engine.executors.recipes import MetricOptions, Recipe, find_sources
from shakeproof.metrics.engine.executors.workers import WorkersFailed
from shakeproof.metrics.functions import run_file
from shakeproof.metrics.protocols import Instance
from shakeproof.metrics.registry import METRICS
from shakeproof.metrics.settings import Settings

NOT_CLOSED = "ignore:.*ray_client_server:pytest.PytestUnraisableExceptionWarning"  # by Ray

pytestmark = [pytest.mark.ray, pytest.mark.slow, pytest.mark.filterwarnings(NOT_CLOSED)]

TEXTS = [f"text {number} of many" for number in range(300)]
LENGTHS = [float(len(text)) for text in TEXTS]
OWN = """
import os, time
from pathlib import Path

def note():
    Path(os.environ["PIDS"], str(os.getpid())).write_text(os.environ.get("NODE", "head"))

def length(candidate, reference):
    note()
    time.sleep(0.01)
    return len(candidate) + 0.0

def characters(candidate, reference):
    return len(candidate) / len(reference)

def lasting(candidate, reference):
    note()
    time.sleep(0 if Path(os.environ["PIDS"], "../nodes-have-changed").exists() else 0.05)
    return len(candidate)

def waits(candidate, reference):
    note()
    time.sleep(600)

def aborts(candidate, reference):
    note()
    if candidate == "text 7 of many":
        os.abort()
    return len(candidate)

def differs(candidate, reference):
    note()
    time.sleep(0.01)
    return len(candidate) + (0.5 if os.environ.get("NODE") == "odd" else 0)
"""
WITH_WEIGHTS = """
import os, sys
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
sys.path.insert(0, str(Path(__file__).parent))
import own
from shakeproof.metrics.formulas import BestReference
from shakeproof.metrics.options import Options
from shakeproof.metrics.registry import METRICS

@dataclass(frozen=True)
class WeightedScorer:
    weights: bytes

    @property
    def signature(self):
        return f"weighted|weights:{sha256(self.weights).hexdigest()[:16]}|version:1"

    def score(self, tuples):
        return [own.length(*texts) for texts in tuples]

class WeightedOptions(Options):
    def build(self, others, settings):
        return BestReference(WeightedScorer(Path(os.environ["WEIGHTS"]).read_bytes()))

METRICS["weighted"] = WeightedOptions
"""
CHECKLIST = """
data: sample
language: en
metrics:
{metrics}
checks:
  - check: typing errors
    perturb: {{keyboard-typo: {{on: candidate, levels: [0.3]}}}}
    expect: {{score_change: {{at_most: 0.2}}}}
"""
ALL_KINDS = """
  deep: {bertscore: {model: minilm, layer: last}}
  bytes: {bertscore: {model: byte-mini}}
  letters: {chrf: }
  mine: {python: own:characters}
"""


class Actors:
    """A cluster, and the processes of its actors that have rated."""

    def __init__(self, cluster, folder, client_address):
        self.cluster = cluster
        self.client_address = client_address
        self.address = cluster.address
        self.done = []  # counts of scores, as they come
        self._folder = folder

    def add_node(self, name):
        weights = self._folder.parent / f"{name}.weights"
        weights.write_text("other" if name == "odd" else "same")
        return self.cluster.add_node(num_cpus=1, env_vars={"NODE": name, "WEIGHTS": str(weights)})

    def say_that_nodes_have_changed(self):
        (self._folder.parent / "nodes-have-changed").touch()

    def running(self, node=None):
        """Return the processes that still run, of all nodes or of one."""
        files = [file for file in self._folder.iterdir() if node in (None, file.read_text())]
        numbers = [int(file.name) for file in files]
        return [number for number in numbers if Path(f"/proc/{number}/cmdline").exists()]


@pytest.fixture(scope="module")
def actors(tmp_path_factory):
    """A cluster of three nodes with a core each; one of them has other weights."""
    from ray.cluster_utils import Cluster

    pids = tmp_path_factory.mktemp("cluster") / "pids"
    pids.mkdir()
    (pids.parent / "head.weights").write_text("same")
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("PIDS", str(pids))
        environment.setenv("WEIGHTS", str(pids.parent / "head.weights"))
        environment.setenv("GRPC_ENABLE_FORK_SUPPORT", "0")  # or servers of clients may crash
        port = free_port()
        head = {"num_cpus": 1, "include_dashboard": False, "ray_client_server_port": port}
        cluster = Cluster(initialize_head=True, head_node_args=head)
        environment.setenv("RAY_ADDRESS", cluster.address)
        actors = Actors(cluster, pids, f"ray://127.0.0.1:{port}")
        actors.add_node("even")
        actors.add_node("odd")
        yield actors
        cluster.shutdown()


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.py").write_text(OWN)
    (tmp_path / "pyproject.toml").touch()
    return tmp_path


def rate(actors, kind, options, during=lambda: None, **how):
    """Rate texts on the cluster; return the scores, the engine and how many chunks were sent."""
    with ThreadPoolExecutor(1) as thread:  # Ray adds nodes in the main thread only
        rated = thread.submit(rate_all, actors, kind, options, **how)
        during()
        result = rated.result()
    wait_until(lambda: not actors.running())
    return result


def rate_all(actors, kind, options, *, texts=TEXTS, characters=300):
    from shakeproof.metrics.engine.executors.ray_actors import RayWorkers

    settings, instances = Settings(folder=Path.cwd()), [Instance(text, ("r",)) for text in texts]
    metric = METRICS[kind].model_validate(options).build({}, settings)
    written = MetricOptions(kind, json.dumps(options))
    recipe = Recipe({"mine": written}, settings, instances[0], (*Path.cwd().glob("conftest.py"),))
    plain = recipe.relative_to(Path.cwd()).to_plain()
    workers = RayWorkers([plain], actors.address, folder=Path.cwd())
    pool = WorkerPool(workers, find_sources([(recipe, {"mine": metric})]))
    pool.chunk_characters = lambda job: characters
    sent, send = [], workers.send
    actors.done = []
    workers.send = lambda *chunk: (send(*chunk), sent.append(len(workers._waiting)))
    engine = Engine(Cache(), progress=lambda progress: actors.done.append(progress.done))
    with engine.use(pool):
        errors = engine.fill([[(metric, instance) for instance in instances]])

    assert errors == {}
    assert actors.done[-1] == len(texts)  # none is lost, none is counted twice
    return engine.read(metric, instances), engine, max(sent)


def own(function):
    return "python", {"function": f"own:{function}", "isolate": False}


def test_actors_killed_at_random_cost_no_score_and_queues_stay_short(actors):
    def kill():
        rng = random.Random(0)
        for _ in range(10):
            wait_until(lambda: kill_one_of(actors.running(), rng))
            before = len(actors.done)  # a chunk that is lost three times would count as failed
            wait_until(lambda before=before: len(actors.done) >= before + 10)

    scores, engine, most_sent = rate(actors, *own("length"), kill, characters=20)

    assert scores.tolist() == LENGTHS
    assert not engine.failed()
    assert most_sent <= 3 * (IN_FLIGHT + 1)  # of 300 chunks; one more for canaries


def kill_one_of(processes, rng):
    """Kill a process; return whether there was one that still ran."""
    try:
        os.kill(rng.choice(processes), signal.SIGKILL)
    except (IndexError, ProcessLookupError):
        return False
    return True


def test_a_text_that_aborts_its_actor_has_no_score(actors):
    scores, engine, _ = rate(actors, *own("aborts"), texts=TEXTS[:40], characters=70)
    (failures,) = engine.failed().values()

    assert np.flatnonzero(np.isnan(scores)).tolist() == [7]
    assert [failure.reason for failure in failures.values()] == [
        "the process of the Ray actor ended"
    ]


def test_an_actor_that_rates_the_same_texts_differently_is_refused(actors):
    with pytest.warns(WorkerWarning, match="same texts differently"):
        scores, _, _ = rate(actors, *own("differs"))

    assert len(set(scores - LENGTHS)) == 1  # as the first actor rates, whichever that was


def test_an_actor_with_other_weights_is_refused(actors, folder):
    (folder / "conftest.py").write_text(WITH_WEIGHTS)
    run_file(folder / "conftest.py")
    try:
        with pytest.warns(WorkerWarning, match=r"not used for weighted .*: weights:\w+ instead of"):
            scores, _, _ = rate(actors, "weighted", {})
    finally:
        del METRICS["weighted"]

    assert scores.tolist() == LENGTHS


def test_a_node_that_joins_is_used_and_may_leave_in_the_middle(actors, monkeypatch):
    from shakeproof.metrics.engine.executors import ray_actors

    monkeypatch.setattr(ray_actors, "LOOK_AGAIN", 0.2)
    used = []

    def join_and_leave():
        node = actors.add_node("new")
        wait_until(lambda: actors.running("new"))
        used.extend(actors.running("new"))
        actors.cluster.remove_node(node, allow_graceful=False)
        actors.say_that_nodes_have_changed()

    texts = [f"{text} {number}" for number in range(8) for text in TEXTS]
    scores, engine, _ = rate(actors, *own("lasting"), join_and_leave, texts=texts)

    assert used
    assert scores.tolist() == [float(len(text)) for text in texts]
    assert not engine.failed()


def test_an_interrupt_leaves_no_actor_behind(actors, folder):
    metrics = "  slow: {python: {function: 'own:waits', isolate: false}}"
    (folder / "slow.checklist.yaml").write_text(CHECKLIST.format(metrics=metrics))
    command = [sys.executable, "-m", "shakeproof", "score", "slow.checklist.yaml"]
    assert not actors.running()
    main = subprocess.Popen([*command, "--workers=ray", "--gpus-per-worker=0"])
    wait_until(actors.running)
    main.send_signal(signal.SIGINT)

    assert main.wait(PATIENCE) != 0
    wait_until(lambda: not actors.running())


def contents_of_run(folder, metrics, workers):
    """Run a checklist; return what run.json has, without times."""
    path = folder / "noise.checklist.yaml"
    path.write_text(CHECKLIST.format(metrics=metrics))
    run = shakeproof.run(path, offline=True, limit=8, search=0, workers=workers)
    contents = json.loads(run.model_dump_json())

    assert "error" not in {result["outcome"] for result in contents["results"]}
    return {name: value for name, value in contents.items() if name not in ("started", "seconds")}


@pytest.mark.model
def test_a_run_is_the_same_on_a_cluster(actors, folder):
    alone, together = (contents_of_run(folder, ALL_KINDS, workers) for workers in (None, "ray"))

    assert together == alone


def test_a_run_is_the_same_on_a_cluster_that_is_reached_by_its_address(actors, folder):
    metrics = "  letters: {chrf: }\n  mine: {python: own:characters}"
    ways = (None, actors.client_address)
    alone, together = (contents_of_run(folder, metrics, workers) for workers in ways)

    assert together == alone


@pytest.mark.parametrize("address", ["127.0.0.1:1", "ray://127.0.0.1:1"])
def test_no_cluster_is_one_line(address):
    from shakeproof.metrics.engine.executors.ray_actors import connect

    with pytest.raises(WorkersFailed, match=f"there is no Ray cluster at {address}"):
        connect(address, None)


def test_a_client_connects_again_if_its_server_ended(monkeypatch):
    from shakeproof.metrics.engine.executors import ray_actors

    errors = [ConnectionAbortedError("a\nStarting the server failed."), ConnectionError("b"), None]
    monkeypatch.setattr(ray_actors.ray, "init", lambda **_: fail_with(errors.pop(0)))
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"ray://127.0.0.1:{server.getsockname()[1]}"

        assert ray_actors.connect(address, None)
        assert not errors

        errors = [ConnectionError("a"), ConnectionError("b"), ConnectionError("x\nthe last")]
        with pytest.raises(WorkersFailed, match=f"the Ray cluster at {address}: the last"):
            ray_actors.connect(address, None)


def fail_with(error):
    if error:
        raise error


@pytest.mark.parametrize(
    ("gpus", "actors"),
    [
        pytest.param(0, 4, id="a core for each"),
        pytest.param(1, 2, id="a GPU for each"),
        pytest.param(0.5, 4, id="two share a GPU"),
        pytest.param(0.25, 4, id="no more than cores"),
        pytest.param(4, 0, id="more GPUs than a node has"),
    ],
)
def test_a_node_has_room_for_as_many_actors_as_it_has_cores_and_gpus(gpus, actors):
    from shakeproof.metrics.engine.executors.ray_actors import room_on

    assert room_on({"CPU": 4.0, "GPU": 2.0}, gpus) == actors
