"""What a copied input earns, beside what paraphrases earn (Shen et al. 2022, Tables 9 and 10)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from shakeproof.reports.charts.forest import Entry, ForestChart, forest_chart
from shakeproof.reports.sections.ablations import Ablation, ablations
from shakeproof.reports.sections.added_copies import Extended, estimate_of, extended
from shakeproof.reports.sections.bounds import Forest, forests
from shakeproof.reports.sections.near_copies import Ladder, ladder
from shakeproof.reports.wording.anchors import anchor
from shakeproof.reports.wording.names import bare, labels
from shakeproof.results import ChecklistRecord, Result

WINS = {"copy wins": "", "wins": ""}
RANKS = {"copy percentile": "own", "copy percentile among all": "all"}


@dataclass(frozen=True, slots=True)
class Copying:
    """What one checklist found about copied inputs."""

    source: str  # the checklist, where there are several
    penalties: tuple[Forest, ...]
    standing: tuple[ForestChart, ...]
    ladders: tuple[Ladder, ...]
    extended: tuple[Extended, ...]
    ablations: tuple[Ablation, ...]

    @property
    def empty(self) -> bool:
        """Tell a checklist that has nothing to say about copies."""
        return not (self.penalties or self.ladders or self.ablations)


def copying(
    results: Sequence[Result], checklists: Sequence[ChecklistRecord]
) -> tuple[Copying, ...]:
    """Gather all that is known about copied inputs, checklist by checklist."""
    named = labels(record.file for record in checklists)
    found = [
        copies(record, [r for r in results if r.file == record.file], named[record.file])
        for record in checklists
    ]
    told = [one for one in found if not one.empty]
    return tuple(told) if len(told) > 1 else tuple(replace(one, source="") for one in told)


def copies(record: ChecklistRecord, results: Sequence[Result], source: str) -> Copying:
    """Gather what one checklist found."""
    about = [result for result in results if result.expectation == "copy_penalty"]
    return Copying(
        source,
        forests(about),
        tuple(standing(about, record.file)),
        tuple(filter(None, map(ladder, about))),
        extended(about, record.file),
        ablations(results, record),
    )


def standing(results: Sequence[Result], file: str) -> Iterator[ForestChart]:
    """Chart how often the copy wins, and where it ranks among what people rated."""
    wins = [entry for result in results for entry in shares(result, WINS)]
    ranks = [entry for result in results for entry in shares(result, RANKS)]
    if wins:
        yield forest_chart(
            anchor(f"{file}::wins", "copy"),
            "How often a copy wins",
            "Share of inputs whose copy scores above the candidates people rated best.",
            wins,
            x_title="share of inputs",
            x_range=(0.0, 1.0),
        )
    if ranks:
        yield forest_chart(
            anchor(f"{file}::ranks", "copy"),
            "Where a copy ranks",
            "Share of the rated candidates that the copy leaves behind, those of its own input "
            "and those of all inputs; ties count half.",
            ranks,
            x_title="share of candidates",
            x_range=(0.0, 1.0),
        )


def shares(result: Result, named: Mapping[str, str]) -> list[Entry]:
    """List one metric's rows."""
    found = [(note, estimate_of(result.parts, name)) for name, note in named.items()]
    name = bare(result.metric, result.file)
    return [Entry(name, one, "mark-2", note) for note, one in found if one is not None]
