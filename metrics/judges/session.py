"""Asks many questions at once, in a thread with an event loop of its own."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, wait
from contextlib import suppress
from typing import TYPE_CHECKING

from shakeproof.metrics.failures import Failure
from shakeproof.metrics.judges.asked import Asker, Outcome
from shakeproof.metrics.judges.connections import make_client

if TYPE_CHECKING:
    import aiohttp


class Session:
    """A batch of questions; the prompt of each is made when its turn comes.

    A question has its place until its outcome is stored, so a process that is killed loses at
    most one answer for each place. `store` is called in the thread that asks: two busy threads
    would wait for each other at every statement of SQLite.
    """

    def __init__(
        self,
        asker: Asker,
        prompts: Sequence[Callable[[], str]],
        places: int,
        store: Callable[[Sequence[Outcome]], None],
    ) -> None:
        self._asker = asker
        self._prompts = prompts
        self._places = min(places, len(prompts))
        self._store = store
        self._positions = deque(range(len(prompts)))
        self._unstored: list[Outcome] = []
        self._task: asyncio.Task[None] | None = None
        self._workers: Sequence[asyncio.Task[None]] = ()
        self._ended: Future[None] = Future()

    def run(self) -> None:
        """Ask everything, and return when it is stored; an interrupted run keeps its answers."""
        loop = asyncio.new_event_loop()
        thread = threading.Thread(
            target=self._run, args=(loop,), name="shakeproof-judge", daemon=True
        )
        thread.start()
        try:
            wait([self._ended])  # `join` forgets a running thread if it is interrupted (bpo-45274)
        except BaseException:
            with suppress(RuntimeError):  # the loop is closed: everything has ended
                loop.call_soon_threadsafe(self._end)
            wait([self._ended])
            raise
        thread.join()
        self._ended.result()

    def _end(self) -> None:
        """Ask nothing more, and wait for no answer."""
        self._positions.clear()
        if self._task is not None:
            self._task.cancel()

    def _run(self, loop: asyncio.AbstractEventLoop) -> None:
        try:
            with asyncio.Runner(loop_factory=lambda: loop) as runner:
                runner.run(self._ask_all())
        except BaseException as error:  # raised again in the thread that waits
            self._ended.set_exception(error)
        else:
            self._ended.set_result(None)

    async def _ask_all(self) -> None:
        """Ask everything, the first question of a run alone."""
        self._task = asyncio.current_task()
        self._asker.gate.begin()
        async with make_client(self._asker.server, self._places) as client:
            try:
                if self._positions and not self._asker.state.answered:  # is there a server at all?
                    await self._ask_next(client)
                async with asyncio.TaskGroup() as group:
                    rest = (self._ask_rest(client) for _ in range(self._places))
                    self._workers = [group.create_task(one) for one in rest]
            except ExceptionGroup as errors:
                raise errors.exceptions[0] from None
            finally:
                self._store_all()  # what came at the moment of an interruption

    async def _ask_rest(self, client: aiohttp.ClientSession) -> None:
        while self._positions:
            await self._ask_next(client)

    async def _ask_next(self, client: aiohttp.ClientSession) -> None:
        position = self._positions.popleft()
        outcome = await self._asker.outcome(client, position, self._prompts[position])
        if outcome.gives_up and isinstance(outcome.result, Failure):
            self._stop(outcome.result)
        self._unstored.append(outcome)
        await asyncio.sleep(0)  # outcomes of the same moment are stored together
        self._store_all()

    def _store_all(self) -> None:
        if self._unstored:
            outcomes, self._unstored = self._unstored, []
            self._store(outcomes)

    def _stop(self, failure: Failure) -> None:
        """Ask nothing more; answers that are under way are waited for, as they may be paid for."""
        self._asker.state.failure = self._asker.state.failure or failure
        self._positions.clear()
        for worker in self._workers:
            if worker not in self._asker.sending and worker is not asyncio.current_task():
                worker.cancel()
