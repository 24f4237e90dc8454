"""What becomes of a verdict: failures, known failures, undecided checks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from shakeproof.evidence.marks import marked
from shakeproof.plan.items import Item
from shakeproof.results import Example, Outcome, Result, Verdict
from shakeproof.runs.baseline import regressed


class ExpectationFailed(Exception):
    """The whole interval lies outside the bounds."""

    def __init__(self, result: Result) -> None:
        super().__init__(result.message)
        self.result = result


class Undecided(Exception):
    """The data cannot decide, and that was asked to count as a failure."""

    def __init__(self, result: Result) -> None:
        super().__init__(result.message)
        self.result = result


class Regressed(Exception):
    """The metric did better in the baseline, by more than is tolerated."""

    def __init__(self, result: Result) -> None:
        super().__init__(result.message)
        self.result = result


class Report(Protocol):
    """What we look at in a pytest report."""

    @property
    def when(self) -> str | None:
        """Name the phase: setup, call or teardown."""
        ...

    @property
    def outcome(self) -> str:
        """Tell whether the phase passed, failed or was skipped."""
        ...

    @property
    def longreprtext(self) -> str:
        """Give the text of the failure."""
        ...


def is_known_failure(item: Item) -> bool:
    """Tell whether the checklist says that this very item fails."""
    known = item.check.known_failure
    if known is None or (known.metrics is not None and item.metric not in known.metrics):
        return False
    return known.levels is None or item.level in known.levels


def report_outcome(report: Report, found: Result | None) -> tuple[Outcome, str]:
    """Name what became of an item, and the text that says why."""
    if report.outcome == "skipped":
        return _skipped(report, found)
    if found is None or report.when != "call":
        return Outcome.ERROR, report.longreprtext
    failed = report.outcome == "failed"
    if regressed(found):
        return (Outcome.FAILED if failed else Outcome.WARNED), ""
    if found.verdict is Verdict.PASS:
        return (Outcome.UNEXPECTED_PASS if failed else Outcome.PASSED), ""
    if found.verdict is Verdict.FAIL:
        return (Outcome.FAILED if failed else Outcome.WARNED), ""
    return Outcome.UNDECIDED, ""


def _skipped(report: Report, found: Result | None) -> tuple[Outcome, str]:
    if hasattr(report, "wasxfail"):
        return Outcome.KNOWN_FAILURE, str(report.wasxfail)
    if found is not None and found.verdict is Verdict.INCONCLUSIVE:
        return Outcome.UNDECIDED, ""
    return Outcome.SKIPPED, report.longreprtext


def failure_text(result: Result) -> str:
    """Tell a failure: the number first, then what was expected, then the worst texts."""
    lines = [result.message, f"expected: {result.statement}"]
    if result.advice:
        lines.append(result.advice)
    for example in result.examples:
        lines += ["", *_example_lines(example)]
    if pin := next((example.pin for example in result.examples if example.pin), ""):
        lines += ["", "to hold on to the first of them:", *_indented(pin)]
    return "\n".join(lines)


def _indented(text: str) -> list[str]:
    return [f"  {line}" for line in text.splitlines()]


def _example_lines(example: Example) -> list[str]:
    lines = [f"segment {example.segment}, {example.field}:"]
    lines += [f"  - {example.before!r}", f"  + {example.after!r}"]
    if example.candidate is not None:
        lines.append(f"  candidate {example.candidate!r}")
    lines.append(f"  score {example.score_before:.3f} -> {example.score_after:.3f}")
    if example.remark:
        lines.append(f"  {example.remark}")
    return [*lines, *_fewest_edits(example)]


def _fewest_edits(example: Example) -> Iterator[str]:
    """Tell the smallest counterexample, if one was looked for."""
    if example.minimal is None:
        return
    count = "" if example.edits_minimal is None else f" {_counted(example.edits_minimal, 'edit')}"
    of = "" if example.edits is None else f" of {example.edits}"
    cost = "" if example.calls is None else f", found with {_counted(example.calls, 'score')}"
    yield f"  enough to break it:{count}{of}{cost}"
    yield f"  = {marked(example.before, example.minimal)!r}"
    if example.score_minimal is not None:
        yield f"  score {example.score_before:.3f} -> {example.score_minimal:.3f}"


def _counted(number: int, word: str) -> str:
    return f"{number:,} {word}" if number == 1 else f"{number:,} {word}s"
