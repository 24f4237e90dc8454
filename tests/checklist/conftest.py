"""Folders to work in, with a project or a checklist alone; and scores laid out as rows."""

import json
import os
import re
import sys
from pathlib import Path

import numpy as np
import pytest

import shakeproof
from shakeproof.api.register import ORIGINS
from shakeproof.data.loading import DATA
from shakeproof.expectations import EXPECTATIONS
from shakeproof.metrics.registry import METRICS, SCORERS
from shakeproof.metrics.settings import Settings
from shakeproof.perturbations import PERTURBATIONS
from shakeproof.plan.items import make_plan
from shakeproof.spec.read import load
from shakeproof.stats.observations import Candidates, Observations

ROOT = Path(__file__).parents[2]
PLUGINS = ROOT / ".venv" / "beside"  # those of plugins.txt
METRIC_FILE = """\
def cased(candidate, reference):
    return overlap(candidate, reference)


def uncased(candidate, reference):
    return overlap(candidate.lower(), reference.lower())


def broken(candidate, reference):
    raise RuntimeError("no weights on this planet")


def overlap(candidate, reference):
    words, expected = set(candidate.split()), set(reference.split())
    return len(words & expected) / max(len(words | expected), 1)
"""


CAPITALS = """\
checklist: capitals
data: data.jsonl
language: en
metrics:
  cased: {python: mine:cased}
  uncased: {python: mine:uncased}
checks:
  - check: capitals do not matter
    perturb: {upper-case: {on: candidate}}
    expect: {score_change: {at_most: 0.2}}
"""


def segment(number):
    words = ["river", "bridge", "market", "harbour", "garden", "tower", "station"]
    name = words[number % 7]
    return {
        "id": f"s{number}",
        "source": f"The {name} number {number} opens at noon",
        "references": [f"The {name} with number {number} opens at twelve"],
        "candidates": [
            {"text": f"the {name} number {number} opens at twelve", "rating": 1.0},
            {"text": f"the {name} opens at twelve", "rating": 0.6},
            {"text": f"somebody closed door {number * 3}", "rating": 0.0},
        ],
        "preferences": [[0, 2], [1, 2]],
    }


class Project:
    """A pytester with a metric of its own and data of 40 segments."""

    capitals = CAPITALS

    def __init__(self, pytester):
        self.pytester = pytester
        pytester.makefile(".py", mine=METRIC_FILE)
        self.write_data("data", 40)

    def __getattr__(self, name):
        return getattr(self.pytester, name)

    def write(self, text=CAPITALS, name="caps"):
        """Write a checklist."""
        return self.pytester.makefile(".checklist.yaml", **{name: text})

    def write_data(self, name, segments):
        """Write so many segments."""
        lines = "".join(json.dumps(segment(number)) + "\n" for number in range(segments))
        return self.pytester.makefile(".jsonl", **{name: lines})

    def run_text(self, *arguments):
        """Run everything and give run.json as text, without what differs from run to run."""
        self.pytester.runpytest("--shakeproof-json=run.json", "-p", "no:cacheprovider", *arguments)
        text = (self.pytester.path / "run.json").read_text(encoding="utf-8")
        return re.sub(r'"(started|seconds)": .*', "", text)

    def run_json(self, *arguments):
        """Run everything and return the content of run.json."""
        self.pytester.runpytest("--shakeproof-json=run.json", *arguments)
        return self.read_json()

    def read_json(self, name="run.json"):
        """Return the content of a JSON file of the project."""
        return json.loads((self.pytester.path / name).read_text(encoding="utf-8"))


