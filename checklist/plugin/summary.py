"""The end of a session: the run is put together, written down and summed up."""

from __future__ import annotations

import json
import re
import shlex
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from shakeproof.errors import SpecError
from shakeproof.files import write_text
from shakeproof.plugin.opening import baseline_of
from shakeproof.plugin.options import chosen, file_of
from shakeproof.results import ChecklistRecord, Outcome, Result, Run
from shakeproof.runs.assemble import put_together
from shakeproof.runs.ratchet import renewed

ROWS = 10  # of the closing table
SHARING = ("-n", "--numprocesses", "--maxprocesses", "--dist")
SHARED = re.compile(rf"(-n\d+|-n(auto|logical)|({'|'.join(SHARING[1:])})=.*)")
TOLD = (
    "strict",
    "device",
    "limit",
    "data",
    "no-texts",
    "offline",
    "search",
    "adjust",
    "baseline",
)


@dataclass(frozen=True, slots=True)
class Conclusion:
    """A finished run, where it was written, and what could not be written."""

    run: Run
    written: dict[str, Path] = field(default_factory=dict)
    problems: tuple[str, ...] = ()

    def show(self, terminal: Any) -> None:  # noqa: ANN401 - pytest's reporter type is private
        """Show the narrowest margins and where the report lies."""
        terminal.section("shakeproof", sep="=")
        for line in margins(self.run.results):
            terminal.write_line(line)
        for name, path in self.written.items():
            terminal.write_line(f"{name}: {path.resolve().as_uri()}")
        for problem in self.problems:
            terminal.write_line(problem, red=True)

    def close(self, terminal: Any) -> None:  # noqa: ANN401 - as above
        """Say as the last line how many checks ended how."""
        terminal.write_line(counts(self.run.results))


def conclude(config: pytest.Config, findings: Iterable[str], started: float) -> Conclusion:
    """Put the run together and write what was asked for."""
    found = [json.loads(text) for text in findings]
    told = sorted((one for one in found if "checklist" in one), key=lambda one: one["scored"])
    records = {
        one["checklist"]["file"]: ChecklistRecord.model_validate(one["checklist"]) for one in told
    }
    run = put_together(
        sorted((Result.model_validate(one["result"]) for one in found), key=_place),
        [records[file] for file in sorted(records)],
        started=started,
        seconds=time.time() - started,
        command=command(config),
        settings=settings(config),
        texts=not chosen(config, "no-texts"),
    )
    baseline = chosen(config, "baseline") or ""
    return write(config, run.model_copy(update={"baseline": baseline}))


def _place(result: Result) -> tuple[str, int, str, str, float, str]:
    where = result.file, result.line, result.metric
    return *where, result.family or "", result.level or 0.0, result.id


def write(config: pytest.Config, run: Run) -> Conclusion:
    """Write the JSON and the page, each only if asked for; one that cannot be is told."""
    written: dict[str, Path] = {}
    problems: list[str] = []
    for name, text, path in _asked(config):
        try:
            content = text(run)
            path.parent.mkdir(parents=True, exist_ok=True)
            write_text(path, content)
            written[name] = path
        except (OSError, SpecError) as error:
            problems.append(str(error))
    return Conclusion(run, written, tuple(problems))


def _asked(config: pytest.Config) -> Iterator[tuple[str, Callable[[Run], str], Path]]:
    """List what is to be written, how, and where."""
    if path := file_of(config, "json"):
        yield "json", as_json, path
    if path := file_of(config, "report"):
        yield "report", as_page, path
    if chosen(config, "update-baseline") and (path := file_of(config, "baseline")):
        yield "baseline", partial(as_baseline, config), path


def as_baseline(config: pytest.Config, run: Run) -> str:
    """Write the baseline anew, moved where the run is better."""
    return as_json(renewed(baseline_of(config), run))


def as_json(run: Run) -> str:
    """Write a run as run.json holds it."""
    return run.model_dump_json(indent=1) + "\n"


def as_page(run: Run) -> str:
    """Write a run as a page."""
    from shakeproof.reports import render

    return render(run)


def command(config: pytest.Config) -> str:
    """Give the command that repeats the run, without what only says how the work is shared."""
    return shlex.join(["pytest", *_without_sharing(map(str, config.invocation_params.args))])


def _without_sharing(arguments: Iterable[str]) -> Iterator[str]:
    """Leave the options of xdist out, which change no number."""
    rest = iter(arguments)
    for argument in rest:
        if argument in SHARING:
            next(rest, None)  # its value
        elif not SHARED.fullmatch(argument):
            yield argument


def settings(config: pytest.Config) -> dict[str, Any]:
    """List the options in force that results may depend on, defaults included."""
    found = {name.replace("-", "_"): chosen(config, name) for name in TOLD}
    return found | {"data": found["data"] or []}


def margins(results: Iterable[Result]) -> list[str]:
    """List the checks closest to, or furthest beyond, their bounds."""
    judged = [result for result in results if result.estimate and margin(result) is not None]
    judged.sort(key=lambda result: margin(result) or 0.0)
    if not judged:
        return []
    shown = judged[:ROWS]
    width = max(len(_title(result)) for result in shown)
    lines = [f"{_title(result):{width}}  {result.outcome:13}  {result.message}" for result in shown]
    more = len(judged) - len(shown)
    return [*lines, f"… and {more} more with wider margins"] if more else lines


def _title(result: Result) -> str:
    return result.id.split("::", 1)[1].replace("::", " · ")


def margin(result: Result) -> float | None:
    """Say how far inside its bounds the estimate lies, in half-widths of its interval."""
    number = result.estimate
    if number is None or number.value is None or number.low is None or number.high is None:
        return None
    half = max((number.high - number.low) / 2, sys.float_info.epsilon)
    gaps = []
    if result.bounds.high is not None:
        gaps.append(result.bounds.high - number.value)
    if result.bounds.low is not None:
        gaps.append(number.value - result.bounds.low)
    return min(gaps) / half if gaps else None


def counts(results: Iterable[Result]) -> str:
    """Count the outcomes; how many were undecided is always said."""
    tally = Counter(result.outcome for result in results)
    tally.setdefault(Outcome.UNDECIDED, 0)
    named = [f"{tally[outcome]} {outcome}" for outcome in Outcome if outcome in tally]
    return f"shakeproof: {sum(tally.values())} checks: {', '.join(named)}"
