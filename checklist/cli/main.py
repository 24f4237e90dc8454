"""The console command `shakeproof`; users' mistakes are one line each and exit code 2."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from shakeproof import __version__
from shakeproof.cli import (
    baseline,
    cache,
    compare,
    data,
    doctor,
    export,
    gallery,
    import_,
    init,
    list_,
    mutants,
    perturb,
    plan,
    rank,
    report,
    schema,
    score,
    study,
    tune_layer,
    validate,
)
from shakeproof.cli.terminal import complain
from shakeproof.errors import SpecError
from shakeproof.files import reason_of, shown_path

COMMANDS = (
    init,
    validate,
    list_,
    perturb,
    gallery,
    plan,
    score,
    mutants,
    report,
    compare,
    baseline,
    rank,
    study,
    tune_layer,
    schema,
    cache,
    data,
    import_,
    export,
    doctor,
)
MISTAKE = 2  # the exit code of argparse too
INTERRUPTED = 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code."""
    args = parser().parse_args(argv)
    try:
        code: int = args.run(args)
        sys.stdout.flush()
    except SpecError as error:
        complain(str(error))
        return MISTAKE
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # the reader stopped reading, such as `| head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        if error.filename is None:  # nothing that the user named
            raise
        complain(f"{shown_path(Path(error.filename))}: {reason_of(error)}")
        return MISTAKE
    return code


def parser() -> argparse.ArgumentParser:
    """Return the parser of all commands."""
    top = argparse.ArgumentParser(
        prog="shakeproof",
        description="Robustness checklists for text-generation metrics. Checklists are run by "
        "pytest; this command writes, checks and explains them.",
        epilog="Exit codes: 0 done, 1 findings (mutants, doctor), 2 a mistake in a file or "
        "argument, 10 a metric or check ended in an error.",
    )
    top.add_argument("--version", action="version", version=f"shakeproof {__version__}")
    commands = top.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for command in COMMANDS:
        command.add(commands)
    return top
