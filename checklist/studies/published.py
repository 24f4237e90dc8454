"""What a paper prints, set beside what a run measured."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict, Field
from ruamel.yaml import YAML

from shakeproof.results import Published, Run
from shakeproof.studies.sources import Source, find

DIGITS = 3  # after the point, where nothing else is said


class Written(BaseModel):
    """What a table, a column, a row or a single value may say about its numbers."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    source: dict[str, Any] = Field(default={}, alias="from")
    digits: int | None = None
    note: str = ""
    mistake: str = ""  # of the paper, on which the number rests

    @property
    def remarks(self) -> list[str]:
        """Give the note, and the mistake as such."""
        mistake = f"rests on a mistake: {self.mistake}" if self.mistake else ""
        return [text for text in (mistake, self.note) if text]


class PrintedNumber(Written):
    """One number that differs from its neighbours in more than its value."""

    value: float


class Row(Written):
    """A row of a table; None where the paper prints nothing."""

    row: str
    values: tuple[float | PrintedNumber | None, ...]


class Table(Written):
    """A table, or a figure whose numbers the paper tells."""

    table: str
    paper: str = ""  # another than that of the file
    columns: Mapping[str, Written]
    rows: tuple[Row, ...]


class Numbers(BaseModel):
    """All that a paper prints."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    paper: str
    tables: tuple[Table, ...]


def read_numbers(text: str) -> Numbers:
    """Read the published values of a paper; keys that begin with x- hold anchors."""
    content = YAML(typ="safe", pure=True).load(text)
    return Numbers.model_validate({k: v for k, v in content.items() if not k.startswith("x-")})


@dataclass(frozen=True, slots=True)
class Entry:
    """One published number, with all that is said of it, and where a run holds its own."""

    paper: str
    table: str
    row: str
    column: str
    value: float
    digits: int
    remarks: tuple[str, ...]
    source: Source


def entries(numbers: Numbers) -> Iterator[Entry]:
    """List the numbers in printed order; what stands nearest to one wins over what is further."""
    for table in numbers.tables:
        for row in table.rows:
            for column, value in zip(table.columns, row.values, strict=True):
                if value is not None:
                    printed = (
                        value if isinstance(value, PrintedNumber) else PrintedNumber(value=value)
                    )
                    yield _entry(table.paper or numbers.paper, table, column, row, printed)


def _entry(paper: str, table: Table, column: str, row: Row, printed: PrintedNumber) -> Entry:
    around: tuple[Written, ...] = (table, table.columns[column], row, printed)
    merged = {key: value for one in around for key, value in one.source.items()}
    digits = [one.digits for one in around if one.digits is not None]
    return Entry(
        paper=paper,
        table=table.table,
        row=row.row,
        column=column,
        value=printed.value,
        digits=digits[-1] if digits else DIGITS,
        remarks=tuple(text for one in around for text in one.remarks),
        source=Source.model_validate(merged),
    )


def beside(numbers: Numbers, run: Run, absent: Mapping[str, str]) -> tuple[Published, ...]:
    """Set every number beside what was measured; `absent` says what was left out, and why."""
    return tuple(_published(entry, run, absent) for entry in entries(numbers))


def _published(entry: Entry, run: Run, absent: Mapping[str, str]) -> Published:
    found = find(entry.source, run, absent)
    limit = run.settings.get("limit")
    part = f"measured on the first {limit} segments of each file" if limit and not found.why else ""
    return Published(
        paper=entry.paper,
        table=entry.table,
        row=entry.row,
        column=entry.column,
        value=entry.value,
        digits=entry.digits,
        measured=found.estimate,
        result=found.result,
        instead=found.instead,
        note="; ".join(text for text in (*entry.remarks, found.why, part) if text),
    )
