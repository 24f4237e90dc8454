"""From a copied input to a paraphrase: what each step away from the copy scores."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from shakeproof.reports.charts.forest import Entry, ForestChart, forest_chart
from shakeproof.reports.wording.anchors import anchor
from shakeproof.reports.wording.format import many, number
from shakeproof.reports.wording.names import bare
from shakeproof.results import Bounds, Part, Result

RUNGS = {
    "copy": "copied input",
    "copy-lower": "small letters",
    "copy-unpunctuated": "unpunctuated",
}
NEAR = "near-copy"
BEST = "best"
RATED = {BEST: "best rated", "mean": "average", "mean candidate": "average"}
BREAK_EVEN = "break-even similarity"
COPIED, CHOSEN, OTHERS = "mark-2", "mark-1", "mark-3"


@dataclass(frozen=True, slots=True)
class Ladder:
    """What one metric gives to a copy, to near-copies, and to what people rated."""

    metric: str
    chart: ForestChart
    break_even: str  # in a sentence, for a metric whose formula tells


def ladder(result: Result) -> Ladder | None:
    """Chart scores from the copy outwards; the shaded side is where copies belong."""
    parts = [part for part in result.parts if not part.group]
    name, entries = bare(result.metric, result.file), [*rungs(parts), *rated(parts)]
    if not entries:
        return None
    best = next((part.estimate.value for part in parts if part.name == BEST), None)
    chart = forest_chart(
        anchor(result.id, "ladder"),
        name,
        f"Mean score that {name} gives to a copied input, to near-copies and to what "
        "people rated. Shaded: below the best rated.",
        entries,
        x_title="mean score",
        bounds=Bounds(high=best),
        zero=False,
    )
    return Ladder(name, chart, break_even(parts))


def rungs(parts: list[Part]) -> Iterator[Entry]:
    """List the copy and what lies near it, from the copy outwards."""
    named = {part.name: part for part in parts}
    for name, words in RUNGS.items():
        if name in named:
            yield Entry(words, named[name].estimate, COPIED)
    near = [part for part in parts if part.name == NEAR]
    for part in sorted(near, key=lambda part: part.level or 0.0):
        yield Entry(f"{many(int(part.level or 0), 'word')} off", part.estimate, COPIED)


def rated(parts: list[Part]) -> Iterator[Entry]:
    """List what people rated."""
    for part in parts:
        if part.name in RATED:
            yield Entry(RATED[part.name], part.estimate, CHOSEN if part.name == BEST else OTHERS)


def break_even(parts: list[Part]) -> str:
    """Say from which similarity on a paraphrase beats a copy."""
    found = next((part.estimate.value for part in parts if part.name == BREAK_EVEN), None)
    if found is None:
        return ""
    return f"A paraphrase beats a copy when its similarity is above {number(found, 2)}."
