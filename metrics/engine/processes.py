"""Programs that rate texts beside this process: a time limit, a longest answer, a clean end."""

from __future__ import annotations

import atexit
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from tempfile import TemporaryFile
from threading import Lock, Thread
from typing import IO, Protocol, TypeAlias, TypeVar, cast

from shakeproof.metrics.failures import MAX_DETAIL, Failure, RatingFailed, one_line

Read: TypeAlias = Callable[[IO[bytes]], bytes]  # reads one answer; b"" if there is none

TIMEOUT = 600.0  # seconds for an answer, if a metric names no other limit
MAX_PROCESSES = 16  # kept running; the one that was used longest ago makes room
WAIT = 2.0  # seconds for a process to end whose output has ended
MAX_ERROR_TEXT = 4_096  # bytes at the end of the error output that are read for a message

# Start a program that the kernel kills when this process dies, whatever kills it.
LAUNCHER = """\
import ctypes, os, signal, sys
ctypes.CDLL(None).prctl(1, signal.SIGKILL)
if os.getppid() != int(sys.argv[1]):
    sys.exit("the process that started this one has ended")
os.execvp(sys.argv[2], sys.argv[2:])
"""


# Run `main` of a module of ours with the same sys.path.
PROGRAM = (
    "import json, sys; sys.path[:] = json.loads(sys.argv.pop(1)); "
    "from {module} import main; main(*[int(sys.argv.pop(1)) for _ in sys.argv[1:]])"
)


def python_command(module: str, *numbers: int) -> list[str]:
    """Return the command that calls `main` of a module with numbers, in a fresh Python."""
    program = PROGRAM.format(module=module)
    return [sys.executable, "-P", "-c", program, json.dumps(sys.path), *map(str, numbers)]


class Process:
    """A running program that answers one question after the other."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        folder: Path | None = None,
        keep_errors: bool = False,
        shared_files: Sequence[int] = (),
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self._errors = TemporaryFile() if keep_errors else None  # noqa: SIM115  # closed in `end`
        self._process = subprocess.Popen(
            [*_launcher(), *command],
            cwd=folder,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            pass_fds=shared_files,
            start_new_session=os.name == "posix",  # so that its own children end with it
        )
        self._thread: Thread | None = None  # that waits for an answer

    @property
    def running(self) -> bool:
        """Return whether the process has not ended."""
        return self._process.poll() is None

    def ask(self, question: bytes, read: Read, *, timeout: float) -> bytes:
        """Send a question and wait for the answer; without one, end the process and raise."""
        answers: SimpleQueue[bytes | Exception] = SimpleQueue()
        exchange = (question, read, answers)
        self._thread = Thread(target=self._exchange, args=exchange, daemon=True)
        self._thread.start()
        try:
            answer = answers.get(timeout=timeout)
        except Empty:
            self.end()
            failure = Failure(f"no answer within {timeout:g} s; raise timeout: if it needs longer")
            raise RatingFailed(failure, timed_out=True) from None
        except BaseException:  # an interrupt: the answer would be taken for the next one's
            self.end()
            raise
        if isinstance(answer, RatingFailed):
            self.end()
            raise answer
        if not answer or isinstance(answer, Exception):
            raise RatingFailed(self._ended())
        return answer

    def _exchange(
        self, question: bytes, read: Read, answers: SimpleQueue[bytes | Exception]
    ) -> None:
        """Write the question and read the answer, while another thread watches the time."""
        stdin, stdout = self._process.stdin, self._process.stdout
        try:
            if stdin is None or stdout is None:
                raise OSError("no pipes")
            with suppress(BrokenPipeError):  # then there is no answer either
                stdin.write(question)
                stdin.flush()
            answers.put(read(stdout))
        except Exception as error:  # the waiting thread raises it
            answers.put(error)

    def listen(self, read: Read, take: Callable[[bytes], None]) -> None:
        """Take answers as they come, in another thread; the last one is b""."""

        def take_all() -> None:
            answer = b"-"
            while answer and self._process.stdout is not None:
                answer = read(self._process.stdout)
                take(answer)

        self._thread = Thread(target=take_all, daemon=True)
        self._thread.start()

    def send(self, question: bytes) -> None:
        """Send a question without waiting for the answer; one to a process that ended is lost."""
        if self._process.stdin is not None:
            with suppress(BrokenPipeError):
                self._process.stdin.write(question)
                self._process.stdin.flush()

    def how_it_ended(self) -> str:
        """Return the exit code or the signal that ended the process."""
        try:
            code = self._process.wait(WAIT)
        except subprocess.TimeoutExpired:
            return "the process closed its output"
        how = f"signal {-code} ({_signal_name(-code)})" if code < 0 else f"exit code {code}"
        return f"the process ended with {how}"

    def _ended(self) -> Failure:
        """Describe how the process ended, with the last line of its error output."""
        kind, detail = self.how_it_ended(), self._last_error_line()
        self.end()
        return Failure(kind, detail)

    def _last_error_line(self) -> str:
        if self._errors is None:
            return ""
        size = self._errors.seek(0, os.SEEK_END)
        self._errors.seek(max(0, size - MAX_ERROR_TEXT))
        lines = self._errors.read().decode("utf-8", "replace").strip().splitlines()
        return one_line(lines[-1], MAX_DETAIL) if lines else "it wrote no error message"

    def end(self) -> None:
        """Kill the process and those it started, and close its files."""
        with suppress(OSError):
            if os.name == "posix":
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(WAIT)
        if self._thread is not None:
            self._thread.join(WAIT)
            if self._thread.is_alive():  # some other process has the pipe: closing would block
                return
        for file in (self._process.stdin, self._process.stdout, self._errors):
            if file is not None:
                with suppress(OSError, ValueError):  # some of a question may still be unsent
                    file.close()


class Running(Protocol):
    """A process, or what has one."""

    @property
    def running(self) -> bool:
        """Return whether the process has not ended."""
        ...

    def end(self) -> None:
        """End the process."""
        ...


T = TypeVar("T", bound=Running)


class Processes:
    """The programs that are running, by what started them."""

    def __init__(self) -> None:
        self._running: dict[Hashable, Running] = {}
        self._lock = Lock()
        self._owner = os.getpid()  # a fork of this process must not end them
        atexit.register(self.end_all)

    @contextmanager
    def use(self, key: Hashable, start: Callable[[], T]) -> Iterator[T]:
        """Ask the program of a key, which is started if it does not run; one thread at a time."""
        with self._lock:
            yield self._get(key, start)

    def _get(self, key: Hashable, start: Callable[[], T]) -> T:
        if os.getpid() != self._owner:  # this is a fork: the programs belong to its parent
            self._running, self._owner = {}, os.getpid()
        process = cast("T | None", self._running.pop(key, None))
        if process is not None and not process.running:
            process.end()
            process = None
        process = process or start()
        self._running[key] = process  # the last one is the one used last
        while len(self._running) > MAX_PROCESSES:
            self._running.pop(next(iter(self._running))).end()
        return process

    def end_all(self) -> None:
        """End all programs."""
        while self._running and os.getpid() == self._owner:
            self._running.popitem()[1].end()


PROCESSES = Processes()


def _launcher() -> list[str]:
    if sys.platform != "linux":
        return []
    return [sys.executable, "-I", "-S", "-c", LAUNCHER, str(os.getpid())]


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return "unknown"
