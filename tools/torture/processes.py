"""Many processes on one cache at once: no score is lost or wrong, and nobody meets a lock."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import repeat
from pathlib import Path
from random import Random

from torture.campaign import Report, Setting
from torture.programs import PYTEST, run
from torture.projects import scores_of, write_project

PROCESSES = 8


def processes(setting: Setting) -> Report:
    """Run as many sessions as there are checklists, at the same time and on the same cache."""
    whole = write_project(setting.new_folder("whole"), segments=80, checklists=PROCESSES)
    run(PYTEST, whole)
    right = scores_of(whole / ".shakeproof" / "scores.sqlite")
    counts: Counter[str] = Counter()
    while setting.in_time or not counts["rounds"]:
        folder = setting.new_folder(f"round{counts['rounds']}")
        write_project(folder, segments=80, checklists=PROCESSES)
        if counts["rounds"] % 2:
            _write_garbage(folder / ".shakeproof", setting.rng)
        commands = [(*PYTEST, f"c{number}.checklist.yaml") for number in range(PROCESSES)]
        with ThreadPoolExecutor(PROCESSES) as pool:
            sessions = list(pool.map(run, commands, repeat(folder)))
        found = scores_of(folder / ".shakeproof" / "scores.sqlite")
        counts["rounds"] += 1
        counts["lost"] += sum(key not in found for key in right)
        counts["wrong"] += sum(found.get(key, score) != score for key, score in right.items())
        counts["locked"] += sum("locked" in ended.output for ended in sessions)
        counts["tracebacks"] += sum(ended.has_traceback for ended in sessions)
        counts["bad exits"] += sum(ended.code not in (0, 1) for ended in sessions)
    names = ("lost", "wrong", "locked", "tracebacks", "bad exits")
    broken = tuple(f"{counts[name]} {name}" for name in names if counts[name])
    shown = ", ".join(f"{counts[name]} {name}" for name in names)
    number = PROCESSES * counts["rounds"]
    return Report(f"{number} processes in {counts['rounds']} rounds: {shown}", broken)


def _write_garbage(folder: Path, rng: Random) -> None:
    """Write a cache that is none, as after a fault of the disk."""
    folder.mkdir()
    head = b"SQLite format 3\0" if rng.random() < 0.5 else b""
    (folder / "scores.sqlite").write_bytes(head + rng.randbytes(rng.randrange(1, 20_000)))
