"""Metrics that misbehave: each is one error or loses single texts, and the others are judged."""

from __future__ import annotations

import re
from pathlib import Path

from torture.campaign import Report, Setting
from torture.programs import PYTEST, processes_left, run

ROOT = Path(__file__).parents[2]
CASES = "tests/checklist/runs/test_misbehaving_metrics.py"  # one run with all of them
MEGABYTES = 1000.0


def hostile_metrics(setting: Setting) -> Report:
    """Run the cases of the tests, and look at memory and at processes that stay."""
    base = f"--basetemp={setting.folder / 'base'}"
    ended = run((*PYTEST, "-q", base, CASES), ROOT, seconds=600)
    passed, failed = (
        int(match[1]) if (match := re.search(rf"(\d+) {word}", ended.output)) else 0
        for word in ("passed", "failed")
    )
    broken = []
    if ended.code or failed:
        broken.append(f"exit code {ended.code}: {ended.last_line}")
    if ended.megabytes > MEGABYTES:
        broken.append(f"{ended.megabytes:.0f} MB")
    left = processes_left()
    broken += [f"still running: {command}" for command in left]
    figure = (
        f"{passed} of {passed + failed} tests of misbehaving metrics, {ended.seconds:.0f} s, "
        f"{ended.megabytes:.0f} MB, {len(left)} left-over processes"
    )
    return Report(figure, tuple(broken))
