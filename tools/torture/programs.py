"""Start programs as a user does, and measure how long they take and how much memory they need."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

PYTEST = (sys.executable, "-m", "pytest", "-p", "no:cacheprovider")
SHAKEPROOF = (sys.executable, "-m", "shakeproof")
TIMED_OUT = 124
MARK = "SHAKEPROOF_TORTURE"  # in the environment of everything that a campaign starts
TRACEBACKS = ("Traceback (most recent call last)", "INTERNALERROR")


@dataclass(frozen=True, slots=True)
class Ended:
    """How a program ended."""

    code: int
    seconds: float
    processor_seconds: float  # what other programs do at the same time does not count
    megabytes: float
    output: str

    @property
    def has_traceback(self) -> bool:
        """Return whether the output shows an error of Python's."""
        return any(words in self.output for words in TRACEBACKS)

    @property
    def last_line(self) -> str:
        """Return the last line of the output that is not empty."""
        return next((line for line in reversed(self.output.splitlines()) if line.strip()), "")


def environment(more: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the environment of the programs that are started."""
    return {**os.environ, "COLUMNS": "200", MARK: str(os.getpid()), **(more or {})}


def run(
    command: Sequence[str | Path],
    folder: Path,
    *,
    seconds: float = 300,
    kill_after: float | None = None,
    env: Mapping[str, str] | None = None,
) -> Ended:
    """Run a program; after `kill_after` seconds its first process gets SIGKILL."""
    start = time.monotonic()
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            list(map(str, command)),
            cwd=folder,
            env=environment(env),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        code, processor_seconds, megabytes = _wait(process.pid, start, kill_after, seconds)
        process.returncode = code
        output.seek(0)
        text = output.read().decode("utf-8", "replace")
    return Ended(code, time.monotonic() - start, processor_seconds, megabytes, text)


def _wait(
    pid: int, start: float, kill_after: float | None, limit: float
) -> tuple[int, float, float]:
    """Wait for a process; return its exit code, processor time, and the most memory, in MB."""
    killed = timed_out = False
    megabytes = 0.0
    while True:
        megabytes = max(megabytes, _peak_memory(pid))
        ended, status, used = os.wait4(pid, os.WNOHANG)
        passed = time.monotonic() - start
        if ended:
            code = TIMED_OUT if timed_out else os.waitstatus_to_exitcode(status)
            return code, used.ru_utime + used.ru_stime, megabytes
        if kill_after is not None and passed > kill_after and not killed:
            os.kill(pid, signal.SIGKILL)
            killed = True
        if passed > limit and not timed_out:
            with suppress(ProcessLookupError):
                os.killpg(pid, signal.SIGKILL)
            timed_out = True
        time.sleep(0.01)


def _peak_memory(pid: int) -> float:
    """Return the most memory that a process had so far; what its parent had does not count."""
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text("utf-8").splitlines():
            if line.startswith("VmHWM"):
                return int(line.split()[1]) / 1000
    return 0.0


def processes_left(patience: float = 5.0) -> list[str]:
    """Return the commands of processes that campaigns started and that are still there."""
    deadline = time.monotonic() + patience
    while left := list(_started_processes()):
        if time.monotonic() > deadline:
            return left
        time.sleep(0.1)
    return []


def _started_processes() -> Iterator[str]:
    mark = f"{MARK}={os.getpid()}".encode()
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if mark in (folder / "environ").read_bytes().split(b"\0"):
                command = (folder / "cmdline").read_bytes().replace(b"\0", b" ")
                if command.strip():  # a zombie has none
                    yield command.decode("utf-8", "replace")


@contextmanager
def mounted(folder: Path, size: str) -> Iterator[Path]:
    """Mount a small disk in memory; only root can."""
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", folder], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)
