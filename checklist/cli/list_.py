"""`shakeproof list`: what a checklist can name."""

from __future__ import annotations

import argparse
import inspect
import sys
from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING

from shakeproof.cli.common import Commands, add_command, import_conftests_here
from shakeproof.cli.declared import fields, meaning, serves
from shakeproof.cli.terminal import say, table

if TYPE_CHECKING:
    from pydantic import BaseModel

    from shakeproof.data.loading import Provider
    from shakeproof.perturbations.family import Family

EXAMPLE = """\
  shakeproof list perturbations
  shakeproof list perturbations | grep "keeps the meaning"     (a line each, with tabs)
  shakeproof list metrics"""
COLUMNS = ("family", "group", "what it does", "level", "meaning", "texts", "serves")


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
    """Print a table, of what conftest.py registers too."""
    import_conftests_here()
    for line in TOPICS[args.topic]():
        say(line)
    return 0


def _perturbations() -> Iterator[str]:
    """Tell all that families declare: as a table to look at, or a line each to search."""
    from shakeproof.perturbations import PERTURBATIONS

    families = sorted(PERTURBATIONS.values(), key=lambda one: (one.group, one.name))
    if not sys.stdout.isatty():
        yield "\t".join(COLUMNS)
        yield from ("\t".join(declared(family)) for family in families)
        return
    rows: list[tuple[str, str]] = []
    for group, members in groupby(families, key=lambda one: one.group):
        rows.append((f"-- {group}", ""))
        for name, _, about, level, *rest in map(declared, members):
            rows += [(name, about), ("", f"({level}; {'; '.join(rest)})")]
    yield table(
        ("family", "what it does (what a level means; meaning; on which text; for which language)"),
        rows,
    )


def declared(family: Family) -> tuple[str, ...]:
    """List what a family declares, in the order of COLUMNS."""
    about = (family.summary, family.level_means, meaning(family), fields(family), serves(family))
    return family.name, family.group, *about


def _metrics() -> Iterator[str]:
    from shakeproof.metrics.registry import METRICS

    rows = [(kind, _described(one.summary, one)) for kind, one in sorted(METRICS.items())]
    yield table(("kind", "what it does, and its options with their defaults"), rows)


def _expectations() -> Iterator[str]:
    from shakeproof.expectations import EXPECTATIONS

    rows = [(name, _described(one.summary, one)) for name, one in sorted(EXPECTATIONS.items())]
    yield table(("expectation", "what it says, and its settings with their defaults"), rows)


def _described(summary: str, model: type[BaseModel]) -> str:
    settings = ", ".join(_settings(model))
    return f"{summary.rstrip('.')}. {settings}" if settings else summary


def _settings(model: type[BaseModel]) -> Iterator[str]:
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
    """Tell what is shipped and what is registered; what cannot be loaded says why."""
    from shakeproof.data.loading import DATA
    from shakeproof.data.named import NAMED_DATA

    rows = [
        (name, f"{data.summary}: {_holds(name)}. Licence: {data.licence}. Cite: {data.citation}")
        for name, data in NAMED_DATA.items()
    ]
    rows += [(name, _described_data(name, one)) for name, one in sorted(DATA.items())]
    yield table(("data", "what it holds"), rows)
    yield "any other name is the path of a JSON Lines file, from the folder of the checklist"


def _described_data(name: str, provider: Provider) -> str:
    about = (inspect.getdoc(provider.function) or "registered").split("\n")[0]
    return f"{about.rstrip('.')}: {_holds(name)}"


def _holds(name: str) -> str:
    from pathlib import Path

    from shakeproof.data.loading import load_data
    from shakeproof.errors import SpecError

    try:
        data = load_data(name, folder=Path())
    except SpecError as error:
        return str(error).split("\n")[0]
    candidates = [one for segment in data.segments for one in segment.candidates]
    rated = sum(one.rating is not None for one in candidates)
    pairs = sum(len(segment.preferences) for segment in data.segments)
    return (
        f"{len(data.segments)} segments, {len(candidates)} candidates, "
        f"{rated} ratings, {pairs} preferences"
    )


TOPICS = {
    "perturbations": _perturbations,
    "metrics": _metrics,
    "expectations": _expectations,
    "data": _data,
}
