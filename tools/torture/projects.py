"""Small projects with a checklist, to be run by campaigns, and what their runs must contain."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeAlias

Scores: TypeAlias = dict[tuple[str, bytes], float]

WORDS = ("river", "bridge", "market", "harbour", "garden", "tower", "station", "meadow", "quarry")
METRIC = """
def score(candidate, reference):
    words, expected = set(candidate.lower().split()), set(reference.lower().split())
    return len(words & expected) / max(len(words | expected), 1)
"""
CHECKLIST = """\
checklist: {name}
data: data.jsonl
language: en
seed: 7
metrics:
  chrf: {{chrf: {{}}}}
  own: {{python: my_metric:score}}
checks:
  - check: capitals
    perturb: {{upper-case: {{on: candidate}}}}
    expect: {{score_change: {{at_most: 0.2}}}}
  - check: typing errors
    perturb: {{keyboard-typo: {{on: reference, levels: {levels}}}}}
    expect: {{correlation_drop: {{coefficient: pearson, at_most: 0.3}}}}
"""


def segment(number: int) -> dict[str, Any]:
    """Return a segment of three candidates that were rated."""
    name = f"{WORDS[number % len(WORDS)]} {number}"
    return {
        "id": f"s{number}",
        "source": f"The {name} opens at noon",
        "references": [f"The {name} opens at twelve, the porter said, and closes at {number}"],
        "candidates": [
            {"text": f"the {name} opens at twelve and closes at {number}", "rating": 1.0},
            {"text": f"the {name} opens, said the porter", "rating": 0.6},
            {"text": f"somebody closed door {number * 3}", "rating": 0.0},
        ],
    }


def write_project(folder: Path, *, segments: int = 300, checklists: int = 1) -> Path:
    """Write data, a metric and checklists whose levels differ."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = "".join(json.dumps(segment(number)) + "\n" for number in range(segments))
    (folder / "data.jsonl").write_text(lines, "utf-8")
    (folder / "my_metric.py").write_text(METRIC, "utf-8")
    (folder / "pytest.ini").write_text("[pytest]\n", "utf-8")
    for number in range(checklists):
        levels = [round(0.1 + 0.02 * number, 2), round(0.3 + 0.02 * number, 2)]
        text = CHECKLIST.format(name=f"c{number}", levels=levels)
        (folder / f"c{number}.checklist.yaml").write_text(text, "utf-8")
    return folder


def scores_of(cache: Path) -> Scores:
    """Read all scores of a cache; a file that is no sound database raises an error.

    A process that is killed before it creates the tables leaves a sound database without scores.
    """
    connection = sqlite3.connect(cache)
    try:
        ((state,),) = connection.execute("PRAGMA integrity_check").fetchall()
        if state != "ok":
            raise sqlite3.DatabaseError(state)
        ((tables,),) = connection.execute("SELECT COUNT(*) FROM sqlite_master").fetchall()
        if not tables:
            return {}
        query = "SELECT text, texts, score FROM scores JOIN signatures ON signature = id"
        return {(text, texts): score for text, texts, score in connection.execute(query)}
    finally:
        connection.close()


def numbers_of(run: Path) -> list[tuple[Any, ...]]:
    """Return what a run found out, without what differs between equal runs."""
    results = json.loads(run.read_text("utf-8"))["results"]
    kept = ("id", "outcome", "verdict", "estimate")
    return [tuple(json.dumps(result[name]) for name in kept) for result in results]


def half_written(folder: Path) -> Iterator[str]:
    """Yield the outputs in a folder that are not complete."""
    for path in folder.rglob("*.json"):
        try:
            json.loads(path.read_text("utf-8"))
        except ValueError:
            yield path.name
    for path in folder.rglob("*.html"):
        if not path.read_text("utf-8").rstrip().endswith("</html>"):
            yield path.name