class Libraries:
    """What runs in this process load; pytester forgets it, and loaded twice it is two libraries."""

    def __init__(self, projects):
        self.left_out = (str(projects), str(PLUGINS))  # plugins remember how they were started
        self.modules = {}

    def pytest_unconfigure(self):
        self.note()

    def note(self):
        """Note what is loaded now, except for files of the tests' projects and other plugins."""
        for name, module in sys.modules.items():
            if not str(getattr(module, "__file__", None)).startswith(self.left_out):
                self.modules[name] = module

    def restore(self):
        """Load again what was forgotten."""
        for name, module in self.modules.items():
            sys.modules.setdefault(name, module)


@pytest.fixture
def libraries(tmp_path_factory):
    """The libraries that a test loads, which stay loaded at its end."""
    libraries = Libraries(tmp_path_factory.getbasetemp())
    yield libraries
    libraries.restore()


@pytest.fixture
def pytester(libraries, pytester, monkeypatch):
    """The one of pytest, but libraries are loaded once per process."""
    run = pytester.inline_run

    def inline_run(*arguments, plugins=(), **options):
        try:
            return run(*arguments, plugins=[*plugins, libraries], **options)
        finally:
            libraries.restore()

    monkeypatch.setattr(pytester, "inline_run", inline_run)
    yield pytester
    libraries.note()


@pytest.fixture
def project(pytester, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    return Project(pytester)


@pytest.fixture
def project_with_plugins(project, monkeypatch):
    """The project where pytest finds the plugins of plugins.txt, as if they were installed."""
    if not PLUGINS.is_dir():
        report = pytest.fail if os.environ.get("SHAKEPROOF_REQUIRE_PLUGINS") == "1" else pytest.skip
        report(f"no plugins in {PLUGINS} (SHAKEPROOF_REQUIRE_PLUGINS=1 makes this a failure)")
    monkeypatch.syspath_prepend(PLUGINS)
    monkeypatch.setenv("PYTHONPATH", str(PLUGINS), prepend=os.pathsep)
    return project


@pytest.fixture(autouse=True)
def restored_registries():
    """Forget after the test the names that it registered."""
    registries = (PERTURBATIONS, METRICS, EXPECTATIONS, DATA, SCORERS, ORIGINS)
    before = [dict(registry) for registry in registries]
    yield
    for registry, entries in zip(registries, before, strict=True):
        registry.clear()
        registry.update(entries)


@pytest.fixture
def written(tmp_path, monkeypatch):
    """Write a checklist into an empty folder, and work there with a terminal wide enough."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")

    def write(text, name="c.checklist.yaml"):
        path = tmp_path / name
        path.write_text(text)
        return path

    return write


@pytest.fixture
def run_checklist(written):
    """Write a checklist and run it from Python."""

    def run(text, name="c.checklist.yaml", **options):
        return shakeproof.run(written(text, name), **options)

    return run


@pytest.fixture
def planned():
    """Make a checklist ready to run, with models that are at hand."""
    return lambda path: make_plan(load(path), Settings(offline=True))


@pytest.fixture
def observe():
    """Lay out candidates as rows with their scores, for statistics."""

    def observe(scores, *, segment=None, rating=None, pairs=(), group=None, changed=None, **more):
        """Lay out rows; by default one candidate per segment."""
        scores = {name: np.asarray(values, dtype=float) for name, values in scores.items()}
        rows = len(next(iter(scores.values())))
        segment = np.arange(rows) if segment is None else np.asarray(segment)
        segments = int(segment.max()) + 1
        group = np.zeros(segments, int) if group is None else np.asarray(group)
        candidates = Candidates(
            segments=segments,
            segment=segment,
            rating=np.full(rows, np.nan) if rating is None else np.asarray(rating, dtype=float),
            pairs=np.array(pairs, dtype=np.int64).reshape(-1, 2),
            group=group,
            groups=tuple(f"g{at}" for at in range(int(group.max()) + 1)),
            **more,
        )
        everywhere = {name: np.ones(rows, bool) for name in scores}
        changed = {name: np.asarray(mask, bool) for name, mask in (changed or {}).items()}
        return Observations(candidates, scores, everywhere | changed)

    return observe
