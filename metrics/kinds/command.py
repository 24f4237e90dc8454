"""Metrics that run as a program of their own, which reads and writes lines of JSON.

COMET and BLEURT pin libraries that cannot be installed beside ours. In a checklist

    comet: {command: {run: [envs/comet/bin/python, rate.py], version: wmt22-da, requires: [source]}}

starts `rate.py`, which loads its model and then answers every line with a line:

    for line in sys.stdin:
        instances = json.loads(line)  # [{"candidate": …, "references": […], "source": …}, …]
        print(json.dumps(rate(instances)), flush=True)
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from shutil import which
from typing import IO, ClassVar, Literal

from pydantic import Field

from shakeproof.metrics.engine.calls import wrong_length
from shakeproof.metrics.engine.processes import PROCESSES, TIMEOUT, Process
from shakeproof.metrics.failures import Failure, RatingFailed, as_score
from shakeproof.metrics.files import is_file
from shakeproof.metrics.kinds.python import WholeInstance, unpack
from shakeproof.metrics.options import Options
from shakeproof.metrics.protocols import Metric, ScoreColumn, Texts, Vector, column_of
from shakeproof.metrics.settings import Settings

MAX_SHOWN = 200  # characters of a wrong answer in a message
MAX_ANSWER = 1_000_000  # bytes of an answer, and so many more for each instance:
MAX_ANSWER_PER_INSTANCE = 1_000


@dataclass(frozen=True, slots=True)
class CommandScorer:
    """Rates instances with a program, which is started once and runs until the end.

    For each batch it gets one line, a JSON list of objects with `candidate`, `references` and
    `source`, and answers with one line, a JSON list of numbers.
    """

    command: tuple[str, ...]
    folder: Path
    version: str
    timeout: float = TIMEOUT

    @property
    def signature(self) -> str:
        return f"command|{' '.join(self.command)}|version:{self.version}"

    def score(self, tuples: Sequence[Texts]) -> Vector:
        return self.score_column(tuples).scores

    def score_column(self, tuples: Sequence[Texts]) -> ScoreColumn:
        """Rate each instance; a program that has ended is started again."""
        instances = [unpack(texts) for texts in tuples]
        question = [
            {
                "candidate": instance.candidate,
                "references": list(instance.references),
                "source": instance.source,
            }
            for instance in instances
        ]
        with PROCESSES.use((self.command, self.folder), self._start) as process:
            answer = process.ask(
                f"{json.dumps(question)}\n".encode(),
                partial(_read_line, most=MAX_ANSWER + MAX_ANSWER_PER_INSTANCE * len(tuples)),
                timeout=self.timeout,
            )
            try:
                return column_of(_scores(answer, len(tuples)))
            except RatingFailed:
                process.end()  # its next line may belong to this question
                raise

    def _start(self) -> Process:
        program = _program(self.command[0], self.folder)
        return Process([program, *self.command[1:]], folder=self.folder, keep_errors=True)


def _read_line(output: IO[bytes], most: int) -> bytes:
    line = output.readline(most + 1)
    if len(line) > most:
        raise RatingFailed(Failure(f"the answer has more than {most:,} bytes without a line end"))
    return line


def _scores(answer: bytes, count: int) -> list[float | Failure]:
    """Read the scores in an answer; what is no number is a missing score."""
    try:
        scores = json.loads(answer)
    except (ValueError, RecursionError):
        scores = None
    if not isinstance(scores, list):
        shown = answer.decode("utf-8", "replace").strip()[:MAX_SHOWN]
        raise RatingFailed(Failure("the answer is no JSON list of numbers", repr(shown)))
    if len(scores) != count:
        raise wrong_length(len(scores), count)
    return [as_score(score) for score in scores]


class CommandOptions(Options):
    """The program, found from the folder of the checklist, and what it needs."""

    summary: ClassVar[str] = "a program of your own, such as a script in another Python environment"

    run: tuple[str, ...] = Field(min_length=1, strict=False)
    version: str  # of the program and its models: nothing else shows when they change
    requires: tuple[Literal["references", "source"], ...] = Field(
        default=("references",), strict=False
    )
    timeout: float = Field(default=TIMEOUT, gt=0, strict=False)  # seconds for a batch of texts

    def build(self, others: Mapping[str, Metric], settings: Settings) -> WholeInstance:
        folder = settings.folder.resolve()
        if which(_program(self.run[0], folder)) is None:
            raise ValueError(
                f"no program {self.run[0]!r} beside the checklist or in the folders of PATH"
            )
        scorer = CommandScorer(self.run, folder, self.version, self.timeout)
        return WholeInstance(scorer, frozenset(self.requires))


def _program(name: str, folder: Path) -> str:
    """Return the path of a file beside the checklist, and any other name as it is."""
    beside = folder / name
    return str(beside) if is_file(beside) else name
