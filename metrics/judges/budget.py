"""A budget of calls and tokens that is never exceeded: it is reserved before each call."""

from __future__ import annotations

import asyncio

from shakeproof.metrics.asking import Usage
from shakeproof.metrics.failures import Failure


class BudgetSpent(Exception):
    """A call would exceed the budget."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.reason)
        self.failure = failure


class Budget:
    """What may still be spent, by all draws of a metric in one run; None: without limit.

    A call is reserved with the most tokens that it can take. If too little is left while other
    calls have reservations, it waits for them, because most take less than they reserved.
    """

    def __init__(self, calls: int | None = None, tokens: int | None = None) -> None:
        self._calls, self._tokens = calls, tokens
        self._spent_calls = self._spent_tokens = 0
        self._reserved_calls = self._reserved_tokens = 0
        self._settled = asyncio.Event()

    def begin(self, spent: Usage) -> None:
        """Begin to ask; `spent` is what the run has spent so far as the cache counts it."""
        tokens = spent.input_tokens + spent.output_tokens
        self._spent_calls = max(self._spent_calls, spent.calls)
        self._spent_tokens = max(self._spent_tokens, tokens)
        self._reserved_calls = self._reserved_tokens = 0
        self._settled = asyncio.Event()

    async def reserve(self, tokens: int) -> None:
        """Reserve a call with at most so many tokens; raise BudgetSpent if it does not fit."""
        while failure := self._exceeded(tokens):
            if not self._reserved_calls:
                raise BudgetSpent(failure)
            self._settled.clear()
            await self._settled.wait()
        self._reserved_calls += 1
        self._reserved_tokens += tokens

    def settle(self, reserved: int, used: int | None) -> None:
        """Count a call with the tokens it used; all that it reserved if that is not known."""
        self.give_back(reserved)
        self._spent_calls += 1
        self._spent_tokens += reserved if used is None else used

    def give_back(self, reserved: int) -> None:
        """Take back the reservation of a call that the server did not take."""
        self._reserved_calls -= 1
        self._reserved_tokens -= reserved
        self._settled.set()

    def _exceeded(self, tokens: int) -> Failure | None:
        calls = self._spent_calls + self._reserved_calls + 1
        if self._calls is not None and calls > self._calls:
            return Failure(f"the budget of {self._calls:,} calls is spent")
        total = self._spent_tokens + self._reserved_tokens + tokens
        if self._tokens is not None and total > self._tokens:
            return Failure(f"the budget of {self._tokens:,} tokens is spent")
        return None
