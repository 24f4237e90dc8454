"""`shakeproof schema`: let editors complete and check checklists while they are written."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from shakeproof.commands.adding import Commands, add_command
from shakeproof.commands.terminal import say
from shakeproof.files import write_text

EXAMPLE = """\
  shakeproof schema -o checklist.schema.json
  # yaml-language-server: $schema=checklist.schema.json     (first line of a checklist)"""


def add(commands: Commands) -> None:
    """Add the command."""
    command = add_command(
        commands,
        "schema",
        run,
        summary="Print the JSON Schema (draft-07) of checklists, for editors",
        example=EXAMPLE,
    )
    command.add_argument("-o", "--output", type=Path, help="a file, instead of standard output")


def run(args: argparse.Namespace) -> int:
    """Print the schema, or write it and say how a checklist points to it."""
    if args.output is None:
        say(schema_text().rstrip("\n"))
        return 0
    write_text(args.output, schema_text())
    say(f"{args.output} written; begin a checklist beside it with")
    say(modeline(args.output.name))
    return 0


def schema_text() -> str:
    """Write the schema of what is installed."""
    from shakeproof.spec.schema import checklist_schema

    return json.dumps(checklist_schema(), indent=2, ensure_ascii=False) + "\n"


def modeline(schema: str) -> str:
    """Point editors to a schema: the first line is for most of them, the second for JetBrains'."""
    return f"# yaml-language-server: $schema={schema}\n# $schema: {schema}"
