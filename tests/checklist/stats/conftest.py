"""Small data sets for statistics: rows, ratings, scores."""

import json

import numpy as np
import pytest

from shakeproof.data.segments import Candidate, Segment
from shakeproof.stats.rows import candidates_of


@pytest.fixture
def observations(observe):
    """60 segments of 5 graded candidates, a clean score and a noisier one."""
    rng = np.random.default_rng(5)
    quality = rng.normal(size=300)
    grade = np.round(2 * quality + rng.normal(size=300)).clip(-3, 2)
    clean = quality + rng.normal(size=300)
    noisy = clean + 0.8 * rng.normal(size=300)
    segment = np.repeat(np.arange(60), 5)
    return observe({"clean": clean, "noisy": noisy}, segment=segment, rating=grade)


def read_segments(path, group=""):
    """Read a file of the real data without the loader, which has its own tests."""
    lines = path.read_text(encoding="utf-8").split("\n")
    return [_segment(json.loads(line), group) for line in lines if line]


def _segment(raw, group):
    candidates = tuple(
        Candidate(c["text"], c.get("rating"), tuple(c.get("systems", ())), c.get("scores", {}))
        for c in raw["candidates"]
    )
    return Segment(
        id=raw["id"],
        candidates=candidates,
        references=tuple(raw["references"]),
        source=raw.get("source"),
        preferences=tuple(map(tuple, raw.get("preferences", ()))),
        perturbed=raw.get("perturbed", {}),
        group=group,
    )


@pytest.fixture(scope="session")
def real(shared):
    """Read a real data set by name: its segments and their candidates as rows."""

    def read(*names):
        paths = {name: shared / "data" / f"{name}.jsonl" for name in names}
        segments = [one for name, path in paths.items() for one in read_segments(path, name)]
        return segments, candidates_of(segments)

    return read


@pytest.fixture(scope="session")
def expected(shared):
    return json.loads((shared / "data" / "expected.json").read_text(encoding="utf-8"))
