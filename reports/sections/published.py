"""What papers print, beside what this run measured."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from shakeproof.reports.charts.forest import Strip, beside_strip, known
from shakeproof.reports.wording.anchors import anchor
from shakeproof.reports.wording.format import ABSENT, MINUS, many, number, span
from shakeproof.results import Published

Agreement = Literal["equal", "within", "outside", "differs", "stands in", "not measured"]
TONES = {"equal": "passed", "within": "passed", "outside": "failed", "differs": "failed"}
MOST_DIGITS = 9
CLOSE = 1e-9  # shares of a unit that are rounding errors of our own


@dataclass(frozen=True, slots=True)
class Line:
    """One published number and its measurement."""

    found: Published
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
    lines: tuple[Line, ...]

    @property
    def notes(self) -> list[str]:
        """List what is said of the numbers, each once."""
        return list(dict.fromkeys(remark for line in self.lines for remark in line.remarks))

    def numbers(self, line: Line) -> list[int]:
        """Give the numbers of the notes on a line, from one."""
        notes = self.notes
        return [notes.index(remark) + 1 for remark in line.remarks]

    @property
    def anchor(self) -> str:
        """Give the address of the table within the page."""
        return anchor(f"{self.paper}::{self.table}", "published")


def published_tables(
    found: Sequence[Published], results: Collection[str]
) -> tuple[PublishedTable, ...]:
    """Put published numbers into their tables, in the order of the papers."""
    tables: dict[tuple[str, str], list[Published]] = {}
    for one in found:
        tables.setdefault((one.paper, one.table), []).append(one)
    papers = list(dict.fromkeys(paper for paper, _ in tables))
    ordered = sorted(tables, key=lambda key: (papers.index(key[0]), natural(key[1])))
    return tuple(PublishedTable(*key, lines_of(tables[key], results)) for key in ordered)


def natural(name: str) -> list[tuple[str, int]]:
    """Order names by the numbers in them: Table 9 before Table 10."""
    return [(word, int(figures or 0)) for word, figures in re.findall(r"(\D*)(\d{0,9})", name)]


def lines_of(found: Sequence[Published], results: Collection[str]) -> tuple[Line, ...]:
    """Show the numbers of a table on one scale."""
    apart = [abs(end - one.value) for one in found if one.measured for end in known(one.measured)]
    return tuple(line(one, max(apart, default=0.0), results) for one in found)


def line(one: Published, reach: float, results: Collection[str]) -> Line:
    """Set a measurement beside what was published."""
    value = None if one.measured is None else one.measured.value
    how = agreement(one)
    tone = TONES.get(how, "skipped")
    return Line(
        one,
        number(one.value, digits(one)),
        number(value, digits(one)),
        "" if value is None else span(one.measured, digits(one)),
        ABSENT if value is None else signed(value - one.value, digits(one)),
        how,
        tone,
        None if one.measured is None else beside_strip(one.measured, one.value, reach, tone),
        anchor(one.result) if one.result in results else "",
        remarks(one),
    )


def remarks(one: Published) -> tuple[str, ...]:
    """Take apart what is said of a number, so that what is said of many is said once."""
    instead = [f"measured: {one.instead}"] if one.instead else []
    return tuple(dict.fromkeys([*instead, *filter(None, one.note.split("; "))]))


def digits(one: Published) -> int:
    """Give the digits that were printed after the point, as far as numbers have them."""
    return min(max(one.digits, 0), MOST_DIGITS)


def agreement(one: Published) -> Agreement:
    """Say whether the measured number is the published one, or has it in its interval."""
    found = one.measured
    if found is None or found.value is None:
        return "not measured"
    if one.instead:
        return "stands in"
    if as_printed(found.value, one):
        return "equal"
    if found.low is None or found.high is None:
        return "differs"
    half = 10.0 ** -digits(one) / 2
    return "within" if found.low - half <= one.value <= found.high + half else "outside"


def as_printed(value: float, one: Published) -> bool:
    """Tell a number that is printed so: papers round, and some cut off."""
    unit = 10.0 ** -digits(one)
    apart = value - one.value
    beyond = apart if one.value >= 0 else -apart  # away from zero
    return abs(apart) <= unit / 2 * (1 + CLOSE) or 0 <= beyond < unit * (1 - CLOSE)


def signed(value: float, digits: int) -> str:
    """Write a difference with its sign."""
    text = f"{value:+.{digits}f}"
    return text.lstrip("+-") if not float(text) else text.replace("-", MINUS)


def told(tables: Iterable[PublishedTable]) -> str:
    """Sum up how measurements and papers agree."""
    counts: Counter[str] = Counter(line.agreement for table in tables for line in table.lines)
    comparable = sum(counts[one] for one in ("equal", "within", "outside", "differs"))
    near = f", {counts['within']:,} more within the interval" if counts["within"] else ""
    come = "comes" if counts["equal"] == 1 else "come"
    lead = f"{counts['equal']:,} of {many(comparable, 'number')} {come} out as printed{near}"
    rest = [("stands in", "measured with something else"), ("not measured", "not measured")]
    tail = [
        f"{counts[one]:,} {'was' if counts[one] == 1 else 'were'} {words}"
        for one, words in rest
        if counts[one]
    ]
    return f"{'; '.join([lead, *tail])}."
