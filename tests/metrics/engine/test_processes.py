"""Workers and programs end when they should, and start only when there is something to rate."""

import os
import signal
import subprocess
import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from waiting import is_running, wait_until

from shakeproof.metrics.engine import processes
from shakeproof.metrics.engine.cache import Cache
from shakeproof.metrics.engine.engine import Engine
from shakeproof.metrics.engine.isolation import Worker
from shakeproof.metrics.engine.processes import Process, Processes
from shakeproof.metrics.failures import RatingFailed
from shakeproof.metrics.kinds.python import PythonOptions
from shakeproof.metrics.protocols import Instance
from shakeproof.metrics.settings import Settings

INSTANCE = Instance("a", ("b",))
MODULE = """
import os, subprocess, sys, time

def pid(candidate, reference):
    return os.getpid()

def waits(candidate, reference):
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    with open("pids.part", "w") as file:
        file.write(f"{os.getpid()} {child.pid}")
    os.replace("pids.part", "pids")
    time.sleep(600)
"""
SCORING = """
    import sys
    from pathlib import Path
    from shakeproof.metrics.engine.cache import Cache
    from shakeproof.metrics.engine.engine import Engine
    from shakeproof.metrics.kinds.command import CommandOptions
    from shakeproof.metrics.kinds.python import PythonOptions
    from shakeproof.metrics.protocols import Instance
    from shakeproof.metrics.settings import Settings
    options = {
        "function": PythonOptions(function="own:waits"),
        "program": CommandOptions(run=[sys.executable, "program.py"], version="1"),
    }[sys.argv[1]]
    metric = options.build({}, Settings(folder=Path.cwd()))
    Engine(Cache()).fill([[(metric, Instance("a", ("b",)))]])
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.py").write_text(MODULE)
    (tmp_path / "program.py").write_text("import own\nown.waits('', '')\n")
    return tmp_path


def build(function, **options):
    return PythonOptions(function=function, **options).build({}, Settings(folder=Path.cwd()))


def rate(metric, cache=None):
    engine = Engine(cache or Cache())
    errors = engine.fill([[(metric, INSTANCE)]])
    return list(errors.values()) or engine.read(metric, [INSTANCE]).tolist()


def test_a_worker_serves_all_batches_and_is_another_process(folder):
    (first,), (second,) = rate(build("own:pid")), rate(build("own:pid", timeout=60))

    assert first == second != os.getpid()
    assert rate(build("own:pid", isolate=False)) == [os.getpid()]


def test_threads_take_turns(folder):
    with ThreadPoolExecutor(4) as pool:
        scores = list(pool.map(lambda _: rate(build("own:pid")), range(8)))

    assert len(scores) == 8
    assert all(score[0] > 0 for score in scores)


def test_a_changed_module_gets_a_worker_of_its_own(folder):
    before = rate(build("own:pid"))
    (folder / "own.py").write_text("def pid(candidate, reference):\n    return 5.0\n")

    assert before != rate(build("own:pid")) == [5.0]


def test_a_worker_that_ended_while_nobody_asked_is_replaced(folder):
    (pid,) = rate(build("own:pid"))
    os.kill(int(pid), signal.SIGKILL)
    wait_until(lambda: not is_running(int(pid)))
    (other,) = rate(build("own:pid"))

    assert other != pid


def test_nothing_is_started_for_scores_that_are_cached(folder, monkeypatch):
    with Cache(folder / "scores.sqlite") as cache:
        scores = rate(build("own:pid"), cache)

    def refuse(*_, **__):
        raise AssertionError("a process was started")

    monkeypatch.setattr(processes.subprocess, "Popen", refuse)
    monkeypatch.setattr(processes.PROCESSES, "_running", {})
    with Cache(folder / "scores.sqlite") as cache:
        assert rate(build("own:pid"), cache) == scores


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_what_takes_too_long_ends_with_the_processes_it_started(folder):
    errors = rate(build("own:waits", timeout=3))

    assert errors == ["no answer within 3 s; raise timeout: if it needs longer"]
    for pid in (folder / "pids").read_text().split():
        wait_until(lambda pid=pid: not is_running(pid))


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux kills orphans")
@pytest.mark.parametrize("kind", ["function", "program"])
def test_no_worker_or_program_outlives_a_run_that_is_killed(folder, kind):
    command = [sys.executable, "-c", textwrap.dedent(SCORING), kind]
    run = subprocess.Popen(command, cwd=folder)
    wait_until((folder / "pids").exists)
    worker, grandchild = (folder / "pids").read_text().split()
    run.kill()
    run.wait()

    wait_until(lambda: not is_running(worker))
    os.kill(int(grandchild), signal.SIGKILL)  # nobody can end what a metric starts by itself


def test_an_interrupt_ends_the_process_that_was_asked(folder, monkeypatch):
    """Its answer would otherwise be taken for the next one's."""

    class Interrupted:
        def put(self, answer):
            pass

        def get(self, timeout):
            raise KeyboardInterrupt

    worker = Worker()
    monkeypatch.setattr(processes, "SimpleQueue", Interrupted)
    with pytest.raises(KeyboardInterrupt):
        worker.ask({}, timeout=5)

    assert not worker.running


def test_a_process_that_reads_nothing_does_not_block(folder):
    process = Process([sys.executable, "-c", "import time; time.sleep(600)"])
    with pytest.raises(RatingFailed, match=r"no answer within 0.5 s"):
        process.ask(b"x" * 10_000_000, lambda output: output.readline(), timeout=0.5)

    assert not process.running


class Fake:
    """A process that only knows whether it was ended."""

    running = True

    def end(self):
        self.running = False


def test_a_fork_starts_programs_of_its_own(monkeypatch):
    running = Processes()
    with running.use(1, Fake) as of_parent:
        pass
    monkeypatch.setattr(processes.os, "getpid", lambda: -1)
    running.end_all()
    with running.use(1, Fake) as of_fork:
        pass

    assert of_fork is not of_parent
    assert of_parent.running


def test_the_process_used_longest_ago_makes_room(monkeypatch):
    monkeypatch.setattr(processes, "MAX_PROCESSES", 2)
    running = Processes()
    used = []
    for key in (1, 2, 1, 3):
        with running.use(key, Fake) as process:
            used.append(process)
    first, second, again, third = used
    after = [process.running for process in (first, second, third)]
    running.end_all()

    assert first is again
    assert after == [True, False, True]
    assert not first.running
    assert not third.running
