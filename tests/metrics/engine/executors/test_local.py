"""Local workers: real processes that rate, crash and end."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from waiting import PATIENCE, is_running, wait_until

from shakeproof.metrics.engine.cache import Cache
from shakeproof.metrics.engine.engine import Engine
from shakeproof.metrics.engine.executors import local
from shakeproof.metrics.engine.executors.local import LocalWorkers, automatic_size, gpu_names
from shakeproof.metrics.engine.executors.pool import WorkerPool
from shakeproof.metrics.engine.executors.recipes import (
    MetricOptions,
    Recipe,
    find_sources,
    recipe_from,
)
from shakeproof.metrics.kinds.lexical import ChrfOptions
from shakeproof.metrics.kinds.python import PythonOptions
from shakeproof.metrics.protocols import Instance
from shakeproof.metrics.settings import Settings

TEXTS = [f"text {number} of many" for number in range(60)]
OWN = """
import os

def aborts(candidate, reference):
    if candidate == "text 31 of many":
        os.abort()
    return len(candidate)

def elsewhere(candidate, reference):
    return float(os.getpid() != int(os.environ["MAIN_PROCESS"]))

def threads(candidate, reference):
    return int(os.environ["OMP_NUM_THREADS"])

def raises(candidate, reference):
    if "3" in candidate:
        raise ValueError(candidate)
    return 1
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    (tmp_path / "own.py").write_text(OWN)
    return tmp_path


def own(function):
    """Return the options of a function that is called in the worker itself."""
    return PythonOptions(function=f"own:{function}", isolate=False)


def rate(options, kind="python", size=2, executor=True):
    """Rate the texts; return the scores, the errors and the engine."""
    settings, instances = Settings(folder=Path.cwd()), [Instance(text, ("r",)) for text in TEXTS]
    metric = options.build({}, settings)
    written = MetricOptions(kind, options.model_dump_json(exclude_unset=True))
    recipe = Recipe({"mine": written}, settings, instances[0])
    workers = LocalWorkers([recipe.to_plain()], size)
    pool = WorkerPool(workers, find_sources([(recipe, {"mine": metric})]))
    pool.chunk_characters = lambda job: 150
    engine = Engine(Cache())
    inputs = [[(metric, instance) for instance in instances]]
    if executor:
        with engine.use(pool):
            errors = engine.fill(inputs)
        assert not workers._processes
    else:
        errors = engine.fill(inputs)
    scores = None if errors else engine.read(metric, instances)
    return scores, errors, engine


def test_workers_return_the_scores_of_this_process(folder):
    here, _, _ = rate(ChrfOptions(), "chrf", executor=False)
    there, errors, _ = rate(ChrfOptions(), "chrf")

    assert errors == {}
    assert there.tolist() == here.tolist()


def test_failures_come_back_with_their_reason(folder):
    here, _, engine_here = rate(own("raises"), executor=False)
    there, _, engine_there = rate(own("raises"))
    (failed_here,), (failed_there,) = engine_here.failed().values(), engine_there.failed().values()

    assert np.array_equal(here, there, equal_nan=True)
    assert {texts: failure.reason for texts, failure in failed_there.items()} == {
        texts: failure.reason for texts, failure in failed_here.items()
    }


def test_a_text_that_aborts_its_worker_has_no_score(folder):
    scores, errors, engine = rate(own("aborts"))
    (failures,) = engine.failed().values()

    assert errors == {}
    assert np.flatnonzero(np.isnan(scores)).tolist() == [31]
    assert [failure.reason for failure in failures.values()] == [
        "the process ended with signal 6 (SIGABRT)"
    ]


def test_workers_rate_in_processes_of_their_own(folder, monkeypatch):
    monkeypatch.setenv("MAIN_PROCESS", str(os.getpid()))
    scores, _, _ = rate(own("elsewhere"))

    assert set(scores) == {1}


def test_workers_share_the_cores(folder, monkeypatch):
    monkeypatch.setattr(local, "cores", lambda: 6)
    scores, _, _ = rate(own("threads"))

    assert set(scores) == {3}


