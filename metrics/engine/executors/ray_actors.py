"""Workers on a Ray cluster: one actor each, on whichever node has a free core or GPU.

Ray is imported here alone, and this module only if the user asks for a cluster.
"""

from __future__ import annotations

import logging
import os
import socket
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import ray
from ray.exceptions import RayActorError, RayError

from shakeproof.metrics.engine.executors.rating import Rater
from shakeproof.metrics.engine.executors.recipes import Plain
from shakeproof.metrics.engine.executors.workers import Answer, Ended, Event, Ready, WorkersFailed
from shakeproof.metrics.failures import one_line

CLUSTER_OF_THIS_MACHINE = "auto"
LEFT_OUT = [".git", ".venv", ".shakeproof", "__pycache__", "*.sqlite*"]  # of a working folder
WAIT = 1.0  # seconds without an answer after which the size of the cluster is looked at again
LOOK_AGAIN = 5.0  # seconds until the resources of the cluster are asked for again
CONNECT_TIMEOUT = 10.0  # seconds
CONNECT_ATTEMPTS = 3  # the process that Ray starts for a client may end before it serves
MAX_REASON = 200  # characters of an error of Ray
ENDED = "the process of the Ray actor ended"


class RayWorkers:
    """Actors that answer requests; one that ends is replaced by the pool, not by Ray.

    `folder` is copied to all nodes, so that they find the modules and files of the user in it.
    An actor gets one GPU if the cluster has any, unless another number is chosen.
    """

    def __init__(
        self,
        recipes: Sequence[Plain],
        address: str,
        *,
        folder: Path | None,
        gpus_per_worker: float | None = None,
    ) -> None:
        self._recipes = list(recipes)
        self._chosen_gpus = gpus_per_worker
        self._connected = connect(address, folder)
        self._actors: dict[int, Any] = {}
        self._waiting: dict[Any, tuple[int, int | None]] = {}  # reference -> worker, number
        self._counted = (0.0, 0)  # when, and how many workers the cluster had room for

    @property
    def size(self) -> int:
        """Return for how many actors the nodes have room; nodes may join and leave."""
        when, count = self._counted
        if not count or time.monotonic() - when > LOOK_AGAIN:
            nodes = [node["Resources"] for node in ray.nodes() if node["Alive"]]
            count = max(1, sum(room_on(node, self._gpus()) for node in nodes))
            self._counted = time.monotonic(), count
        return count

    def _gpus(self) -> float:
        """Return how many GPUs an actor gets."""
        if self._chosen_gpus is not None:
            return self._chosen_gpus
        return 1.0 if ray.cluster_resources().get("GPU") else 0.0

    def start(self, worker: int) -> None:
        actor = ray.remote(Rater).options(num_cpus=1, num_gpus=self._gpus(), max_restarts=0)
        self._actors[worker] = actor.remote(self._recipes)
        self._waiting[self._actors[worker].ready.remote()] = worker, None

    def send(self, worker: int, number: int, request: Plain) -> None:
        self._waiting[self._actors[worker].rate.remote(request)] = worker, number

    def receive(self) -> list[Event]:
        ready, _ = ray.wait(list(self._waiting), num_returns=1, timeout=WAIT)
        if ready:
            ready, _ = ray.wait(list(self._waiting), num_returns=len(self._waiting), timeout=0)
        done = {*ready}
        events = [self._event(one) for one in list(self._waiting) if one in done]  # as sent
        return [event for event in events if event is not None]

    def _event(self, reference: Any) -> Event | None:  # noqa: ANN401  # of Ray
        if reference not in self._waiting:  # of a worker that has ended
            return None
        worker, number = self._waiting.pop(reference)
        try:
            answer = ray.get(reference)
        except RayActorError as error:
            self._forget(worker)
            return Ended(worker, ENDED if number is not None else _reason(error))
        return Ready(worker) if number is None else Answer(worker, number, answer)

    def _forget(self, worker: int) -> None:
        self._waiting = {
            reference: entry for reference, entry in self._waiting.items() if entry[0] != worker
        }

    def end(self, worker: int) -> None:
        self._forget(worker)
        ray.kill(self._actors.pop(worker), no_restart=True)

    def close(self) -> None:
        for worker in list(self._actors):
            self.end(worker)
        if self._connected:
            ray.shutdown()


def room_on(node: Mapping[str, float], gpus: float) -> int:
    """Count the actors that a node has resources for, with a core and so many GPUs each."""
    cores = int(node.get("CPU", 0))
    return min(cores, int(node.get("GPU", 0) / gpus)) if gpus else cores


def connect(address: str, folder: Path | None) -> bool:
    """Connect to a cluster, unless this process is connected; return whether it was not."""
    if ray.is_initialized():
        return False
    address = address or os.environ.get("RAY_ADDRESS", "")
    if address and not _answers(address):
        raise WorkersFailed(f"there is no Ray cluster at {address}")
    environment = {"working_dir": str(folder), "excludes": LEFT_OUT} if folder else None
    try:
        _connect(address or CLUSTER_OF_THIS_MACHINE, environment)
    except ConnectionError as error:
        if address:
            raise WorkersFailed(f"the Ray cluster at {address}: {_reason(error)}") from error
        raise WorkersFailed(
            "there is no Ray cluster on this machine; start one with: ray start --head"
        ) from None
    except (ImportError, RayError, RuntimeError, ValueError) as error:
        raise WorkersFailed(f"Ray: {_reason(error)}") from error
    return True


def _connect(address: str, environment: Mapping[str, Any] | None) -> None:
    """Connect to a cluster; a client's connection is tried again."""
    attempts = CONNECT_ATTEMPTS if address.startswith("ray://") else 1
    for attempt in range(1, attempts + 1):
        try:
            ray.init(
                address=address,
                runtime_env=environment,
                logging_level=logging.ERROR,
                log_to_driver=False,
            )
        except ConnectionError:
            if attempt == attempts:
                raise
        else:
            return


def _answers(address: str) -> bool:
    """Return whether something listens at an address; Ray itself would wait for minutes."""
    parts = urlsplit(address if "://" in address else f"ray://{address}")
    if not parts.hostname or not parts.port:
        return True  # another form, which Ray may know
    try:
        socket.create_connection((parts.hostname, parts.port), timeout=CONNECT_TIMEOUT).close()
    except OSError:
        return False
    return True


def _reason(error: Exception) -> str:
    """Return the last line of an error of Ray, which says most."""
    lines = [line for line in str(error).splitlines() if line.strip()]
    return one_line(lines[-1] if lines else type(error).__name__, MAX_REASON)
