"""What a worker does: it builds scorers by recipes, rates requests, and returns plain data."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter

import numpy as np

from shakeproof.metrics.engine.executors.recipes import (
    BuiltScorers,
    CannotBuild,
    Plain,
    Source,
    recipe_from,
)
from shakeproof.metrics.engine.jobs import Job, score
from shakeproof.metrics.engine.retries import rate_or_fail
from shakeproof.metrics.failures import Failure, RatingFailed
from shakeproof.metrics.protocols import ScoreColumn


def to_request(job: Job, sources: Sequence[Source]) -> Plain:
    """Write a chunk as plain data: where its scorers come from, and its texts."""
    scorers = [
        [scorer.signature, *source] for scorer, source in zip(job.scorers, sources, strict=True)
    ]
    return {"scorers": scorers, "tuples": [list(texts) for texts in job.tuples]}


class Rater:
    """Rates one request after the other; models stay loaded in between."""

    def __init__(self, recipes: Sequence[Plain]) -> None:
        self._built = BuiltScorers([recipe_from(recipe) for recipe in recipes])

    def ready(self) -> None:
        """Return once this process has started."""

    def rate(self, request: Plain) -> Plain:
        """Return columns of scores and the seconds they took, or why there are none."""
        try:
            scorers = tuple(
                self._built.scorer(signature, (number, name))
                for signature, number, name in request["scorers"]
            )
            started = perf_counter()
            columns = rate_or_fail(score, Job(scorers, tuple(map(tuple, request["tuples"]))))
        except CannotBuild as error:
            return {"cannot build": str(error)}
        except RatingFailed as failed:
            return {
                "failed": _values(failed.failure),
                "position": failed.position,
                "timed out": failed.timed_out,
                "permanent": failed.permanent,
            }
        return {
            "columns": [_plain(column) for column in columns],
            "seconds": perf_counter() - started,
        }


def _plain(column: ScoreColumn) -> list[object]:
    failures = {at: _values(failure) for at, failure in column.failures.items()}
    return [np.asarray(column.scores, dtype="<f8").tobytes(), failures]


def _values(failure: Failure) -> list[str]:
    return [failure.kind, failure.detail, failure.traceback]


def columns_of(answer: Plain) -> list[ScoreColumn]:
    """Read the columns of an answer; raise RatingFailed if it has none."""
    if "failed" in answer:
        raise RatingFailed(
            Failure(*answer["failed"]),
            position=answer["position"],
            timed_out=answer["timed out"],
            permanent=answer["permanent"],
        )
    return [
        ScoreColumn(
            np.frombuffer(scores, dtype="<f8").astype(float),
            {int(at): Failure(*values) for at, values in failures.items()},
        )
        for scores, failures in answer["columns"]
    ]
