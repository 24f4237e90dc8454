"""Files that are made to cost time or memory: refused or done within 5 s and 300 MB.

The seconds are processor time: the machine may be busy with something else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from torture.campaign import Report, Setting
from torture.programs import SHAKEPROOF, run

SECONDS = 5.0
MEGABYTES = 300.0
HEAD = "data: sample\nmetrics: {c: chrf}\nchecks:\n"
CHECK = """\
  - check: c{number}
    perturb: {{upper-case: {{on: candidate}}}}
    expect: {{score_change: {{at_most: 1}}}}
"""


def _checks(count: int) -> str:
    return HEAD + "".join(CHECK.format(number=number) for number in range(count))


def _aliases() -> str:
    lines = [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12)]
    return "\n".join(["a0: &a0 [x, x]", *lines])


CHECKLISTS: Mapping[str, Callable[[], str]] = {
    "comment of 50 MB": lambda: "# " + "x" * 50_000_000,
    "scalar of 50 MB": lambda: "checklist: " + "y" * 50_000_000,
    "list of 50 MB": lambda: "- a\n" * 12_500_000,
    "short lines of 5 MB": lambda: "a: |\n" + "  y\n" * 1_250_000,
    "list of 1 MB": lambda: "- a\n" * 249_000,
    "comment of 1 MB": lambda: "# x\n" * 249_000,
    "nested 200,000 deep": lambda: "[" * 200_000,
    "aliases": _aliases,
    "90,000 keys": lambda: "\n".join(f"k{n}: 1" for n in range(90_000)),
    "number of 1 MB": lambda: f"seed: {'9' * 990_000}",
    "2,000 checks": lambda: _checks(2_000),
    "8,000 checks": lambda: _checks(8_000),
    "15,000 values": lambda: _checks(1) + "x-a: [" + "0.1, " * 15_000 + "0.1]",
    "9,000 merge keys": lambda: (
        "x-a: &a {b: 1}\n" + "".join(f"x-{n}: {{<<: *a}}\n" for n in range(9_000))
    ),
    "regular expression": lambda: _checks(1) + "families: {f: {regex: '(a+)+$', with: ''}}",
}
TABLES = {"one cell": b"x", "cells": b"x,", "lines": b"x,y,z\n", "quotes": b'"'}
RUN = b'{"schema_version": "shakeproof-run/3", '
PICKLES = {
    "runs code": b"cos\nsystem\n(S'touch executed'\ntR.",
    "marks": b"\x80\x04" + b"(" * 3_000_000 + b".",
    "repeats a tuple": b"\x80\x04" + b"]" + b"2\x86" * 3_000_000 + b".",
    "has a long integer": b"\x80\x04\x8b\xff\xff\xff\x7f.",
}


def bombs(setting: Setting) -> Report:
    """Give each bomb to the command that would read it."""
    seconds, megabytes = [0.0], [0.0]
    broken: list[str] = []
    for name, command in _commands(setting.folder):
        ended = run((*SHAKEPROOF, *command), setting.folder, seconds=60)
        seconds.append(ended.processor_seconds)
        megabytes.append(ended.megabytes)
        if ended.processor_seconds > SECONDS or ended.megabytes > MEGABYTES:
            broken.append(f"{name}: {ended.processor_seconds:.1f} s and {ended.megabytes:.0f} MB")
        if ended.has_traceback or ended.code not in (0, 1, 2) or "usage:" in ended.output:
            broken.append(f"{name}: exit code {ended.code}: {ended.last_line[:200]}")
    if (setting.folder / "executed").exists():
        broken.append("a pickle was executed")
    most = f"at most {max(seconds):.1f} s and {max(megabytes):.0f} MB"
    return Report(f"{len(seconds) - 1} bombs: {most}", tuple(broken))


def _commands(folder: Path) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Write each bomb and yield the command that reads it."""
    for number, (name, text) in enumerate(CHECKLISTS.items()):
        path = folder / f"bomb{number}.checklist.yaml"
        path.write_text(text(), "utf-8")
        yield name, ("validate", "--no-data", path.name)
        path.unlink()
    line = b'{"id": "1", "candidates": [{"text": "' + b"x" * 60_000_000 + b'"}]}\n'
    (folder / "bomb.jsonl").write_bytes(line)
    (folder / "d.checklist.yaml").write_text(_checks(1).replace("sample", "bomb.jsonl"), "utf-8")
    yield "line of 60 MB", ("validate", "d.checklist.yaml")
    bomb = folder / "bomb"
    for name, piece in TABLES.items():
        bomb.write_bytes(b"source,reference,candidate\n" + piece * (300_000_000 // len(piece)))
        yield f"table of 300 MB: {name}", ("import", "csv", "bomb", "-o", "o.jsonl")
    for name, content in PICKLES.items():
        release = folder / "release"
        release.mkdir(exist_ok=True)
        for file in ("source-reference.pickle", "source-candidate.pickle"):
            (release / file).write_bytes(content)
        yield f"pickle that {name}", ("import", "parascore", "release", "-o", "o.jsonl")
    bomb.write_bytes(RUN + b'"a": ' + b"[" * 10**6)
    yield "run.json nested 1,000,000 deep", ("report", "bomb", "-o", "o.html")
    bomb.write_bytes(RUN + b'"seconds": ' + b"9" * 10**6 + b"}")
    yield "run.json with a number of 1 MB", ("report", "bomb", "-o", "o.html")
