"""With --shakeproof-no-texts no output quotes the data, whatever metrics and families say."""

import json
import os
import subprocess
import sys
from itertools import product

import pytest

from shakeproof.reports import render_markdown
from shakeproof.results import Run

SECRET = "xylophone"  # in every text of the data, and nowhere else
SEGMENTS = 35
EVERYTHING = os.environ.get("SHAKEPROOF_ALL_OUTPUTS") == "1"  # set by make torture

SAYS = """
import logging, sys, warnings

class Quoting(Exception):
    pass

def quietly(candidate, reference): return float(len(candidate))
def raises(candidate, reference): raise Quoting(candidate)
def raises_once(candidate, reference):
    if " 7 " in candidate: raise ValueError(candidate)
    return float(len(candidate))
def key_error(candidate, reference): return {}[reference]
def exits(candidate, reference): sys.exit(candidate)
def returns(candidate, reference): return candidate
def returns_once(candidate, reference): return candidate if " 7 " in candidate else 1.0
def chained(candidate, reference):
    try:
        raise KeyError(candidate)
    except KeyError as error:
        raise ValueError("wrong") from error
def asserts(candidate, reference): assert candidate == reference, candidate
def talks(candidate, reference):
    print(candidate)
    print(candidate, file=sys.stderr)
    logging.getLogger("mine").critical("rated %s", candidate)
    warnings.warn(candidate)
    return float(len(candidate))
def batch(candidates, references, sources): raise ValueError(candidates)

def family(text, level, rng): return text.upper()
def family_raises(text, level, rng): raise Quoting(text)
def family_none(text, level, rng): return None if " 7 " in text else text.upper()
def family_object(text, level, rng): return [text]
def family_talks(text, level, rng):
    print(text)
    logging.getLogger("mine").critical("edit %s", text)
    warnings.warn(text)
    return text.upper()

class Statistic:
    def __init__(self, compared): pass
    def sums(self, observed): raise RuntimeError("xylophone")
    def value(self, totals): return totals[..., 0]
"""
PROGRAM = """
import json, sys
for line in sys.stdin:
    print(line, file=sys.stderr)
    if sys.argv[1] == "dies":
        sys.exit(line)
    print(json.dumps(line) if sys.argv[1] == "echoes" else line, flush=True)
"""
METRICS = {
    name: f"{{python: 'says:{name}'}}"
    for name in (
        *("raises", "raises_once", "key_error", "exits", "returns", "returns_once"),
        *("chained", "asserts", "talks"),
    )
}
METRICS |= {
    f"{name}_here": f"{{python: {{function: 'says:{name}', isolate: false}}}}"
    for name in ("raises", "raises_once", "key_error", "returns", "talks")
}
METRICS["batch"] = "{python: {function: 'says:batch', batch: true}}"
METRICS |= {
    name: f"{{command: {{run: [{sys.executable}, program.py, {name}], version: '1'}}}}"
    for name in ("dies", "echoes", "repeats")
}
FAMILIES = ("family", "family_raises", "family_none", "family_object", "family_talks")
CHECKS = """
checks:
  - check: changed
    perturb: {edit: {on: candidate}}
    expect: {score_change: {at_most: 0.001}}
  - check: own
    expect: {python: {statistic: "says:Statistic", at_most: 0.5}}
"""
OUTPUTS = (
    "--shakeproof-no-texts",
    "--shakeproof-json=run.json",
    "--shakeproof-report=report.html",
    "--shakeproof-baseline=baseline.json",
    "--shakeproof-update-baseline",
    "--junitxml=junit.xml",
    "-o",
    "junit_logging=all",
    "--log-file=log.txt",
)
SUFFIXES = (".json", ".html", ".xml", ".txt")
STYLES = {
    "long": ("-rA", "-l", "--tb=long", "-vv"),
    "uncaptured": ("-s", "-l", "--log-cli-level=DEBUG", "--log-file-level=DEBUG"),
    "xdist": ("-rA", "--tb=native", "-n1"),
}
FEW_RUNS = [  # each takes seconds
    ("family", "long"),
    ("family", "uncaptured"),
    ("family_raises", "long"),
    ("family_none", "uncaptured"),
    ("family_talks", "long"),
    ("family_talks", "uncaptured"),
]
RUNS = [*product(FAMILIES, STYLES)] if EVERYTHING else FEW_RUNS


