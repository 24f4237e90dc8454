"""What is loaded when, seen from processes of their own."""

import json
import subprocess
import sys

import pytest

from shakeproof.results import Run

HEAVY = {"aiohttp", "torch", "transformers", "pandas", "scipy", "ray"}
LIGHTER = {"filelock", "jinja2", "numpy", "pydantic", "rapidfuzz", "ruamel", "sacrebleu"}
FOLDERS = {"checklist", "metrics", "perturbations", "reports"}
PYTEST = """\
import json, sys, pytest
code = pytest.main(sys.argv[1:])
print(json.dumps(list(sys.modules)))
sys.exit(code)
"""
RENDER = """\
import json, pathlib, sys
import shakeproof
from shakeproof.results import Run
run = Run.model_validate_json(pathlib.Path(sys.argv[1]).read_text("utf-8"))
pathlib.Path(sys.argv[2]).write_text(shakeproof.reports.render(run), "utf-8")
print(json.dumps(list(sys.modules)))
"""
CHECKLIST = """\
checklist: what a checklist loads
data: sample
language: en
metrics:
  deep: {bertscore: {model: minilm, layer: last}}
  letters: {chrf: }
checks:
  - check: capitals do not matter
    perturb: {upper-case: {on: candidate}}
    expect: {score_change: {at_most: 5}}
"""
FAILING = """\
data: buses.jsonl
language: en
metrics:
  deep: {bertscore: {model: minilm, layer: last}}
checks:
  - check: look-alike letters do not matter
    perturb: {visual: {on: candidate, levels: [1.0]}}
    expect: {score_change: {at_most: 0.001, unit: raw}}
"""
COLLECTED = "noise.checklist.yaml::deep::capitals do not matter"
NOTHING_COLLECTED = 5


def bus(number):
    """Return a segment as a line of a data file."""
    text = f"Bus {number} is late."
    return json.dumps({"id": str(number), "references": [text], "candidates": [{"text": text}]})


def modules_after(program, *arguments, folder, code=0):
    """Return the top-level modules that a program has loaded when it ends, and what it printed."""
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )

    assert done.returncode == code, done.stdout + done.stderr
    output, _, modules = done.stdout.rstrip().rpartition("\n")
    return {name.partition(".")[0] for name in json.loads(modules)}, output


@pytest.fixture
def folder(tmp_path):
    """A folder with a checklist."""
    (tmp_path / "noise.checklist.yaml").write_text(CHECKLIST, encoding="utf-8")
    return tmp_path


def test_help_loads_nothing_heavy(tmp_path):
    modules, output = modules_after(PYTEST, "--help", folder=tmp_path)

    assert "--shakeproof-report" in output
    assert not modules & HEAVY


def test_a_session_without_checklists_loads_none_of_our_dependencies(tmp_path):
    modules, _ = modules_after(PYTEST, folder=tmp_path, code=NOTHING_COLLECTED)

    assert "shakeproof" in modules
    assert not modules & (HEAVY | LIGHTER)


def test_a_session_without_checklists_prints_and_writes_nothing_of_ours(tmp_path):
    arguments = ("-p", "no:cacheprovider", "--no-header")
    _, output = modules_after(PYTEST, *arguments, folder=tmp_path, code=NOTHING_COLLECTED)

    assert "shakeproof" not in output.replace(str(tmp_path), "")
    assert not list(tmp_path.iterdir())


def test_collecting_a_checklist_loads_nothing_heavy_and_no_folder_by_its_own_name(folder):
    modules, output = modules_after(PYTEST, "--collect-only", "-q", folder=folder)

    assert COLLECTED in output
    assert not modules & (HEAVY | FOLDERS)


def test_running_a_checklist_loads_no_folder_by_its_own_name_and_no_model(folder):
    arguments = ("-k", "letters", "--shakeproof-report=report.html")
    modules, output = modules_after(PYTEST, *arguments, folder=folder)

    assert "1 passed" in output
    assert (folder / "report.html").is_file()
    assert not modules & (FOLDERS | {"torch", "transformers"})


@pytest.mark.model
def test_a_failing_run_from_the_cache_loads_no_model_for_its_evidence(folder):
    (folder / "noise.checklist.yaml").write_text(FAILING, encoding="utf-8")
    (folder / "buses.jsonl").write_text("\n".join(map(bus, range(40))), encoding="utf-8")
    outputs = ("--shakeproof-json=run.json", "--shakeproof-report=report.html")
    runs = []
    for _ in range(2):
        modules, _ = modules_after(PYTEST, "--shakeproof-offline", *outputs, folder=folder, code=1)
        (result,) = json.loads((folder / "run.json").read_text(encoding="utf-8"))["results"]
        runs.append((modules, result))
    (cold, first), (warm, second) = runs

    assert "torch" in cold
    assert not warm & {"torch", "transformers"}
    assert any(example["matrix_after"] for example in second["examples"])
    assert any(example["minimal"] for example in second["examples"])
    assert first["examples"] == second["examples"]


def test_rendering_an_archived_run_loads_nothing_heavy(tmp_path):
    run = Run(
        shakeproof="0.1.0",
        started="2026-01-01T00:00:00Z",
        seconds=1.0,
        command="pytest",
        environment={},
        settings={},
        checklists=(),
        results=(),
    )
    (tmp_path / "run.json").write_text(run.model_dump_json(), encoding="utf-8")
    modules, _ = modules_after(RENDER, "run.json", "report.html", folder=tmp_path)

    assert "<html" in (tmp_path / "report.html").read_text(encoding="utf-8")
    assert not modules & HEAVY
