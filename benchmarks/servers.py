"""Shared by the benchmarks of judges: a scripted server in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SCRIPTS = Path(__file__).parents[1] / "tests" / "metrics" / "judges"


@contextmanager
def serve(script: str, argument: object) -> Iterator[str]:
    """Run one of the scripts and give its address."""
    command = [sys.executable, str(SCRIPTS / script), str(argument)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None  # both are pipes
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.stdin.close()
