"""`shakeproof schema`: the JSON Schema of a checklist or of a run."""

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
        "--run", action="store_true", dest="of_run", help="the schema of run.json (draft 2020-12)"
    )
    command.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="FILE",
        help="default: standard output",
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
    """Return the schema of checklists, with the names that are registered now."""
    from shakeproof.spec.schema import checklist_schema

    return _line_by_line(checklist_schema())


def run_schema_text() -> str:
    """Return the schema of run.json as text."""
    return json.dumps(run_schema(), indent=2, ensure_ascii=False) + "\n"


def run_schema() -> dict[str, Any]:
    """Return the schema of run.json in its current version, which a run must name."""
    from shakeproof.results import SCHEMA, Run

    schema = Run.model_json_schema()
    schema["properties"]["schema_version"] |= {"const": SCHEMA}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:{SCHEMA.replace('/', ':')}",
        **schema,
        "required": ["schema_version", *schema["required"]],
    }


def _line_by_line(schema: dict[str, Any]) -> str:
    """Write each key and each definition on one line: short, and differences are readable."""
    definitions = ",\n".join(
        _entry("  ", name, value) for name, value in schema["definitions"].items()
    )
    others = [_entry(" ", key, value) for key, value in schema.items() if key != "definitions"]
    return ",\n".join(
        ["{\n" + others[0], *others[1:], f' "definitions": {{\n{definitions}\n }}\n}}\n']
    )


def _entry(indent: str, key: str, value: object) -> str:
    return f"{indent}{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}"


def modeline(schema: str) -> str:
    """Return the comments that name the schema to editors; the second is for JetBrains' editors."""
    return f"# yaml-language-server: $schema={schema}\n# $schema: {schema}"
