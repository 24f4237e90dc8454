"""`shakeproof list`: the perturbations, metrics, expectations and data for checklists."""

from __future__ import annotations

import argparse
import inspect
import sys
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from shakeproof.cli.common import Commands, add_command, import_conftests_here
from shakeproof.cli.terminal import say, table

if TYPE_CHECKING:
    from pydantic import BaseModel

    from shakeproof.data.loading import Provider
    from shakeproof.data.segments import DataSet
    from shakeproof.perturbations.family import Family

EXAMPLE = """\
  shakeproof list perturbations
  shakeproof list perturbations | grep "keeps the meaning"     (a line each, with tabs)
  shakeproof list metrics"""
COLUMNS = ("family", "group", "what it does", "level", "meaning", "texts", "languages")


def add(commands: Commands) -> None:
    """Add the command."""
    command = add_command(
        commands,
        "list",
        run,
        summary="List the perturbations, metrics, expectations or data that a checklist can name",
        example=EXAMPLE,
    )
    command.add_argument("topic", choices=tuple(TOPICS), help="what to list")


def run(args: argparse.Namespace) -> int:
    """Print a table, also of what conftest.py registers."""
    import_conftests_here()
    for line in TOPICS[args.topic]():
        say(line)
    return 0


def _perturbations() -> Iterator[str]:
    """Yield a table on a terminal, otherwise a line with tabs for each family."""
    from shakeproof.perturbations import PERTURBATIONS

    families = sorted(PERTURBATIONS.values(), key=lambda family: (family.group, family.name))
    if not sys.stdout.isatty():
        yield "\t".join(COLUMNS)
        yield from ("\t".join(family_row(family)) for family in families)
        return
    rows: list[tuple[str, str]] = []
    for group, members in groupby(families, key=lambda family: family.group):
        rows.append((f"-- {group}", ""))
        for name, _, summary, level, *rest in map(family_row, members):
            rows += [(name, summary), ("", f"({level}; {'; '.join(rest)})")]
    yield table(
        ("family", "what it does (what a level means; meaning; on which text; for which language)"),
        rows,
    )


def family_row(family: Family) -> tuple[str, ...]:
    """Return what a family declares, in the order of COLUMNS."""
    return (
        family.name,
        family.group,
        family.summary,
        family.level_means,
        describe_meaning(family),
        describe_fields(family),
        describe_languages(family),
    )


def describe_meaning(family: Family) -> str:
    """Return whether a perturbed text still means the same."""
    return "keeps the meaning" if family.keeps_meaning else "changes the meaning"


def describe_fields(family: Family) -> str:
    """Name the texts of a segment that a family can perturb."""
    from shakeproof.perturbations.family import FIELDS

    return "any text" if family.fields == FIELDS else " or ".join(sorted(family.fields))


def describe_languages(family: Family) -> str:
    """Name the languages or the scripts that a family supports."""
    from shakeproof.perturbations.scripts import NAMES, SPACED

    if family.languages is not None:
        return f"language {', '.join(sorted(family.languages))}"
    if family.scripts is None:
        return "any language"
    if family.scripts == SPACED:
        return "any script with spaces between words"
    return f"{', '.join(sorted(NAMES.get(code, code) for code in family.scripts))} script"


def _metrics() -> Iterator[str]:
    from shakeproof.metrics.registry import METRICS

    rows = [
        (kind, _describe(options.summary, options)) for kind, options in sorted(METRICS.items())
    ]
    yield table(("kind", "what it does, and its options with their defaults"), rows)


def _expectations() -> Iterator[str]:
    from shakeproof.expectations import EXPECTATIONS

    rows = [(name, _describe(kind.summary, kind)) for name, kind in sorted(EXPECTATIONS.items())]
    yield table(("expectation", "what it says, and its settings with their defaults"), rows)


def _describe(summary: str, model: type[BaseModel]) -> str:
    settings = ", ".join(settings_of(model))
    return f"{summary.rstrip('.')}. {settings}" if settings else summary


def settings_of(model: type[BaseModel]) -> Iterator[str]:
    """Yield the settings of a metric or an expectation, each with its default."""
    for name, field in model.model_fields.items():
        key = field.alias or name
        if field.is_required() or field.default is None:
            yield key
        else:
            default = field.get_default(call_default_factory=True, validated_data={})
            yield f"{key}={_plain(default)}"


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple | list):
        return f"[{', '.join(map(_plain, value))}]"
    return str(value)


def _data() -> Iterator[str]:
    """Yield the data sets that have a name and are here; one that cannot be loaded says why."""
    from shakeproof.data.loading import DATA
    from shakeproof.data.named import NAMED_DATA
    from shakeproof.data.sets.folder import data_file

    rows = [
        (name, f"{data.summary}: {has}. Licence: {data.licence}. Cite: {data.citation}")
        for name, data in NAMED_DATA.items()
        if all(data_file(part).is_file() for part in data.sets)
        for has in [_count_segments(data.sets) if data.sets else _load(name)]
    ]
    rows += [(name, _describe_provider(name, provider)) for name, provider in sorted(DATA.items())]
    yield table(("data", "what it has"), rows)
    yield "other names are paths of JSON Lines files, from the folder of the checklist"
    yield "shakeproof data list shows public data sets that can be downloaded"


def _count_segments(sets: Sequence[str]) -> str:
    """Count the segments of downloaded sets without loading them, as that takes seconds."""
    from shakeproof.data.sets.catalogue import SETS

    return f"{sum(SETS[name].segments for name in sets):,} segments"


def _describe_provider(name: str, provider: Provider) -> str:
    summary = (inspect.getdoc(provider.function) or "registered").split("\n")[0]
    return f"{summary.rstrip('.')}: {_load(name)}"


def _load(name: str) -> str:
    """Load data and return what they have, or why they cannot be loaded."""
    from pathlib import Path

    from shakeproof.data.loading import load_data
    from shakeproof.errors import SpecError

    try:
        return describe_data(load_data(name, folder=Path()))
    except SpecError as error:
        return str(error).split("\n")[0]


def describe_data(data: DataSet) -> str:
    """Count the segments, candidates and judgements of a data set."""
    candidates = [candidate for segment in data.segments for candidate in segment.candidates]
    rated = sum(candidate.rating is not None for candidate in candidates)
    pairs = sum(len(segment.preferences) for segment in data.segments)
    return (
        f"{len(data.segments):,} segments, {len(candidates):,} candidates, "
        f"{rated:,} ratings, {pairs:,} preferences"
    )


TOPICS = {
    "perturbations": _perturbations,
    "metrics": _metrics,
    "expectations": _expectations,
    "data": _data,
}
