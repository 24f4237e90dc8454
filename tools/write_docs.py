"""Write the tables of docs/ that repeat what the code declares; `make docs` runs this.

A page marks the place of a table by two comments, `<!-- table: NAME -->` and
`<!-- end of table -->`. The lines between them are replaced.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import gpu_forecast
from pydantic import BaseModel

from shakeproof.cli.data import download_size
from shakeproof.cli.gallery import groups
from shakeproof.cli.list_ import settings_of
from shakeproof.data.sets.catalogue import SETS
from shakeproof.data.sets.records import files_of
from shakeproof.expectations import EXPECTATIONS
from shakeproof.expectations.axioms import Axiom
from shakeproof.metrics.registry import METRICS
from shakeproof.plugin.options import OPTIONS, Option
from shakeproof.reports.gallery import FamilyEntry
from shakeproof.results import Severity, Verdict, fails_session, outcome_of
from shakeproof.spec.checks import WrittenCheck
from shakeproof.spec.read import WrittenChecklist
from shakeproof.spec.written import Written
from shakeproof.spec.yaml_writing import escape_invisible

DOCS = Path(__file__).parent.parent / "docs"
FREE = "instead of references"  # the end of what kinds with a second form say about that form
MARKUP = frozenset("&<>|*_`\\[]~")  # characters that Markdown may read as markup
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


def perturbations_tables() -> str:
    """List the families of each group, with what they do to an example."""
    parts = []
    for group in groups():
        rows = (
            (f"`{entry.name}`", f"{family_cell(entry)}<br>{example(entry)}")
            for entry in group.families
        )
        head = ("family", "what it does, and an example")
        parts.append(f"\n### {group.name.capitalize()}\n\n{group.about}\n\n{table(head, rows)}")
    return "".join(parts)[1:] + "\n"


def family_cell(entry: FamilyEntry) -> str:
    """Describe a family: what it does, what a level means, where it can be used."""
    facts = [entry.level, *entry.facts]
    return f"{entry.summary}<br>{'; '.join(facts)}"


def example(entry: FamilyEntry) -> str:
    """Write the example of a family before and after, at its middle level."""
    shown = entry.examples[len(entry.examples) // 2]
    level = f" at level {shown.levels[0]}" if shown.levels else ""
    return f"{verbatim(shown.before)} becomes{level} {verbatim(shown.after)}"


def verbatim(text: str) -> str:
    """Write a text as code in which nothing is markup and invisible characters show."""
    visible = "".join(char if char == " " else escape_invisible(char) for char in text)
    escaped = "".join(f"&#{ord(char)};" if char in MARKUP else char for char in visible)
    return f"<code>{escaped}</code>"


def metrics_table() -> str:
    """List the kinds of metrics with their options."""
    rows = (
        (f"`{kind}`", options.summary, settings_cell(options))
        for kind, options in sorted(METRICS.items())
        if not options.summary.endswith(FREE)
    )
    return table(("kind", "what it computes", "options, with their defaults"), rows)


def expectations_table() -> str:
    """List the expectations with their settings."""
    rows = ((f"`{name}`", kind.summary, settings_cell(kind)) for name, kind in EXPECTATIONS.items())
    return table(("expectation", "what it says", "settings, with their defaults"), sorted(rows))


def settings_cell(model: type[BaseModel]) -> str:
    """Write settings with their defaults."""
    return ", ".join(f"`{setting}`" for setting in settings_of(model))


def keys_table() -> str:
    """List the keys at the top of a checklist."""
    return fields_table(WrittenChecklist)


def check_keys_table() -> str:
    """List the keys of a check."""
    return fields_table(WrittenCheck)


def fields_table(model: type[Written]) -> str:
    """List the keys of a mapping in a checklist, with what each is for."""
    rows = (
        (f"`{field.alias or name}`", field.description or "")
        for name, field in model.model_fields.items()
    )
    return table(("key", "what it says"), rows)


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
    "gpu-forecast": lambda: table(gpu_forecast.FORECAST_HEADER, gpu_forecast.forecast_rows()),
    "gpu-models": lambda: table(gpu_forecast.MODEL_HEADER, gpu_forecast.model_rows()),
    "gpu-rates": lambda: table(gpu_forecast.GPU_HEADER, gpu_forecast.gpu_rows()),
    "check-keys": check_keys_table,
    "expectations": expectations_table,
    "keys": keys_table,
    "metrics": metrics_table,
    "options": options_table,
    "outcomes": outcomes_table,
    "perturbations": perturbations_tables,
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
