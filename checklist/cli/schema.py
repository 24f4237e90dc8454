"""`shakeproof schema`: what a checklist or a run looks like, for editors and programs."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from shakeproof.cli.common import Commands, add_command, import_conftests_here
from shakeproof.cli.terminal import say
from shakeproof.files import write_text

EXAMPLE = """\
  shakeproof schema -o checklist.schema.json
  # yaml-language-server: $schema=checklist.schema.json     (first line of a checklist)
  shakeproof schema --run -o run.schema.json"""


def add(commands: Commands) -> None:
    """Add the command."""
    command = add_command(
        commands,
        "schema",
        run,
        summary="Print the JSON Schema of checklists (draft-07, for editors) or of run.json",
        example=EXAMPLE,
    )
    command.add_argument(
        "--run", action="store_true", dest="of_run", help="that of run.json (draft 2020-12)"
    )
    command.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="a file, instead of standard output"
    )


def run(args: argparse.Namespace) -> int:
    """Print the schema, or write it and say how a checklist points to it."""
    import_conftests_here()
    text = run_schema_text() if args.of_run else schema_text()
    if args.output is None:
        say(text.rstrip("\n"))
        return 0
    write_text(args.output, text)
    if args.of_run:
        say(f"{args.output} written")
    else:
        say(f"{args.output} written; begin a checklist beside it with")
        say(modeline(args.output.name))
    return 0


def schema_text() -> str:
    """Write the schema of what is installed."""
    from shakeproof.spec.schema import checklist_schema

    return _line_by_line(checklist_schema())


def run_schema_text() -> str:
    """Write the schema of run.json."""
    return json.dumps(run_schema(), indent=2, ensure_ascii=False) + "\n"


def run_schema() -> dict[str, Any]:
    """Describe run.json in the version that is written today, which it must name."""
    from shakeproof.results import SCHEMA, Run

    described = Run.model_json_schema()
    described["properties"]["schema_version"] |= {"const": SCHEMA}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:{SCHEMA.replace('/', ':')}",
        **described,
        "required": ["schema_version", *described["required"]],
    }


def _line_by_line(schema: dict[str, Any]) -> str:
    """Give every key and every definition a line of its own: short, and still to be compared."""
    definitions = ",\n".join(_entry("  ", *one) for one in schema["definitions"].items())
    others = [_entry(" ", key, one) for key, one in schema.items() if key != "definitions"]
    return ",\n".join(
        ["{\n" + others[0], *others[1:], f' "definitions": {{\n{definitions}\n }}\n}}\n']
    )


def _entry(indent: str, key: str, value: object) -> str:
    return f"{indent}{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}"


def modeline(schema: str) -> str:
    """Point editors to a schema: the first line is for most of them, the second for JetBrains'."""
    return f"# yaml-language-server: $schema={schema}\n# $schema: {schema}"
