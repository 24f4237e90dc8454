"""The page that sets two runs side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from shakeproof.reports.charts.forest import Strip, change_strip, known
from shakeproof.reports.pairing import Pair, pairs
from shakeproof.reports.sections.header import as_text
from shakeproof.reports.wording.anchors import anchor
from shakeproof.reports.wording.format import SIGNS, Sign, cell, many
from shakeproof.results import Result, Run

TONES = {"worse": "failed", "better": "passed", "higher": "known", "lower": "known"}
ARROWS = {"worse": "↘", "better": "↗", "higher": "↑", "lower": "↓", "unchanged": "="}


@dataclass(frozen=True, slots=True)
class ComparedRow:
    """A line of the comparison."""

    pair: Pair
    anchor: str
    condition: str
    tone: str
    arrow: str
    strip: Strip | None
    old_sign: Sign
    new_sign: Sign


@dataclass(frozen=True, slots=True)
class Comparison:
    """Everything the template shows."""

    old: Run
    new: Run
    headline: str
    compared: tuple[ComparedRow, ...]
    apart: tuple[ComparedRow, ...]  # that cannot be compared
    gone: tuple[Result, ...]
    added: tuple[Result, ...]
    circumstances: tuple[tuple[str, str, str], ...]  # what, old, new


def compare(old: Run, new: Run) -> Comparison:
    """Set two runs side by side."""
    matched = pairs(old, new)
    widest = reach(matched)
    rows = [row(one, widest) for one in matched]
    ids = {one.new.id for one in matched}
    return Comparison(
        old,
        new,
        headline(matched),
        tuple(one for one in rows if one.pair.change is not None),
        tuple(one for one in rows if one.pair.change is None),
        tuple(result for result in old.results if result.id not in ids),
        tuple(result for result in new.results if result.id not in ids),
        tuple(circumstances(old, new)),
    )


def reach(matched: Sequence[Pair]) -> dict[str, float]:
    """Find how far the changes of each quantity reach, so that its rows share a scale."""
    widest: dict[str, float] = {}
    for one in matched:
        ends = [abs(end) for end in known(one.change)] if one.change else []
        widest[one.new.quantity] = max([widest.get(one.new.quantity, 0.0), *ends])
    return widest


def row(one: Pair, widest: dict[str, float]) -> ComparedRow:
    """Make a line of the comparison."""
    tone = TONES.get(one.word, "skipped")
    return ComparedRow(
        one,
        anchor(one.new.id),
        cell(one.new),
        tone,
        ARROWS.get(one.word, "·"),
        None if one.change is None else change_strip(one.change, widest[one.new.quantity], tone),
        SIGNS[one.old.outcome],
        SIGNS[one.new.outcome],
    )


def headline(matched: Sequence[Pair]) -> str:
    """Sum up what changed."""
    counts = Counter(one.word for one in matched)
    if not matched:
        return "The two runs have no check in common."
    told = [
        f"{many(counts[word], 'check')} got {word}" for word in ("worse", "better") if counts[word]
    ]
    told += [f"{counts[word]} moved {word}" for word in ("higher", "lower") if counts[word]]
    lead = ", ".join(told) if told else "No check changed beyond doubt"
    rest = [
        f"{counts[word]} {word}"
        for word in ("unclear", "unchanged", "not comparable")
        if counts[word]
    ]
    return f"{lead}; {', '.join(rest)}." if rest else f"{lead}."


def circumstances(old: Run, new: Run) -> Iterator[tuple[str, str, str]]:
    """List what else differs between the runs."""
    yield from differing("shakeproof", {"": old.shakeproof}, {"": new.shakeproof})
    yield from differing("environment", old.environment, new.environment)
    yield from differing("setting", old.settings, new.settings)
    yield from differing("checklist", checklists(old), checklists(new))
    yield from differing("signature of", signatures(old), signatures(new))


def differing(
    kind: str, old: Mapping[str, object], new: Mapping[str, object]
) -> Iterator[tuple[str, str, str]]:
    """Name the entries that differ."""
    for name in dict.fromkeys([*old, *new]):
        if old.get(name) != new.get(name):
            yield f"{kind} {name}".strip(), as_text(old.get(name)), as_text(new.get(name))


def checklists(run: Run) -> dict[str, object]:
    """Read the hash of each checklist."""
    return {record.file: record.sha256 for record in run.checklists}


def signatures(run: Run) -> dict[str, object]:
    """Read the signature of each metric."""
    return {
        f"{metric.name} ({record.file})": metric.signature
        for record in run.checklists
        for metric in record.metrics
    }
