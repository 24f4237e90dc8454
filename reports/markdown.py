"""A run in Markdown, for the page of a CI job."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from shakeproof.reports.page import verdicts_of
from shakeproof.reports.sections.header import about, title
from shakeproof.reports.sections.published import published_tables, told
from shakeproof.reports.wording.characters import visible
from shakeproof.reports.wording.format import (
    SIGNS,
    cell,
    few_changed,
    many,
    number,
    span,
    tally,
    ticked,
)
from shakeproof.reports.wording.margins import badness
from shakeproof.reports.wording.names import told_apart
from shakeproof.reports.wording.sentences import MetricVerdict, headline
from shakeproof.results import Result, Run

MOST_CHECKS = 30  # that did not pass, listed one by one
SPECIAL = re.compile(r"([\\`*_{}\[\]#|~!])")


def render_markdown(run: Run) -> str:
    """Sum up a run for a CI job page."""
    results = told_apart(run)
    verdicts = verdicts_of(results)
    lines = [f"## {escaped(title(run.checklists))}", "", f"**{prose(headline(verdicts))}**", ""]
    lines += [counted(results), "", escaped(about(run, len(verdicts))), ""]
    lines += [*metric_table(verdicts), "", *check_table(results), *published_table(run)]
    lines += ["", "Repeat with", "", f"    {flat(run.command)}", ""]
    return "\n".join(lines)


def counted(results: Sequence[Result]) -> str:
    """Count the outcomes."""
    return " · ".join(
        f"{sign.symbol} {count} {sign.word}" for sign, count in reversed(tally(results))
    )


def metric_table(verdicts: Sequence[MetricVerdict]) -> Iterator[str]:
    """Tell the verdict on each metric."""
    yield "| metric | outcome | finding |"
    yield "| --- | --- | --- |"
    for one in verdicts:
        found = " ".join(map(prose, one.findings))
        sign = f"{one.sign.symbol} {one.sign.word}"
        yield f"| {code(one.metric)} | {sign} | {found} {escaped(one.counts)} |"


def check_table(results: Sequence[Result]) -> Iterator[str]:
    """List the checks that did not pass, worst first."""
    open_ones = [r for r in sorted(results, key=badness) if SIGNS[r.outcome].slug != "passed"]
    if not open_ones:
        return
    yield "| outcome | metric | check | perturbation | estimate | message |"
    yield "| --- | --- | --- | --- | --- | --- |"
    yield from map(check_line, open_ones[:MOST_CHECKS])
    if len(open_ones) > MOST_CHECKS:
        yield ""
        yield f"{many(len(open_ones) - MOST_CHECKS, 'more check')} did not pass; see the report."


def published_table(run: Run) -> Iterator[str]:
    """Sum up what papers print, and list what does not come out, if anything was published."""
    tables = published_tables(run.published, ())
    if not tables:
        return
    yield from ("", "### Published beside measured", "", escaped(told(tables)), "")
    off = [
        (table, line)
        for table in tables
        for line in table.lines
        if line.agreement in ("outside", "differs")
    ]
    if off:
        yield "| paper | row | column | published | measured | note |"
        yield "| --- | --- | --- | --- | --- | --- |"
    for table, line in off[:MOST_CHECKS]:
        found = [f"{table.paper}, {table.table}", line.found.row, line.found.column, line.value]
        cells = [*found, f"{line.measured} {line.interval}", "; ".join(line.remarks)]
        yield f"| {' | '.join(map(escaped, cells))} |"
    if len(off) > MOST_CHECKS:
        yield from ("", f"{many(len(off) - MOST_CHECKS, 'more number')} differ; see the report.")


def check_line(result: Result) -> str:
    """Tell one check in a line of a table."""
    sign, estimate = SIGNS[result.outcome], result.estimate
    found = "" if estimate is None else f"{number(estimate.value)} {span(estimate)}"
    cells = [
        f"{sign.symbol} {sign.word}",
        code(result.metric),
        escaped(result.check),
        escaped("; ".join(filter(None, (cell(result), few_changed(result))))),
        escaped(found),
        escaped(result.message or result.reason),
    ]
    return f"| {' | '.join(cells)} |"


def prose(sentence: str) -> str:
    """Write a sentence in which names stand in backticks."""
    return "".join(code(part) if name else escaped(part) for name, part in ticked(sentence))


def flat(text: str) -> str:
    """Put a text on one line, with nothing hidden."""
    return visible(re.sub(r"\s+", " ", text))


def code(text: str) -> str:
    """Write a name; what would end it early is replaced."""
    safe = flat(text).replace("`", "'").replace("|", "\\|")
    return f"`{safe}`"


def escaped(text: str) -> str:
    """Write a text so that nothing in it is markup."""
    safe = flat(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return SPECIAL.sub(r"\\\1", safe)
