"""The numbers that a paper prints, compared with those that a run measured."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from shakeproof.results import Published, Run
from shakeproof.spec.extends import USER_KEYS
from shakeproof.spec.positions import read_yaml
from shakeproof.studies.measured import Source, find_measurement

DIGITS = 3  # after the point, unless the file says otherwise


class NumberDetails(BaseModel):
    """What the file may say about the numbers of a table, column or row, or about one number."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    source: dict[str, Any] = Field(default={}, alias="from")
    digits: int | None = None
    note: str = ""
    mistake: str = ""  # of the paper, which affects the number

    @property
    def remarks(self) -> list[str]:
        """Return the mistake and the note."""
        mistake = f"computed with a mistake: {self.mistake}" if self.mistake else ""
        return [text for text in (mistake, self.note) if text]


class PrintedNumber(NumberDetails):
    """A number with details of its own."""

    value: float


class Row(NumberDetails):
    """A row of a table; None where the paper prints nothing."""

    row: str
    values: tuple[float | PrintedNumber | None, ...]


class Table(NumberDetails):
    """A table, or a figure whose numbers are in the text of the paper."""

    table: str
    paper: str = ""  # if it is another than that of the file
    columns: Mapping[str, NumberDetails]
    rows: tuple[Row, ...]


class PaperTables(BaseModel):
    """The tables of a paper."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    paper: str
    tables: tuple[Table, ...]


def read_tables(text: str) -> PaperTables:
    """Read a file of published numbers; keys that begin with x- are for anchors."""
    content = read_yaml(text, "published numbers").content
    return PaperTables.model_validate(
        {key: value for key, value in content.items() if not key.startswith(USER_KEYS)}
    )


@dataclass(frozen=True, slots=True)
class PublishedNumber:
    """One published number, with all its details, and where a run has the measured one."""

    paper: str
    table: str
    row: str
    column: str
    value: float
    digits: int
    remarks: tuple[str, ...]
    source: Source


def published_numbers(tables: PaperTables) -> Iterator[PublishedNumber]:
    """Yield the numbers in printed order."""
    for table in tables.tables:
        for row in table.rows:
            for column, value in zip(table.columns, row.values, strict=True):
                if isinstance(value, PrintedNumber):
                    yield _number(tables.paper, table, column, row, value)
                elif value is not None:
                    yield _number(tables.paper, table, column, row, PrintedNumber(value=value))


def _number(
    paper: str, table: Table, column: str, row: Row, printed: PrintedNumber
) -> PublishedNumber:
    """Join the details of a number; those of the row win over those of the table, and so on."""
    details: tuple[NumberDetails, ...] = (table, table.columns[column], row, printed)
    digits = [detail.digits for detail in details if detail.digits is not None]
    return PublishedNumber(
        paper=table.paper or paper,
        table=table.table,
        row=row.row,
        column=column,
        value=printed.value,
        digits=digits[-1] if digits else DIGITS,
        remarks=tuple(remark for detail in details for remark in detail.remarks),
        source=Source.model_validate(
            {key: value for detail in details for key, value in detail.source.items()}
        ),
    )


def compare_with_run(
    tables: PaperTables,
    run: Run,
    left_out: Mapping[str, str],
) -> tuple[Published, ...]:
    """Return every published number with the measured one, or with the reason why there is none.

    `left_out` are the groups, metrics and checks that were not run, and why.
    """
    return tuple(_compare(number, run, left_out) for number in published_numbers(tables))


def _compare(number: PublishedNumber, run: Run, left_out: Mapping[str, str]) -> Published:
    measurement = find_measurement(number.source, run, left_out)
    limit = None if measurement.reason else run.settings.get("limit")
    part = f"measured on the first {limit} segments of each file" if limit else ""
    return Published(
        paper=number.paper,
        table=number.table,
        row=number.row,
        column=number.column,
        value=number.value,
        digits=number.digits,
        measured=measurement.estimate,
        result=measurement.result,
        instead=measurement.substitute,
        part_of_data=bool(limit),
        note="; ".join(text for text in (*number.remarks, measurement.reason, part) if text),
    )
