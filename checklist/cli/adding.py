"""How every command introduces itself."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TypeAlias

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"
Run: TypeAlias = Callable[[argparse.Namespace], int]


def add_command(
    commands: Commands, name: str, run: Run, *, summary: str, example: str
) -> argparse.ArgumentParser:
    """Add a command whose help ends with an example."""
    command = commands.add_parser(
        name,
        help=summary,
        description=f"{summary}.",
        epilog=f"example:\n{example}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.set_defaults(run=run)
    return command
