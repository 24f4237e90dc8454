"""Calling a user's function for many tuples of texts, in this process or in a worker."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

from shakeproof.metrics.failures import Failure, RatingFailed, as_score, failure_of

Rated: TypeAlias = list[float | Failure]  # one entry for each tuple, in order

FIRST_CALLS = 5  # if all of them raise, the others are not tried
IN_PROCESS = (Exception, SystemExit)  # what a function may raise without ending our process


def rate_each(
    function: Callable[..., Any],
    tuples: Sequence[Sequence[str]],
    *,
    begin: Callable[[int], None] = lambda _: None,
    caught: tuple[type[BaseException], ...] = IN_PROCESS,
) -> Rated:
    """Call a function for each tuple; one that raises has no score.

    If the first calls all raise, the first exception stands for the batch. `begin` is told the
    position of each tuple before the call.
    """
    rated: Rated = []
    raised = 0
    for position, texts in enumerate(tuples):
        begin(position)
        try:
            rated.append(as_score(function(*texts)))
        except RatingFailed:  # of a function of ours: no other tuple would fare better
            raise
        except caught as error:
            rated.append(failure_of(error, rate_each.__code__))
            raised += 1
            if raised == len(rated) == min(FIRST_CALLS, len(tuples)):
                raise RatingFailed(rated[0]) from error  # type: ignore[arg-type]  # all are Failures
    return rated


def rate_together(
    function: Callable[..., Any],
    arguments: Sequence[Any],
    count: int,
    *,
    caught: tuple[type[BaseException], ...] = IN_PROCESS,
) -> Rated:
    """Call a function once for `count` tuples; it must return as many scores."""
    try:
        returned = function(*arguments)
        values = list(returned) if isinstance(returned, Iterable) else None
    except caught as error:
        raise RatingFailed(failure_of(error, rate_together.__code__)) from error
    if values is None:
        number = as_score(returned)
        shown = number.detail if isinstance(number, Failure) else number
        message = f"the function returned {shown}; called with lists, it must return a list"
        raise RatingFailed(Failure("TypeError", message), permanent=True)
    if len(values) != count:
        raise wrong_length(len(values), count)
    return [as_score(value) for value in values]


def wrong_length(scores: int, tuples: int) -> RatingFailed:
    """Return the error of a scorer that returns more or fewer scores than it got tuples."""
    message = f"{scores} scores came back for {tuples} tuples of texts; each needs one"
    return RatingFailed(Failure("ValueError", message), permanent=True)
