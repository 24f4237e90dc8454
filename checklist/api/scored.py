"""A checklist with the scores of a run, so that it can be judged again without scoring."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from shakeproof.errors import SpecError, unknown
from shakeproof.expectations import Evaluation, Expectation
from shakeproof.expectations.base import Bounded
from shakeproof.metrics.engine.cache import Cache
from shakeproof.results import Run
from shakeproof.runs.config import RunConfig
from shakeproof.runs.driver import run_checklists
from shakeproof.scoring.cache_errors import cache_errors
from shakeproof.scoring.notebook_progress import notebook_progress
from shakeproof.spec.model import Check, Checklist
from shakeproof.validation import validate

RATES_AGAIN = (Evaluation.RESCORING, Evaluation.SEARCH)


@dataclass(frozen=True, slots=True)
class ScoredChecklist:
    """A checklist, how it was run, and where its scores are: in a file or in memory."""

    checklist: Checklist
    config: RunConfig
    cache: Path | Cache

    def __reduce__(self) -> tuple[type[None], tuple[()]]:
        """Leave the scores out of copies, and of runs that are sent to other processes."""
        return type(None), ()

    def run(self, command: str) -> Run:
        """Score what is missing, and evaluate all checks."""
        with cache_errors(), self._open_cache() as cache, notebook_progress() as progress:
            return run_checklists(
                [self.checklist], self.config, cache, command=command, progress=progress
            )

    def _open_cache(self) -> AbstractContextManager[Cache]:
        return nullcontext(self.cache) if isinstance(self.cache, Cache) else Cache(self.cache)

    def with_settings(self, name: str, settings: Mapping[str, Any]) -> ScoredChecklist:
        """Return one check alone, with other settings of its expectation; it needs no new scores.

        Failed checks are not searched for the fewest edits, as that would rate more texts.
        """
        checks = {check.name: check for check in self.checklist.checks}
        if name not in checks:
            raise unknown("check", name, checks)
        check = _with_settings(checks[name], settings)
        config = replace(self.config, search=0, matrices=False, workers=None)
        return replace(self, checklist=replace(self.checklist, checks=(check,)), config=config)


class CacheInMemory(Cache):
    """A cache that is closed when no run uses it any more."""

    def __del__(self) -> None:
        self.close()


def _with_settings(check: Check, settings: Mapping[str, Any]) -> Check:
    expect = check.expect
    if expect.evaluation in RATES_AGAIN:
        message = f"{expect.name} rates texts each time it is judged"
        raise SpecError(f"check {check.name!r}: {message}; run the checklist again")
    return replace(check, expect=_changed(expect, settings, check.name))


def _changed(expect: Expectation, settings: Mapping[str, Any], check: str) -> Expectation:
    """Return the expectation with other settings; mistakes are told as those of a file."""
    written = expect.model_dump(mode="json", by_alias=True, exclude_unset=True)
    made, problems = validate(type(expect), {**written, **settings})
    message = problems[0].message if problems else ""
    if isinstance(made, Bounded):
        message = made.bounds_problem
    if made is None or message:
        raise SpecError(f"check {check!r}: {message}")
    return expect.model_copy(update=dict(made))
