"""A run in Markdown, for the page of a CI job."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from shakeproof.reports.estimates import value_of
from shakeproof.reports.sections.findings import findings
from shakeproof.reports.sections.header import page_title, run_summary
from shakeproof.reports.sections.published import (
    DISAGREEMENTS,
    published_tables,
    summarise_agreement,
)
from shakeproof.reports.wording.format import (
    describe_condition,
    few_changed,
    interval,
    number,
    split_names,
)
from shakeproof.reports.wording.marking import visible
from shakeproof.reports.wording.names import MetricKey, metric_key, metric_labels
from shakeproof.reports.wording.outcomes import SIGNS, count_outcomes, worst_first
from shakeproof.reports.wording.sentences import MetricVerdict, metric_verdicts
from shakeproof.results import Outcome, Result, Run, counted, message_with_holm

MAX_ROWS = 30  # of a table
VERSIONS = ("python", "torch", "transformers", "device")  # of the environment
SPECIAL = re.compile(r"([\\`*_{}\[\]#|~!$])")
# What GitHub and GitLab turn into links after the markup is read, and how that is prevented: by a
# space of no width after the sign, or by a backslash within the address.
LINKS = (
    (re.compile(r"#(?=\d)"), "#&#8203;"),  # issues; first, as the signs below have numbers
    (re.compile(r"@(?=\w)"), "@&#8203;"),  # people
    (re.compile(r"://"), r":\//"),
    (re.compile(r"\b(www)\.", re.IGNORECASE), r"\1\."),
)


def render_markdown(run: Run) -> str:
    """Sum up a run for an issue, a pull request or the page of a CI job."""
    labels = metric_labels(run.results, run.checklists)
    verdicts = metric_verdicts(run.results, labels)
    counts = [
        f"{sign.symbol} {sign.count(count)}"
        for sign, count in reversed(count_outcomes(run.results))
    ]
    lines = [
        f"## {escape(page_title(run.checklists))}",
        "",
        *(f"- **{f.topic}:** {format_sentence(f.sentence)}" for f in findings(run, labels)),
        "",
        " · ".join(counts),
        "",
        escape(run_summary(run, len(set(labels.values())))),
        "",
        *metric_table(verdicts),
        "",
        *check_table(run.results, labels),
        *published_table(run),
        "",
        "Repeat with",
        "",
        f"    {one_line(run.command)}",
        "",
        escape(versions(run)),
        "",
    ]
    return "\n".join(lines)


def versions(run: Run) -> str:
    """Name the versions of what the numbers may depend on."""
    names = [name for name in VERSIONS if name in run.environment]
    return " · ".join(
        [f"shakeproof {run.shakeproof}", *(f"{name} {run.environment[name]}" for name in names)]
    )


def metric_table(verdicts: Sequence[MetricVerdict]) -> Iterator[str]:
    """Write a row for each metric."""
    yield from table_head("metric", "outcome", "finding")
    for verdict in verdicts:
        findings = " ".join(map(format_sentence, verdict.findings))
        sign = f"{verdict.sign.symbol} {verdict.sign.word}"
        yield table_row(code(verdict.metric), sign, f"{findings} {escape(verdict.counts)}")


def check_table(results: Sequence[Result], labels: Mapping[MetricKey, str]) -> Iterator[str]:
    """List the checks that did not pass, worst first."""
    rest = [r for r in sorted(results, key=worst_first) if r.outcome is not Outcome.PASSED]
    if not rest:
        return
    yield from table_head("outcome", "metric", "check", "perturbation", "estimate", "message")
    for result in rest[:MAX_ROWS]:
        yield check_line(result, labels[metric_key(result)])
    if len(rest) > MAX_ROWS:
        yield ""
        yield f"{counted(len(rest) - MAX_ROWS, 'more check')} did not pass; see the report."


def check_line(result: Result, metric: str) -> str:
    """Write one check as a row of a table."""
    sign, estimate = SIGNS[result.outcome], result.estimate
    condition = "; ".join(filter(None, (describe_condition(result), few_changed(result))))
    return table_row(
        f"{sign.symbol} {sign.word}",
        code(metric),
        escape(result.check),
        escape(condition),
        escape(f"{number(value_of(result))} {interval(estimate)}" if estimate else ""),
        escape(message_with_holm(result) or result.reason),
    )


def published_table(run: Run) -> Iterator[str]:
    """Sum up published numbers, and list those that differ from what was measured."""
    tables = published_tables(run.published, ())
    if not tables:
        return
    summary = escape(summarise_agreement(tables))
    yield from ("", "### Published and measured numbers", "", summary, "")
    differing = [
        (table, row) for table in tables for row in table.rows if row.agreement in DISAGREEMENTS
    ]
    if differing:
        yield from table_head("paper", "row", "column", "published", "measured", "note")
    for table, row in differing[:MAX_ROWS]:
        cells = [
            f"{table.paper}, {table.table}",
            row.published.row,
            row.published.column,
            row.value,
            f"{row.measured} {row.interval}",
            "; ".join(row.remarks),
        ]
        yield table_row(*map(escape, cells))
    if len(differing) > MAX_ROWS:
        more = counted(len(differing) - MAX_ROWS, "more number")
        yield from ("", f"{more} differ; see the report.")


def table_head(*names: str) -> Iterator[str]:
    """Write the head of a table."""
    yield table_row(*names)
    yield table_row(*["---"] * len(names))


def table_row(*cells: str) -> str:
    """Write a row of a table from cells that are already escaped."""
    return f"| {' | '.join(cells)} |"


def format_sentence(sentence: str) -> str:
    """Write a sentence in which names stand in backticks."""
    parts = split_names(sentence)
    return "".join(code(part) if is_name else escape(part) for is_name, part in parts)


def one_line(text: str) -> str:
    """Put a text on one line, with hidden characters visible."""
    return visible(re.sub(r"\s+", " ", text))


def code(text: str) -> str:
    """Write a name as code; characters that would end it early are replaced."""
    safe = one_line(text).replace("`", "'").replace("|", "\\|")
    return f"`{safe}`"


def escape(text: str) -> str:
    """Write a text so that nothing in it is markup or becomes a link."""
    safe = one_line(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    safe = SPECIAL.sub(r"\\\1", safe)
    for link, broken in LINKS:
        safe = link.sub(broken, safe)
    return safe
