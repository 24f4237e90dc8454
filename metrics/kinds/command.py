"""Metrics that run as a program of their own, which reads and writes lines of JSON.

COMET and BLEURT pin libraries that cannot be installed beside ours. In a checklist

    comet: {command: {run: [envs/comet/bin/python, rate.py], version: wmt22-da, requires: [source]}}

starts `rate.py`, which loads its model and then answers every line with a line:

    for line in sys.stdin:
        instances = json.loads(line)  # [{"candidate": …, "references": […], "source": …}, …]
        print(json.dumps(rate(instances)), flush=True)
"""

from __future__ import annotations

import atexit
import json
import subprocess
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from shutil import which
from tempfile import TemporaryFile
from typing import ClassVar, Literal

import numpy as np
from pydantic import Field

from shakeproof.metrics.kinds.python import WholeInstance, unpack
from shakeproof.metrics.options import Options
from shakeproof.metrics.protocols import Metric, Texts, Vector
from shakeproof.metrics.settings import Settings

MAX_SHOWN = 200  # characters of a wrong answer in a message


class CommandFailed(RuntimeError):
    """The program ended, or its answer was not a list of numbers."""


@dataclass(frozen=True, slots=True)
class CommandScorer:
    """Rates instances with a program, which is started once and runs until the end.

    For each batch it gets one line, a JSON list of objects with `candidate`, `references` and
    `source`, and answers with one line, a JSON list of numbers.
    """

    command: tuple[str, ...]
    folder: Path
    version: str

    @property
    def signature(self) -> str:
        return f"command|{' '.join(self.command)}|version:{self.version}"

    def score(self, tuples: Sequence[Texts]) -> Vector:
        instances = [unpack(texts) for texts in tuples]
        question = [
            {
                "candidate": instance.candidate,
                "references": list(instance.references),
                "source": instance.source,
            }
            for instance in instances
        ]
        answer = _start(self.command, self.folder)(json.dumps(question))
        try:
            return np.array([float(score) for score in json.loads(answer)])
        except (ValueError, TypeError):
            raise CommandFailed(
                f"{self.command[0]!r} must answer with a JSON list of numbers, but answered "
                f"{answer.strip()[:MAX_SHOWN]!r}"
            ) from None


class CommandOptions(Options):
    """The program, found from the folder of the checklist, and what it needs."""

    summary: ClassVar[str] = "a program of your own, such as a script in another Python environment"

    run: tuple[str, ...] = Field(min_length=1, strict=False)
    version: str  # of the program and its models: nothing else shows when they change
    requires: tuple[Literal["references", "source"], ...] = Field(
        default=("references",), strict=False
    )

    def build(self, others: Mapping[str, Metric], settings: Settings) -> WholeInstance:
        folder = settings.folder.resolve()
        if which(_program(self.run[0], folder)) is None:
            raise ValueError(
                f"no program {self.run[0]!r} beside the checklist or in the folders of PATH"
            )
        scorer = CommandScorer(self.run, folder, self.version)
        return WholeInstance(scorer, frozenset(self.requires))


@cache
def _start(command: tuple[str, ...], folder: Path) -> Callable[[str], str]:
    """Start the program; return a function that sends a line and waits for one."""
    errors = TemporaryFile("w+", encoding="utf-8", errors="replace")  # noqa: SIM115  # closed at exit
    process = subprocess.Popen(
        [_program(command[0], folder), *command[1:]],
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=errors,
        encoding="utf-8",
    )
    stdin, stdout = process.stdin, process.stdout
    if stdin is None or stdout is None:
        raise CommandFailed(f"{command[0]!r} could not be connected to pipes")

    def ask(line: str) -> str:
        with suppress(BrokenPipeError):  # then there is no answer either
            stdin.write(f"{line}\n")
            stdin.flush()
        answer = stdout.readline()
        if answer:
            return answer
        errors.seek(0)
        last_line = errors.read().strip().splitlines()[-1:] or ["it wrote no error message"]
        raise CommandFailed(f"{command[0]!r} ended with exit code {process.wait()}: {last_line[0]}")

    def end() -> None:
        process.kill()
        process.wait()
        for file in (stdin, stdout, errors):
            with suppress(OSError):  # some of the last question may still be unsent
                file.close()

    atexit.register(end)
    return ask


def _program(name: str, folder: Path) -> str:
    """Return the path of a file beside the checklist, and any other name as it is."""
    beside = folder / name
    return str(beside) if beside.is_file() else name
