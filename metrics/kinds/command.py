"""Metrics that run in another environment, as a program that is asked over pipes.

COMET and BLEURT pin libraries that cannot be installed beside ours. In a checklist

    comet: {command: {run: [envs/comet/bin/python, rate.py], version: wmt22-da, requires: [source]}}

starts `rate.py`, which loads its model and then answers every line with a line:

    for line in sys.stdin:
        items = json.loads(line)  # [{"candidate": …, "references": […], "source": …}, …]
        print(json.dumps(rate(items)), flush=True)
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
from shakeproof.metrics.protocols import Instance, Metric, Texts, Vector
from shakeproof.metrics.settings import Settings

SHOWN = 200  # characters of an answer that is not understood


class CommandFailed(RuntimeError):
    """The program ended, or answered something else than numbers."""


@dataclass(frozen=True, slots=True)
class CommandScorer:
    """Asks a program, which is started once and kept until the end.

    For each batch it is sent one line, a JSON list of objects with `candidate`, `references`
    and `source`; it answers with one line, a JSON list of numbers.
    """

    command: tuple[str, ...]
    folder: Path
    version: str

    @property
    def signature(self) -> str:
        """Name the command and the version that the user gave it."""
        return f"command|{' '.join(self.command)}|version:{self.version}"

    def score(self, tuples: Sequence[Texts]) -> Vector:
        """Rate all at once."""
        instances = [_plain(unpack(texts)) for texts in tuples]
        return _numbers(_start(self.command, self.folder)(json.dumps(instances)))


class CommandOptions(Options):
    """The program, found from the folder of the checklist, and what it needs."""

    summary: ClassVar[str] = "a program, such as another environment's Python, asked over pipes"

    run: tuple[str, ...] = Field(min_length=1, strict=False)
    version: str  # of the program and its models: nothing else can tell that they changed
    requires: tuple[Literal["references", "source"], ...] = Field(
        default=("references",), strict=False
    )

    def build(self, others: Mapping[str, Metric], settings: Settings) -> WholeInstance:
        """See that the program is there, and start nothing yet."""
        folder = settings.folder.resolve()
        if which(_program(self.run[0], folder)) is None:
            raise ValueError(f"no program {self.run[0]!r} beside the checklist or on the path")
        scorer = CommandScorer(self.run, folder, self.version)
        return WholeInstance(scorer, frozenset(self.requires))


@cache
def _start(command: tuple[str, ...], folder: Path) -> Callable[[str], str]:
    """Start the program; return a function that sends a line and waits for one."""
    complaints = TemporaryFile("w+", encoding="utf-8", errors="replace")  # noqa: SIM115  # closed at exit
    process = subprocess.Popen(
        [_program(command[0], folder), *command[1:]],
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=complaints,
        encoding="utf-8",
    )
    stdin, stdout = process.stdin, process.stdout
    if stdin is None or stdout is None:
        raise CommandFailed(f"no pipes to {command[0]!r}")

    def ask(line: str) -> str:
        with suppress(BrokenPipeError):  # then there is no answer either
            stdin.write(f"{line}\n")
            stdin.flush()
        answer = stdout.readline()
        if answer:
            return answer
        complaints.seek(0)
        last = complaints.read().strip().splitlines()[-1:]
        raise CommandFailed(": ".join([f"{command[0]!r} ended with {process.wait()}", *last]))

    def end() -> None:
        process.kill()
        process.wait()
        for file in (stdin, stdout, complaints):
            with suppress(OSError):  # what was not sent is lost
                file.close()

    atexit.register(end)
    return ask


def _program(name: str, folder: Path) -> str:
    """Take a path from the folder of the checklist, any other name from the search path."""
    beside = folder / name
    return str(beside) if beside.is_file() else name


def _numbers(answer: str) -> Vector:
    try:
        return np.array([float(score) for score in json.loads(answer)])
    except (ValueError, TypeError):
        wrong = answer.strip()[:SHOWN]
        raise CommandFailed(f"expected a JSON list of numbers, got {wrong!r}") from None


def _plain(instance: Instance) -> dict[str, object]:
    return {
        "candidate": instance.candidate,
        "references": list(instance.references),
        "source": instance.source,
    }