@pytest.mark.parametrize(
    ("visible", "cores", "size"),
    [
        pytest.param("0,1,2", 2, 3, id="a worker for each GPU"),
        pytest.param("", 4, 4, id="a worker for each core"),
        pytest.param("", 64, local.MAX_AUTO, id="not too many"),
    ],
)
def test_auto_chooses_the_number_of_workers(monkeypatch, visible, cores, size):
    monkeypatch.setenv(local.VISIBLE_GPUS, visible)
    monkeypatch.setattr(local, "cores", lambda: cores)

    assert automatic_size() == size


def test_each_worker_sees_one_of_several_gpus(monkeypatch):
    monkeypatch.setenv(local.VISIBLE_GPUS, "2,5")
    workers = LocalWorkers([], 3, gpu_names())

    assert [workers._environment(place)[local.VISIBLE_GPUS] for place in range(3)] == list("252")


@pytest.mark.parametrize(
    ("visible", "numbers", "names"),
    [
        pytest.param("2,5,7", None, ["2", "5", "7"], id="all that are visible"),
        pytest.param("2,5,7", [0, 2], ["2", "7"], id="numbers count what is visible"),
        pytest.param(None, [0, 2], ["0", "2"], id="all GPUs are visible"),
        pytest.param("GPU-a,GPU-b", [1], ["GPU-b"], id="by their identifiers"),
        pytest.param("", None, [], id="none"),
    ],
)
def test_gpus_have_the_names_that_cuda_knows(monkeypatch, visible, numbers, names):
    monkeypatch.delenv(local.VISIBLE_GPUS, raising=False)
    if visible is not None:
        monkeypatch.setenv(local.VISIBLE_GPUS, visible)

    assert gpu_names(numbers) == names


def test_cuda_numbers_gpus_from_0_whatever_their_files_are(monkeypatch):
    """A container that has the third GPU alone has /dev/nvidia2, which CUDA calls 0."""
    monkeypatch.delenv(local.VISIBLE_GPUS, raising=False)
    files = [Path("/dev/nvidia2"), Path("/dev/nvidia3"), Path("/dev/nvidiactl")]
    monkeypatch.setattr(Path, "glob", lambda folder, pattern: files)

    assert gpu_names() == ["0", "1"]


def test_a_recipe_is_read_as_it_was_written(tmp_path):
    metrics = {
        "a": MetricOptions("ibleu", '{"bleu":"b"}', ("b",)),
        "b": MetricOptions("bleu", "{}"),
    }
    settings = Settings("cpu", "float32", True, tmp_path, None)
    instance = Instance("c", ("r",), "s", rivals=("d",))
    recipe = Recipe(metrics, settings, instance, (tmp_path / "conftest.py",))

    assert recipe_from(recipe.to_plain()) == recipe


@pytest.mark.parametrize("signal_sent", [signal.SIGINT, signal.SIGKILL], ids=["Ctrl-C", "SIGKILL"])
def test_no_worker_outlives_the_main_process(folder, signal_sent):
    (folder / "slow.py").write_text(
        "import os, time\n"
        "from pathlib import Path\n"
        "def waits(candidate, reference):\n"
        "    Path(f'pid-{os.getpid()}').touch()\n"
        "    time.sleep(600)\n"
    )
    (folder / "slow.checklist.yaml").write_text(
        "data: sample\nlanguage: en\nmetrics: {slow: {python: {function: 'slow:waits', "
        "isolate: false}}}\nchecks:\n  - check: none\n    perturb: {upper-case: {on: candidate}}\n"
        "    expect: {score_change: {at_most: 5}}\n"
    )
    command = [sys.executable, "-m", "shakeproof", "score", "slow.checklist.yaml", "--workers", "2"]
    main = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    wait_until(lambda: list(folder.glob("pid-*")))
    main.send_signal(signal_sent)
    main.wait(PATIENCE)

    wait_until(lambda: not any(is_running(file.name[4:]) for file in folder.glob("pid-*")))
