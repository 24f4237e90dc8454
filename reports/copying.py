"""What a copied input earns, beside what paraphrases earn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from shakeproof.reports.anchors import anchor
from shakeproof.reports.bounded import Forest, forests
from shakeproof.reports.forest import Entry, ForestChart, forest_chart
from shakeproof.results import Part, Result

SCORES = {
    "copy": "copied input",
    "best": "best rated",
    "mean": "average",
    "mean candidate": "average",
}
WINS = ("wins", "copy wins")


@dataclass(frozen=True, slots=True)
class CopyScores:
    """One metric's scores for the copy and for what people rated."""

    metric: str
    check: str
    wins: Part | None
    parts: tuple[tuple[str, Part], ...]
    chart: ForestChart | None


@dataclass(frozen=True, slots=True)
class Copying:
    """The copy-input section."""

    penalties: tuple[Forest, ...]
    metrics: tuple[CopyScores, ...]
    wins: ForestChart | None


def copying(results: Sequence[Result]) -> Copying | None:
    """Gather all that is known about copied inputs."""
    about = [r for r in results if r.expectation == "copy_penalty" and r.parts]
    penalties = forests(results, lambda r: r.expectation == "copy_penalty")
    if not about and not penalties:
        return None
    scores = tuple(copy_scores(result) for result in about)
    return Copying(penalties, scores, wins_chart(scores))


def copy_scores(result: Result) -> CopyScores:
    """Chart a metric's score of the copy against its scores of candidates."""
    named = [(SCORES.get(part.name, part.name), part) for part in result.parts if not part.group]
    shown = [(part.name, name, part) for name, part in named if part.name in SCORES]
    entries = [Entry(name, part.estimate, f"part-{slug.split()[0]}") for slug, name, part in shown]
    wins = next((part for part in result.parts if part.name in WINS and not part.group), None)
    chart = forest_chart(
        anchor(result.id, "copy"),
        result.metric,
        f"Mean score that {result.metric} gives to a copied input and to candidates.",
        entries,
        x_title=f"mean score by {result.metric}",
        zero=False,
    )
    return CopyScores(result.metric, result.check, wins, tuple(named), chart if entries else None)


def wins_chart(scores: Sequence[CopyScores]) -> ForestChart | None:
    """Chart how often the copy beats every candidate."""
    entries = [Entry(s.metric, s.wins.estimate, "part-copy") for s in scores if s.wins]
    if not entries:
        return None
    return forest_chart(
        "copy-wins",
        "How often a copy wins",
        "Share of inputs on which the copied input scores above the best rated candidate.",
        entries,
        x_title="share of inputs where the copy wins",
        x_range=(0.0, 1.0),
    )
