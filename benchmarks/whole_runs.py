"""Shared by benchmarks of whole runs: made-up segments, and what a run of pytest costs."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random

CANDIDATES = 4
PYTEST = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider")
OUTPUTS = ("--shakeproof-json=run.json", "--shakeproof-report=report.html")
CHECKLIST = """\
checklist: chrF under typing errors
data: data.jsonl
language: en
metrics: {{chrf: {{chrf: {{}}}}}}
checks:
  - check: agreement with people survives typing errors
    perturb: {{keyboard-typo: {{on: candidate, levels: {levels}}}}}
    expect: {{correlation_drop: {{coefficient: pearson, at_most: 0.1}}}}
"""


@dataclass(frozen=True, slots=True)
class Cost:
    """What a run of pytest took."""

    seconds: float
    processor: float  # seconds, over all cores
    megabytes: float  # peak memory


def write_checklist(folder: Path, levels: list[float]) -> None:
    """Write a checklist with one check of chrF under typing errors."""
    (folder / "typing.checklist.yaml").write_text(CHECKLIST.format(levels=levels), "utf-8")


def make_segment(rng: Random, number: int, words: list[str]) -> dict[str, object]:
    """Make a segment: the more words of a candidate are left out, the lower its rating."""
    losses = [rng.random() / 2 for _ in range(CANDIDATES)]
    candidates = [
        {
            "text": " ".join([f"{number}", *(word for word in words if rng.random() >= loss)]),
            "rating": round(100 * (1 - loss)),
        }
        for loss in losses
    ]
    reference = " ".join([f"{number}", *words])
    return {"id": f"s{number}", "references": [reference], "candidates": candidates}


def run_pytest(folder: Path, environment: Mapping[str, str] | None = None) -> Cost:
    """Run pytest in a folder up to its report; checks may fail, but nothing else."""
    start = time.perf_counter()
    process = subprocess.Popen(
        [*PYTEST, *OUTPUTS], cwd=folder, stdout=subprocess.DEVNULL, env=environment
    )
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1) or not (folder / "report.html").is_file():
        raise RuntimeError(f"pytest ended with exit code {process.returncode}")
    seconds = time.perf_counter() - start
    return Cost(seconds, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)