def checklist(family, metrics):
    lines = "".join(f"  {name}: {spec}\n" for name, spec in metrics.items())
    edit = f"{{python: 'says:{family}', level: switch}}"
    head = f"data: data.jsonl\nlanguage: en\nfamilies: {{edit: {edit}}}"
    return f"{head}\nmetrics:\n{lines}{CHECKS}"


def write_project(folder):
    (folder / "says.py").write_text(SAYS)
    (folder / "program.py").write_text(PROGRAM)
    (folder / "pytest.ini").write_text("[pytest]\n")
    rows = [
        {
            "id": f"s{n}",
            "references": [f"{SECRET} {n} r"],
            "candidates": [{"text": f"{SECRET} {n} c"}],
        }
        for n in range(SEGMENTS)
    ]
    (folder / "data.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


def leaks(folder, output):
    """The outputs that contain a word of the data, in small letters or capitals."""
    written = [
        path for path in folder.iterdir() if path.suffix in (".json", ".html", ".xml", ".txt")
    ]
    texts = {"terminal": output} | {path.name: path.read_text("utf-8") for path in written}
    if "run.json" in texts:
        texts["markdown"] = render_markdown(Run.model_validate_json(texts["run.json"]))
    return [name for name, text in texts.items() if SECRET in text.lower()]


def run(folder, *arguments):
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *OUTPUTS, *arguments]
    done = subprocess.run(
        command, cwd=folder, capture_output=True, encoding="utf-8", errors="replace", timeout=300
    )
    return done.stdout + done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(("family", "style"), RUNS)
def test_no_output_quotes_the_data(tmp_path, family, style):
    metrics = METRICS if EVERYTHING or family == "family" else {"talks": METRICS["talks_here"]}
    write_project(tmp_path)
    (tmp_path / "c.checklist.yaml").write_text(checklist(family, metrics))
    output = run(tmp_path, *STYLES[style])

    assert (tmp_path / "run.json").exists()
    assert leaks(tmp_path, output) == []


PROVIDER = """
import shakeproof, warnings
@shakeproof.data_set("made")
def made():
    print("xylophone"); warnings.warn("xylophone")
    raise ValueError("xylophone")
"""


@pytest.mark.parametrize(
    ("data", "place"),
    [
        pytest.param("wrong.jsonl", "wrong.jsonl:1: not valid; shakeproof validate", id="file"),
        pytest.param("made", "data set 'made': not valid", id="registered"),
    ],
)
def test_mistakes_in_the_data_are_reported_by_their_place(tmp_path, data, place):
    write_project(tmp_path)
    row = {"id": "1", "references": ["r"], "candidates": [{"text": "c", "rating": SECRET}]}
    (tmp_path / "wrong.jsonl").write_text(json.dumps(row))
    (tmp_path / "conftest.py").write_text(PROVIDER)
    text = checklist("family", {"chrf": "chrf"}).replace("data.jsonl", data)
    (tmp_path / "c.checklist.yaml").write_text(text)
    output = run(tmp_path, "--tb=long", "-l")

    assert place in output
    assert leaks(tmp_path, output) == []


def test_without_the_option_messages_are_shown(tmp_path):
    write_project(tmp_path)
    (tmp_path / "c.checklist.yaml").write_text(checklist("family", {"m": METRICS["raises"]}))
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, encoding="utf-8")

    assert f"Quoting: {SECRET} 0 c" in done.stdout
