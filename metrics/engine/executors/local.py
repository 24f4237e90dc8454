"""Worker processes on this machine, started fresh, which share its cores and GPUs."""

from __future__ import annotations

import marshal
import os
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue

from shakeproof.metrics.engine.executors.recipes import Plain
from shakeproof.metrics.engine.executors.workers import Answer, Ended, Event, Ready
from shakeproof.metrics.engine.processes import Process, python_command
from shakeproof.metrics.engine.worker import message, read_message
from shakeproof.metrics.models.devices import require_device

PROGRAM = "shakeproof.metrics.engine.executors.local_worker"
THREADS = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "RAYON_NUM_THREADS")
VISIBLE_GPUS = "CUDA_VISIBLE_DEVICES"
NEVER_MISSING = ("auto", "cpu")
MAX_AUTO = 8  # processes, each with its own copy of a model


class LocalWorkers:
    """Processes on this machine that answer requests."""

    def __init__(
        self,
        recipes: Sequence[Plain],
        size: int,
        gpus: Sequence[str] = (),  # shared out to the workers, if there are several
        devices: Sequence[str] = (),  # that must be there before the first worker is started
    ) -> None:
        self._recipes = marshal.dumps(list(recipes))
        self.size = size
        self._gpus = gpus
        self._unchecked = [device for device in devices if device not in NEVER_MISSING]
        self._processes: dict[int, Process] = {}
        self._places: dict[int, int] = {}  # by worker, from 0 to size - 1
        self._events: SimpleQueue[Event] = SimpleQueue()

    def start(self, worker: int) -> None:
        while self._unchecked:
            require_device(self._unchecked.pop(0))
        self._places[worker] = min({*range(self.size)} - {*self._places.values()})
        environment = self._environment(self._places[worker])
        process = Process(python_command(PROGRAM), environment=environment)
        self._processes[worker] = process

        def take(content: bytes) -> None:
            if not content:
                self._events.put(Ended(worker, process.how_it_ended()))
                return
            answer = marshal.loads(content)
            self._events.put(Answer(worker, *answer) if answer else Ready(worker))

        process.listen(read_message, take)
        process.send(message(self._recipes))

    def _environment(self, place: int) -> Mapping[str, str]:
        """Return the variables that share out cores and, where there are several, GPUs."""
        threads = str(max(1, cores() // self.size))
        shared = {name: threads for name in THREADS if name not in os.environ}
        if len(self._gpus) > 1:
            shared[VISIBLE_GPUS] = self._gpus[place % len(self._gpus)]
        return {**os.environ, **shared}

    def send(self, worker: int, number: int, request: Plain) -> None:
        self._processes[worker].send(message(marshal.dumps([number, request])))

    def receive(self) -> list[Event]:
        events = [self._events.get()]
        with suppress(Empty):
            while True:
                events.append(self._events.get_nowait())
        return events

    def end(self, worker: int) -> None:
        del self._places[worker]
        self._processes.pop(worker).end()

    def close(self) -> None:
        for worker in list(self._processes):
            self.end(worker)


def automatic_size() -> int:
    """Return as many workers as there are GPUs, or cores, up to a few."""
    return len(gpu_names()) or min(cores(), MAX_AUTO)


def cores() -> int:
    """Count the processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def gpu_names(numbers: Sequence[int] | None = None) -> list[str]:
    """Return the names under which CUDA knows the GPUs of some numbers, or all of this process.

    CUDA numbers the GPUs that it finds from 0, whatever the numbers of their files are: a
    container may have the file of the third GPU alone.
    """
    if VISIBLE_GPUS in os.environ:
        visible = [name for name in os.environ[VISIBLE_GPUS].split(",") if name.strip()]
        chosen = range(len(visible)) if numbers is None else numbers
        return [visible[number] for number in chosen if number < len(visible)]
    if numbers is None:
        files = (re.fullmatch(r"nvidia\d+", path.name) for path in Path("/dev").glob("nvidia*"))
        numbers = range(sum(map(bool, files)))
    return [str(number) for number in numbers]
