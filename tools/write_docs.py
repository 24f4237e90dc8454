"""Write the tables of docs/ that repeat what the code declares; `make docs` runs this.

A page marks the place of a table by two comments, `<!-- table: NAME -->` and
`<!-- end of table -->`. The lines between them are replaced.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from shakeproof.cli.data import download_size
from shakeproof.data.sets.catalogue import SETS
from shakeproof.data.sets.records import files_of
from shakeproof.expectations import EXPECTATIONS
from shakeproof.expectations.axioms import Axiom
from shakeproof.plugin.options import OPTIONS, Option
from shakeproof.results import Severity, Verdict, fails_session, outcome_of

DOCS = Path(__file__).parent.parent / "docs"
TABLE = re.compile(r"(<!-- table: (\S+) -->\n).*?(<!-- end of table -->)", re.DOTALL)


def options_table() -> str:
    """List the options of the pytest plugin."""
    rows = ((option_cell(name, option), option.help) for name, option in OPTIONS.items())
    return table(("option", "what it does"), rows)


def option_cell(name: str, option: Option) -> str:
    """Write an option as it is written on the command line."""
    value = f"={option.metavar}" if option.metavar else ""
    repeated = " (may be repeated)" if option.kind == "linelist" else ""
    return f"`--shakeproof-{name}{value}`{repeated}"


def axioms_table() -> str:
    """List the expectations that are exact statements about each text."""
    axioms = sorted(name for name, kind in EXPECTATIONS.items() if issubclass(kind, Axiom))
    rows = ((f"`{name}`", EXPECTATIONS[name].summary) for name in axioms)
    return table(("axiom", "what it says"), rows)


def outcomes_table() -> str:
    """List the outcome of every verdict; bold ones fail the test session."""
    regression, accepted = {"regressed": True}, {"accepted": True}
    verdicts: tuple[tuple[str, Verdict, dict[str, bool]], ...] = (
        ("pass", Verdict.PASS, {}),
        ("fail", Verdict.FAIL, {}),
        ("undecided", Verdict.INCONCLUSIVE, {}),
        ("pass, but a regression", Verdict.PASS, regression),
        ("fail, and a regression", Verdict.FAIL, regression),
        ("undecided, but a regression", Verdict.INCONCLUSIVE, regression),
        ("pass, accepted", Verdict.PASS, accepted),
        ("fail, accepted", Verdict.FAIL, accepted),
    )
    header = ("verdict", "neither key", "`known_failure`", "`severity: warn`", "both")
    cases = [(known, severity) for severity in (Severity.FAIL, Severity.WARN) for known in (0, 1)]
    rows = (
        (
            name,
            *(outcome_cell(verdict, bool(known), severity, since) for known, severity in cases),
        )
        for name, verdict, since in verdicts
    )
    return table(header, rows)


def sets_table() -> str:
    """List the public data sets."""
    header = ("data", "segments", "language", "download", "what it has", "licence")
    rows = (
        (
            f"`{name}`",
            f"{record.segments:,}",
            record.language,
            download_size(files_of(name)),
            record.summary,
            record.licence,
        )
        for name, record in SETS.items()
    )
    return table(header, rows)


def outcome_cell(verdict: Verdict, known: bool, severity: Severity, since: dict[str, bool]) -> str:
    """Write the outcome of one case; `since` tells what became of it since the baseline."""
    outcome = outcome_of(verdict, known_failure=known, severity=severity, **since)
    accepted = since.get("accepted", False)
    fails = fails_session(outcome, severity=severity, accepted=accepted)
    return f"**{outcome}**" if fails else str(outcome)


def table(header: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    """Write rows as a Markdown table."""
    lines = [header, ("---",) * len(header), *rows]
    escaped = ((cell.replace("|", r"\|") for cell in line) for line in lines)
    return "".join(f"| {' | '.join(cells)} |\n" for cells in escaped)


TABLES: dict[str, Callable[[], str]] = {
    "axioms": axioms_table,
    "options": options_table,
    "outcomes": outcomes_table,
    "sets": sets_table,
}


def update_tables(page: str) -> str:
    """Return a page with its tables as the code declares them now."""
    return TABLE.sub(lambda match: match[1] + TABLES[match[2]]() + match[3], page)


def main() -> None:
    """Rewrite the pages that hold a table, and name those that changed."""
    for path in sorted(DOCS.glob("*.md")):
        page = path.read_text(encoding="utf-8")
        if (new := update_tables(page)) != page:
            path.write_text(new, encoding="utf-8")
            sys.stdout.write(f"docs/{path.name} was rewritten\n")


if __name__ == "__main__":
    main()
