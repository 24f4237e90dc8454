"""How a failed check is shown in the terminal."""

from __future__ import annotations

from collections.abc import Iterator

from shakeproof.results import Example, Outcome, Result
from shakeproof.text import mark_edits


class CheckFailed(Exception):
    """A check failed, passed unexpectedly, or is undecided where that counts as a failure."""

    def __init__(self, result: Result) -> None:
        super().__init__(result.message)
        self.result = result


def failure_text(result: Result) -> str:
    """Describe a failure: the number first, then what was expected, then the worst texts."""
    if result.outcome is Outcome.UNEXPECTED_PASS:
        return f"[XPASS(strict)] {result.reason}\n{result.message}"
    lines = [result.message, f"expected: {result.statement}"]
    if result.advice:
        lines.append(result.advice)
    for example in result.examples:
        lines += ["", *_example_lines(example)]
    if pin := next((example.pin for example in result.examples if example.pin), ""):
        lines += ["", "to save the first as a regression test:"]
        lines += [f"  {line}" for line in pin.splitlines()]
    return "\n".join(lines)


def _example_lines(example: Example) -> Iterator[str]:
    yield f"segment {example.segment}, {example.field}:"
    yield f"  - {example.before!r}"
    yield f"  + {example.after!r}"
    if example.candidate is not None:
        yield f"  candidate {example.candidate!r}"
    yield f"  score {example.score_before:.3f} -> {example.score_after:.3f}"
    if example.remark:
        yield f"  {example.remark}"
    if example.minimal is not None:
        counts = [example.edits_minimal, example.edits]
        known = " of ".join(f"{count:,}" for count in counts if count is not None)
        yield f"  smallest failing edit: {known}".rstrip()
        yield f"  = {mark_edits(example.before, example.minimal)!r}"
        if example.score_minimal is not None:
            yield f"  score {example.score_before:.3f} -> {example.score_minimal:.3f}"
