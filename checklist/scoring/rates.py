"""How fast scorers were, kept beside the cache so that the next run can be timed in advance."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from shakeproof.errors import SpecError
from shakeproof.files import write_text
from shakeproof.metrics.engine.engine import Progress

NAME = "rates.json"
LEAST = 0.2  # seconds of work below which a rate says little


@dataclass(slots=True)
class Stopwatch:
    """Takes the time of every scorer while it hands progress on."""

    shown: Callable[[Progress], None] | None = None
    _work: dict[str, tuple[int, float]] = field(default_factory=dict)  # scores and seconds
    _before: Progress | None = None

    def __call__(self, progress: Progress) -> None:
        """Add up what was done since the last call, if it was about the same scorers."""
        before, self._before = self._before, progress
        if progress.workers:  # they may be rating with other scorers too
            before = None
        if before is not None and before.what == progress.what and progress.done > before.done:
            done, seconds = self._work.get(progress.what, (0, 0.0))
            done += progress.done - before.done
            self._work[progress.what] = done, seconds + progress.seconds - before.seconds
        if self.shown:
            self.shown(progress)

    @property
    def rates(self) -> dict[str, float]:
        """Return the scores per second of each scorer, by signature."""
        rates = {}
        for what, (done, seconds) in self._work.items():
            if seconds >= LEAST:
                rates.update(dict.fromkeys(what.split(", "), done / seconds))
        return rates

    def keep(self, cache: Path | None) -> None:
        """Write the rates beside the cache; where that cannot be, nothing is lost."""
        if cache is None or not self.rates:
            return
        path = cache.with_name(NAME)
        with suppress(SpecError):
            write_text(path, json.dumps({**known_rates(cache), **self.rates}, indent=1) + "\n")


def known_rates(cache: Path | None) -> Mapping[str, float]:
    """Read the rates beside the cache; a file that is not ours knows none."""
    try:
        rates = json.loads(cache.with_name(NAME).read_text("utf-8")) if cache else {}
    except (OSError, ValueError):
        return {}
    return rates if isinstance(rates, dict) else {}
