"""The end of a session: assemble the run, write it, and show a summary in the terminal."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from shakeproof.errors import SpecError
from shakeproof.files import write_text
from shakeproof.metrics.files import is_there
from shakeproof.plugin.collectors import DRIVER
from shakeproof.plugin.findings import read_findings
from shakeproof.plugin.options import option_path, option_value, run_config
from shakeproof.results import (
    ERRORS,
    Outcome,
    Result,
    Run,
    counted,
    has_errors,
    in_half_widths,
    message_with_holm,
    missing_lines,
    outcome_counts,
    result_distance,
    usage_lines,
)
from shakeproof.runs.archive import as_json
from shakeproof.runs.assemble import assemble_run
from shakeproof.runs.baseline import read_baseline, renewed
from shakeproof.runs.baseline_file import baseline_text

MAX_ROWS = 10  # of the table of results
XDIST_OPTIONS = ("-n", "--numprocesses", "--maxprocesses", "--dist")
XDIST_ARGUMENT = re.compile(rf"(-n\d+|-n(auto|logical)|({'|'.join(XDIST_OPTIONS[1:])})=.*)")


@dataclass(frozen=True, slots=True)
class Summary:
    """A finished run, where it was written, and what could not be written."""

    run: Run
    written: dict[str, Path] = field(default_factory=dict)
    problems: tuple[str, ...] = ()

    def exit_status(self, status: int) -> int:
        """Return the exit code of the session, given pytest's own.

        An error of a check is told apart from failures; an interruption or a crash of pytest stays.
        """
        if self.problems:
            return pytest.ExitCode.USAGE_ERROR
        tests_ran = status in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED)
        return ERRORS if tests_ran and has_errors(self.run.results) else status

    def show(self, terminal: Any) -> None:  # noqa: ANN401 - pytest's reporter type is private
        """Show the results nearest to their bounds, all warnings, and where the report is."""
        terminal.section("shakeproof", sep="=")
        for line in nearest_results(self.run.results):
            terminal.write_line(line)
        if doubt := failures_by_chance(self.run):
            terminal.write_line(doubt, yellow=True)
        for line in missing_lines(self.run):
            terminal.write_line(line, yellow=True)
        for line in usage_lines(self.run):
            terminal.write_line(line)
        for result in self.run.results:
            if result.outcome is Outcome.WARNED:
                terminal.write_line(f"warned: {result.id}: {result.message}", yellow=True)
        for name, path in self.written.items():
            terminal.write_line(f"{name}: {path.resolve().as_uri()}")
        for problem in self.problems:
            terminal.write_line(problem, red=True)

    def show_counts(self, terminal: Any) -> None:  # noqa: ANN401 - as above
        """Show as the last line how many checks had which outcome."""
        terminal.write_line(outcome_counts(self.run.results))


def summarise(config: pytest.Config, findings: Iterable[str], started: float) -> Summary:
    """Assemble the run and write the files that the options name."""
    results, records = read_findings(findings)
    if DRIVER in config.stash:
        results = config.stash[DRIVER].with_matrices(results)
    settings = run_config(config)
    run = assemble_run(results, records, settings, started=started, command=command(config))
    return write_outputs(config, run)


def write_outputs(config: pytest.Config, run: Run) -> Summary:
    """Write the files that the options name; files that cannot be written become problems."""
    written: dict[str, Path] = {}
    problems: list[str] = []
    for name, text, path in _outputs(config):
        try:
            content = text(run)
            path.parent.mkdir(parents=True, exist_ok=True)
            write_text(path, content)
            written[name] = path
        except (OSError, SpecError) as error:
            problems.append(str(error))
    return Summary(run, written, tuple(problems))


def _outputs(config: pytest.Config) -> Iterator[tuple[str, Callable[[Run], str], Path]]:
    """Yield what is to be written: its name, how a run becomes its text, and where it goes."""
    if path := option_path(config, "json"):
        yield "json", as_json, path
    if path := option_path(config, "report"):
        yield "report", as_page, path
    if option_value(config, "update-baseline") and (path := option_path(config, "baseline")):
        yield "baseline", partial(as_baseline, path), path


def as_baseline(path: Path, run: Run) -> str:
    """Return the baseline at `path`, updated with the run."""
    return baseline_text(path, renewed(read_baseline(path) if is_there(path) else None, run))


def as_page(run: Run) -> str:
    """Return a run as an HTML page."""
    from shakeproof.reports import render

    return render(run)


def command(config: pytest.Config) -> str:
    """Return the command that repeats the run, without the options of xdist."""
    arguments = _without_xdist(map(str, config.invocation_params.args))
    return shlex.join(["pytest", *arguments])


def _without_xdist(arguments: Iterable[str]) -> Iterator[str]:
    rest = iter(arguments)
    for argument in rest:
        if argument in XDIST_OPTIONS:
            next(rest, None)  # its value
        elif not XDIST_ARGUMENT.fullmatch(argument):
            yield argument


def nearest_results(results: Sequence[Result]) -> list[str]:
    """Return a line for each of the results furthest beyond, or closest to, their bounds.

    If there are many, the worst of each metric and expectation comes before all others.
    """
    certainty = {
        number: value
        for number, result in enumerate(results)
        if (value := _certainty(result)) is not None
    }
    nearest = sorted(certainty, key=lambda number: certainty[number])
    rows = sorted(_worst_of_each(results, nearest)[:MAX_ROWS], key=nearest.index)
    shown = [results[number] for number in rows]
    width = max((len(_title(result)) for result in shown), default=0)
    lines = [
        f"{_title(result):{width}}  {result.outcome:13}  {message_with_holm(result)}"
        for result in shown
    ]
    more = len(nearest) - len(shown)
    return [*lines, f"… {counted(more, 'more result')} in the report"] if more else lines


def _worst_of_each(results: Sequence[Result], nearest: Sequence[int]) -> list[int]:
    """Put the first of each metric and expectation before the others."""
    first: dict[tuple[str, str], int] = {}
    for number in nearest:
        first.setdefault((results[number].metric, results[number].expectation), number)
    worst = set(first.values())
    return sorted(nearest, key=lambda number: number not in worst)


def failures_by_chance(run: Run) -> str:
    """Return how many failures may be chance, as there are so many checks; "" if there are none."""
    failed = [result for result in run.results if result.survives_holm is not None]
    doubtful = sum(not result.survives_holm for result in failed)
    if not doubtful:
        return ""
    return (
        f"{doubtful} of {counted(len(failed), 'failure')} may be chance, as there are many checks "
        "(not after Holm); --shakeproof-adjust=holm makes them undecided"
    )


def _certainty(result: Result) -> float | None:
    """Return how far inside its bounds an estimate lies, in half widths of its interval."""
    distance = result_distance(result)
    if distance is None or result.estimate is None:
        return None
    return in_half_widths(distance.value, result.estimate)


def _title(result: Result) -> str:
    return result.id.split("::", 1)[1].replace("::", " · ")
