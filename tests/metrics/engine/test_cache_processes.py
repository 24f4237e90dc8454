"""A score cache that several processes use: kill -9, writing at the same time, the lock."""

import errno
import signal
import subprocess
import sys
import textwrap

import pytest
from odd_pairs import PAIRS, SCORES
from waiting import PATIENCE, wait_until

from shakeproof.metrics.engine.cache import Cache
from shakeproof.metrics.engine.database import CacheError


def run_python(code, *arguments):
    return subprocess.Popen([sys.executable, "-c", textwrap.dedent(code), *map(str, arguments)])


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs kill -9")
def test_what_was_written_before_kill_9_survives(path):
    code = """
        import os, signal, sys
        from pathlib import Path
        import numpy as np
        from shakeproof.metrics.engine.cache import Cache
        cache = Cache(Path(sys.argv[1]))
        cache.put_many("m", [("a", "b")], np.array([0.25]))
        os.kill(os.getpid(), signal.SIGKILL)
    """
    assert run_python(code, path).wait() == -signal.SIGKILL
    with Cache(path) as cache:
        scores, known = cache.get_many("m", [("a", "b")])

    assert known.all()
    assert scores.tolist() == [0.25]


def test_processes_write_at_the_same_time(path):
    code = """
        import sys
        from pathlib import Path
        import numpy as np
        from shakeproof.metrics.engine.cache import Cache
        with Cache(Path(sys.argv[1])) as cache:
            for n in range(50):
                cache.put_many("m", [(sys.argv[2], str(n))], np.array([float(n)]))
    """
    workers = [run_python(code, path, name) for name in "abcd"]

    assert [worker.wait() for worker in workers] == [0, 0, 0, 0]
    with Cache(path) as cache:
        assert cache.info().scores == {"m": 200}


def test_the_lock_keeps_another_process_waiting_until_its_holder_dies(path):
    code = """
        import sys, time
        from pathlib import Path
        from shakeproof.metrics.engine.cache import Cache
        with Cache(Path(sys.argv[1])) as cache, cache.lock():
            Path(sys.argv[2]).touch()
            time.sleep(float(sys.argv[3]))
    """
    first_in, second_in = path.parent / "first", path.parent / "second"
    first = run_python(code, path, first_in, 600)
    wait_until(first_in.exists)
    second = run_python(code, path, second_in, 0)
    with pytest.raises(subprocess.TimeoutExpired):
        second.wait(timeout=1.5)
    held_back = not second_in.exists()
    first.kill()
    first.wait()

    assert held_back
    assert second.wait(timeout=PATIENCE) == 0


def test_a_lock_file_that_is_left_over_blocks_nobody(path):
    path.parent.mkdir()
    path.with_name("scores.sqlite.lock").write_text("4711")
    for _ in range(2):
        with Cache(path) as cache, cache.lock():
            cache.put_many("m", PAIRS, SCORES)

    assert path.with_name("scores.sqlite.lock").exists()


def test_a_lock_that_the_system_would_not_free_is_refused(path, monkeypatch):
    """Where the file system has no locks, a file that marks the lock would outlive a kill -9."""
    fcntl = pytest.importorskip("fcntl")

    def no_locks(*_):
        raise OSError(errno.ENOSYS, "not here")

    monkeypatch.setattr(fcntl, "flock", no_locks)
    with Cache(path) as cache, pytest.raises(CacheError, match="not here"):
        cache.lock().__enter__()


def test_a_cache_in_memory_needs_no_lock():
    with Cache() as cache, cache.lock(), cache.lock():
        assert cache.path is None
