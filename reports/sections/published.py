"""Numbers that papers print, beside what this run measured."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from shakeproof.reports.charts.forest import Strip, centred_strip
from shakeproof.reports.estimates import defined_ends
from shakeproof.reports.wording.format import ABSENT, interval, number, signed
from shakeproof.reports.wording.names import anchor
from shakeproof.results import Agreement, Published, agreement, counted, printed_digits

DISAGREEMENTS = (Agreement.OUTSIDE, Agreement.DIFFERS)
TONES = {
    Agreement.EQUAL: "passed",
    Agreement.WITHIN: "passed",
    Agreement.OUTSIDE: "failed",
    Agreement.DIFFERS: "failed",
}


@dataclass(frozen=True, slots=True)
class PublishedRow:
    """One published number and its measurement."""

    published: Published
    value: str
    measured: str
    interval: str
    difference: str
    agreement: Agreement
    tone: str
    strip: Strip | None
    anchor: str  # of the check that measured it, if that is on the page
    remarks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PublishedTable:
    """The numbers of one table of one paper."""

    paper: str
    table: str
    rows: tuple[PublishedRow, ...]

    @property
    def notes(self) -> list[str]:
        """List the remarks on all numbers, each once."""
        return list(dict.fromkeys(remark for row in self.rows for remark in row.remarks))

    def note_numbers(self, row: PublishedRow) -> list[int]:
        """Return the numbers of the notes on a row, counted from 1."""
        notes = self.notes
        return [notes.index(remark) + 1 for remark in row.remarks]

    @property
    def anchor(self) -> str:
        """Return the address of the table within the page."""
        return anchor(f"{self.paper}::{self.table}", "published")


def published_tables(
    numbers: Sequence[Published], results: Collection[str]
) -> tuple[PublishedTable, ...]:
    """Put published numbers into their tables, in the order of the papers."""
    tables: dict[tuple[str, str], list[Published]] = {}
    for published in numbers:
        tables.setdefault((published.paper, published.table), []).append(published)
    papers = list(dict.fromkeys(paper for paper, _ in tables))
    ordered = sorted(tables, key=lambda key: (papers.index(key[0]), natural_order(key[1])))
    return tuple(PublishedTable(*key, table_rows(tables[key], results)) for key in ordered)


def natural_order(name: str) -> list[tuple[str, int]]:
    """Return a key that sorts names by the numbers in them: Table 9 before Table 10."""
    return [(word, int(digits or 0)) for word, digits in re.findall(r"(\D*)(\d{0,9})", name)]


def table_rows(numbers: Sequence[Published], results: Collection[str]) -> tuple[PublishedRow, ...]:
    """Show the numbers of a table on one scale."""
    distances = [
        abs(end - published.value)
        for published in numbers
        if published.measured
        for end in defined_ends(published.measured)
    ]
    reach = max(distances, default=0.0)
    return tuple(published_row(published, reach, results) for published in numbers)


def published_row(published: Published, reach: float, results: Collection[str]) -> PublishedRow:
    """Put a measurement beside what was published."""
    measured, digits = published.measured, printed_digits(published)
    value = None if measured is None else measured.value
    agrees = agreement(published)
    tone = TONES.get(agrees, "skipped")
    strip = None if measured is None else centred_strip(measured, published.value, reach, tone)
    instead = [f"measured: {published.instead}"] if published.instead else []
    remarks = dict.fromkeys([*instead, *filter(None, published.note.split("; "))])
    return PublishedRow(
        published=published,
        value=number(published.value, digits),
        measured=number(value, digits),
        interval="" if value is None else interval(measured, digits),
        difference=ABSENT if value is None else signed(value - published.value, digits),
        agreement=agrees,
        tone=tone,
        strip=strip,
        anchor=anchor(published.result) if published.result in results else "",
        remarks=tuple(remarks),
    )


def summarise_agreement(tables: Iterable[PublishedTable]) -> str:
    """Sum up how measurements and papers agree."""
    counts = Counter(row.agreement for table in tables for row in table.rows)
    comparable = sum(counts[kind] for kind in TONES)
    parts = []
    if comparable or not counts[Agreement.PART]:
        verb = "equals" if counts[Agreement.EQUAL] == 1 else "equal"
        parts.append(
            f"{counts[Agreement.EQUAL]:,} of {counted(comparable, 'measured number')} {verb} the "
            "published one to the printed digits"
        )
    if counts[Agreement.WITHIN]:
        parts[0] += f", {counts[Agreement.WITHIN]:,} more within the interval"
    for kind in (Agreement.PART, Agreement.SUBSTITUTE, Agreement.NOT_MEASURED):
        if counts[kind]:
            parts.append(f"{counts[kind]:,} {kind.value}")
    return f"{'; '.join(parts)}."
