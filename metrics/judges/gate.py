"""How many requests an endpoint gets at once: fewer after it refused some, then more again."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from math import inf
from time import monotonic


class Gate:
    """Lets requests through: up to a limit, and none before the time the server asked to wait for.

    The limit is halved by refusals, once for all requests that were under way together, and grows
    by one for each round of successes.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self.limit = float(most)
        self._active = 0
        self._resume = -inf  # on the clock of `monotonic`
        self._halved = -inf
        self._waiting: deque[asyncio.Future[None]] = deque()

    def begin(self) -> None:
        """Begin in a new event loop, in which nothing is under way."""
        self._active = 0
        self._waiting.clear()

    @asynccontextmanager
    async def open(self) -> AsyncIterator[float]:
        """Wait for a place; give the time at which the request starts."""
        await self._enter()
        try:
            yield monotonic()
        finally:
            self._active -= 1
            self._let_in()

    async def _enter(self) -> None:
        while True:
            if (seconds := self._resume - monotonic()) > 0:
                await asyncio.sleep(seconds)
            elif self._active < int(self.limit):
                self._active += 1
                return
            else:
                place = asyncio.get_running_loop().create_future()
                self._waiting.append(place)
                await place

    def _let_in(self) -> None:
        free = int(self.limit) - self._active
        while self._waiting and free > 0:
            place = self._waiting.popleft()
            if not place.done():
                place.set_result(None)
                free -= 1

    def note_success(self) -> None:
        """Let the limit grow."""
        self.limit = min(self._most, self.limit + 1 / self.limit)

    def note_refusal(self, started: float) -> None:
        """Halve the limit, unless the request started before the last time it was halved."""
        if started > self._halved:
            self.limit = max(1.0, self.limit / 2)
            self._halved = monotonic()

    def pause(self, seconds: float) -> None:
        """Let no request start for so long."""
        self._resume = max(self._resume, monotonic() + seconds)
