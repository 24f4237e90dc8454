"""SIGKILL at any moment: no score is lost or wrong, no file is unreadable or half-written."""

from __future__ import annotations

import shutil
import sqlite3
from collections import Counter
from pathlib import Path
from random import Random

from torture.campaign import Report, Setting
from torture.programs import PYTEST, SHAKEPROOF, processes_left, run
from torture.projects import Scores, half_written, numbers_of, scores_of, write_project

OUTPUTS = (
    "--shakeproof-json=run.json",
    "--shakeproof-report=report.html",
    "--shakeproof-baseline=baseline.json",
    "--shakeproof-update-baseline",
)
COMMANDS = {
    "scoring": (*PYTEST, *OUTPUTS),
    "xdist": (*PYTEST, "-n2", *OUTPUTS),
    "shard": (*SHAKEPROOF, "score", "c0.checklist.yaml", "--shard", "1/2"),
    "merge": (*SHAKEPROOF, "cache", "merge", "other.sqlite"),
}
# Python imports this module at its start; it kills the process at a step of writing a file.
KILL_WHILE_WRITING = """
import os, signal
calls = 0
def killing(function, before, at):
    def call(*arguments, **named):
        global calls
        calls += 1
        if calls == at and before:
            os.kill(os.getpid(), signal.SIGKILL)
        result = function(*arguments, **named)
        if calls == at:
            os.kill(os.getpid(), signal.SIGKILL)
        return result
    return call
if "SHAKEPROOF_KILL" in os.environ:
    name, before, at = os.environ["SHAKEPROOF_KILL"].split(",")
    setattr(os, name, killing(getattr(os, name), before == "before", int(at)))
"""
WRITING = [
    f"{name},{when},{number}"
    for name in ("fdopen", "replace")
    for when in ("before", "after")
    for number in (1, 2, 3, 4)
]


def kills(setting: Setting) -> Report:
    """Kill runs at random moments and while they write; finish each cache and compare it."""
    whole = write_project(setting.new_folder("whole"))
    run((*PYTEST, *OUTPUTS), whole)
    scores = scores_of(whole / ".shakeproof" / "scores.sqlite")
    counts: Counter[str] = Counter()
    writing = list(WRITING)
    while setting.in_time or counts["kills"] < len(COMMANDS):
        folder = write_project(setting.new_folder(f"round{counts['rounds']}"))
        shutil.copy(whole / ".shakeproof" / "scores.sqlite", folder / "other.sqlite")
        _one_cache(folder, scores, counts, writing, setting.rng)
        finished = run((*PYTEST, *OUTPUTS), folder)
        counts += _differences(folder, whole, scores)
        counts["left-over files"] += len(list(folder.glob(".*.part")))
        counts["tracebacks"] += finished.has_traceback
        counts["rounds"] += 1
        shutil.rmtree(folder)
    bad = {name: number for name, number in counts.items() if name not in ("kills", "rounds")}
    bad["left-over processes"] = len(processes_left())
    figure = f"{counts['kills']} kills in {counts['rounds']} caches of {len(scores)} scores"
    names = ("lost", "wrong", "unreadable", "half-written", "left-over files", "different results")
    shown = ", ".join(f"{bad.get(name, 0)} {name}" for name in names)
    broken = tuple(f"{number} {name}" for name, number in bad.items() if number)
    return Report(f"{figure}: {shown}, {bad['left-over processes']} left-over processes", broken)


def _one_cache(
    folder: Path, scores: Scores, counts: Counter[str], writing: list[str], rng: Random
) -> None:
    """Kill six runs that share a cache, and look at it after each."""
    known: Scores = {}
    for _ in range(6):
        name = rng.choice(list(COMMANDS))
        if writing and name in ("scoring", "xdist") and rng.random() < 0.5:
            hooks = folder / "hooks"
            hooks.mkdir(exist_ok=True)
            (hooks / "sitecustomize.py").write_text(KILL_WHILE_WRITING, "utf-8")
            env = {"SHAKEPROOF_KILL": writing.pop(0), "PYTHONPATH": str(hooks)}
            ended = run(COMMANDS["scoring"], folder, env=env)
        else:
            ended = run(COMMANDS[name], folder, kill_after=rng.uniform(0.3, 2.5))
        counts["kills"] += ended.code < 0
        counts["half-written"] += len(list(half_written(folder)))
        known = _look(folder / ".shakeproof" / "scores.sqlite", known, scores, counts)


def _look(cache: Path, known: Scores, right: Scores, counts: Counter[str]) -> Scores:
    """Count what a kill did to the cache; return its scores."""
    if not cache.exists():
        return known
    try:
        found = scores_of(cache)
    except sqlite3.DatabaseError as error:
        counts["unreadable"] += 1
        counts[f"caches with {str(error)!r}"] += 1  # shown in the report
        return {}
    counts["lost"] += sum(key not in found for key in known)
    counts["wrong"] += sum(key in right and right[key] != score for key, score in found.items())
    return found


def _differences(folder: Path, whole: Path, scores: Scores) -> Counter[str]:
    found = scores_of(folder / ".shakeproof" / "scores.sqlite")
    return Counter(
        {
            "lost": sum(key not in found for key in scores),
            "wrong": sum(found.get(key, score) != score for key, score in scores.items()),
            "different results": numbers_of(folder / "run.json") != numbers_of(whole / "run.json"),
        }
    )
