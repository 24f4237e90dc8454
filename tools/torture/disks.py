"""A disk that is full or read-only in the middle of a run: one clear line, nothing half-written."""

from __future__ import annotations

import os
import resource
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from pathlib import Path

from torture.campaign import Report, Setting
from torture.programs import PYTEST, Ended, mounted, run
from torture.projects import Scores, half_written, scores_of, write_project

SIZES = ("20k", "60k", "100k", "150k", "200k", "300k", "400k", "600k", "1m", "2m")
OUTPUTS = ("--shakeproof-json=disk/run.json", "--shakeproof-report=disk/report.html")
CACHE = "--shakeproof-cache=disk/scores.sqlite"
# The metric puts a read-only disk over the folder when it has rated so many texts. A disk on which
# files are open cannot be made read-only itself.
READ_ONLY = """
import subprocess
calls = 0
def score(candidate, reference):
    global calls
    calls += 1
    if calls == {calls}:
        subprocess.run(["mount", "-t", "tmpfs", "-o", "ro", "tmpfs", {disk!r}], check=True)
    return float(len(candidate))
"""


def disks(setting: Setting) -> Report:
    """Run on disks of many sizes, and on disks that become read-only."""
    whole = write_project(setting.new_folder("whole"), segments=100)
    run(PYTEST, whole)
    right = scores_of(whole / ".shakeproof" / "scores.sqlite")
    sessions = _on_small_disks(setting) if os.geteuid() == 0 else _with_small_files(setting)
    broken: list[str] = []
    count = 0
    for name, disk, ended in sessions:  # while the disk is mounted
        broken += [f"{name}: {problem}" for problem in _problems(disk, ended, right)]
        count += 1
    kinds = "" if os.geteuid() == 0 else " (limits on the size of files only: not root)"
    figure = f"{count} disks full or read-only{kinds}: {len(broken)} problems"
    return Report(figure, tuple(broken))


def _on_small_disks(setting: Setting) -> Iterator[tuple[str, Path, Ended]]:
    for size in SIZES:
        folder = write_project(setting.new_folder(size), segments=100)
        with mounted(folder / "disk", size) as disk:
            yield f"{size} disk", disk, run((*PYTEST, CACHE, *OUTPUTS), folder)
    for calls in (1, 100, 250):
        folder = write_project(setting.new_folder(f"read-only-{calls}"), segments=100)
        disk = folder / "disk"
        (folder / "my_metric.py").write_text(READ_ONLY.format(calls=calls, disk=str(disk)), "utf-8")
        with mounted(disk, "20m"):
            ended = run((*PYTEST, CACHE, *OUTPUTS), folder)
            subprocess.run(["umount", disk], check=True)  # the upper one
            yield f"read-only at {calls}", disk, ended
    folder = write_project(setting.new_folder("read-only"), segments=100)
    with mounted(folder / "disk", "20m") as disk:
        subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
        yield "read-only from the start", disk, run((*PYTEST, CACHE, *OUTPUTS), folder)


def _with_small_files(setting: Setting) -> Iterator[tuple[str, Path, Ended]]:
    """Limit the size of files, where there is no right to mount a disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    for size in (30_000, 100_000, 200_000, 400_000):
        folder = write_project(setting.new_folder(f"{size}"), segments=100)
        (folder / "disk").mkdir()
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
        try:
            ended = run((*PYTEST, CACHE, *OUTPUTS), folder)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
        yield f"files of {size} bytes", folder / "disk", ended


def _problems(disk: Path, ended: Ended, right: Scores) -> Iterator[str]:
    if ended.has_traceback or "database.py" in ended.output or "cache.py" in ended.output:
        yield "a traceback"
    if ended.code == 0:
        yield "exit code 0"
    yield from (f"{name} is half-written" for name in half_written(disk))
    if left := [path.name for path in disk.rglob("*.part")]:
        yield f"left over: {', '.join(left)}"
    found = _scores_on(disk)
    if any(right.get(key, score) != score for key, score in found.items()):
        yield "a wrong score in the cache"


def _scores_on(disk: Path) -> Scores:
    """Read the chrF scores of the cache from a copy, because reading needs some space too.

    The other metric may be one that makes the disk read-only and rates otherwise.
    """
    copy = disk.parent / "copy"
    copy.mkdir()
    for path in disk.glob("scores.sqlite*"):
        shutil.copy(path, copy)
    if not (copy / "scores.sqlite").exists():
        return {}
    try:
        scores = scores_of(copy / "scores.sqlite")
    except sqlite3.OperationalError as error:
        if "no such table" in str(error):  # the disk was full before there was any
            return {}
        raise
    return {key: score for key, score in scores.items() if key[0].startswith("chrf")}
