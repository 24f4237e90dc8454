"""Asks many questions at once, in a thread with an event loop of its own."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable, Generator, Sequence
from contextlib import AsyncExitStack
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, TypeAlias

from shakeproof.metrics.failures import Failure
from shakeproof.metrics.judges.asked import Asker, Outcome
from shakeproof.metrics.judges.client import Silence, make_connection, make_context

if TYPE_CHECKING:
    import httpx

Entry: TypeAlias = tuple[Outcome, asyncio.Event]  # the event is set once the outcome is stored


class Session:
    """A batch of questions; the prompt of each is made when its turn comes.

    A question has its place until its outcome is stored, so a process that is killed loses at
    most one answer for each place.
    """

    def __init__(self, asker: Asker, prompts: Sequence[Callable[[], str]], places: int) -> None:
        self._asker = asker
        self._prompts = prompts
        self._places = min(places, len(prompts))
        self._positions = deque(range(len(prompts)))
        self._entries: SimpleQueue[Entry | None] = SimpleQueue()  # None: no more will come
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[None] | None = None
        self._workers: Sequence[asyncio.Task[None]] = ()
        self._error: BaseException | None = None

    def outcomes(self) -> Generator[list[Outcome], None, None]:
        """Yield outcomes as they come; the caller stores them before it asks for more."""
        thread = threading.Thread(target=self._run, name="shakeproof-judge", daemon=True)
        thread.start()
        try:
            while entries := self._next_entries():
                yield [outcome for outcome, _ in entries]
                self._call(*(stored.set for _, stored in entries))
        finally:
            self._call(self._cancel)
            thread.join()
        if self._error is not None:
            raise self._error

    def _next_entries(self) -> list[Entry]:
        """Wait for an outcome and take all that are there; none at the end."""
        entries: list[Entry] = []
        while (entry := self._entries.get()) is not None:
            entries.append(entry)
            if self._entries.empty():
                return entries
        self._entries.put(None)  # for the next call
        return entries

    def _call(self, *functions: Callable[[], Any]) -> None:
        """Call functions in the thread of the questions, unless it has ended."""
        loop = self._loop
        if loop is not None and not loop.is_closed():
            try:
                loop.call_soon_threadsafe(lambda: [function() for function in functions])
            except RuntimeError:  # closed meanwhile
                return

    def _cancel(self) -> None:
        if self._task is not None:
            self._task.cancel()

    def _run(self) -> None:
        try:
            with Silence(), asyncio.Runner() as runner:
                self._loop = runner.get_loop()
                runner.run(self._ask_all())
        except asyncio.CancelledError:
            return
        except BaseException as error:  # raised again in the thread that waits
            self._error = error
        finally:
            self._entries.put(None)

    async def _ask_all(self) -> None:
        """Ask everything, the first question of a run alone."""
        self._task = asyncio.current_task()
        self._asker.gate.begin()
        endpoint, context = self._asker.server.endpoint, make_context()
        async with AsyncExitStack() as stack:
            connections = [make_connection(endpoint, context) for _ in range(self._places)]
            for connection in connections:
                await stack.enter_async_context(connection)
            if not self._asker.state.answered:  # it shows whether there is a server at all
                await self._ask_next(connections[0])
            self._workers = [asyncio.create_task(self._ask_rest(one)) for one in connections]
            for ended in await asyncio.gather(*self._workers, return_exceptions=True):
                if isinstance(ended, Exception):  # a worker that was stopped is no error
                    raise ended

    async def _ask_rest(self, connection: httpx.AsyncHTTPTransport) -> None:
        while self._positions:
            await self._ask_next(connection)

    async def _ask_next(self, connection: httpx.AsyncHTTPTransport) -> None:
        position = self._positions.popleft()
        outcome = await self._asker.outcome(connection, position, self._prompts[position])
        if outcome.gives_up and isinstance(outcome.result, Failure):
            self._stop(outcome.result)
        stored = asyncio.Event()
        self._entries.put((outcome, stored))
        await stored.wait()

    def _stop(self, failure: Failure) -> None:
        """Ask nothing more; answers that are under way are waited for, as they may be paid for."""
        self._asker.state.failure = self._asker.state.failure or failure
        self._positions.clear()
        for worker in self._workers:
            if worker not in self._asker.sending and worker is not asyncio.current_task():
                worker.cancel()
