"""`shakeproof validate`: mistakes of checklists and of their data."""

import json
from pathlib import Path

import pytest

from shakeproof.cli.main import main

pytestmark = pytest.mark.usefixtures("folder")

GOOD = """\
data: d.jsonl
metrics: {chrf: {chrf: {}}}
checks:
  - check: capitals do not matter
    perturb: {upper-case: {on: candidate}}
    expect: {score_change: {at_most: 0.2}}
"""
SEGMENT = {"id": "1", "references": ["r"], "candidates": [{"text": "a", "rating": 1}]}


def test_validate_counts_what_is_there(folder, capsys):
    (folder / "a.checklist.yaml").write_text(GOOD)
    (folder / "d.jsonl").write_text(json.dumps(SEGMENT))

    assert main(["validate", "a.checklist.yaml"]) == 0
    assert capsys.readouterr().out == (
        "a.checklist.yaml: 1 metric, 1 check, 1 item, 1 segment; no mistakes\n"
    )


def test_validate_reports_the_mistakes_of_all_files_and_of_their_data(folder, capsys):
    (folder / "a.checklist.yaml").write_text(GOOD.replace("chrf: {}", "chrff: {}"))
    (folder / "sub").mkdir()
    (folder / "sub" / "b.checklist.yml").write_text(GOOD)
    (folder / "sub" / "d.jsonl").write_text("oops\n")
    (folder / "c.checklist.yaml").write_text(GOOD.replace("d.jsonl", "sample"))

    assert main(["validate"]) == 2
    out, err = capsys.readouterr()
    assert err.splitlines() == [
        "a.checklist.yaml:2:18: unknown metric kind 'chrff'; did you mean 'chrf'?",
        "sub/d.jsonl:1: not JSON: expecting value at column 1",
    ]
    assert out.startswith("c.checklist.yaml: 1 metric, 1 check, 1 item, ")


def test_validate_without_data_reads_none(folder, capsys):
    (folder / "a.checklist.yaml").write_text(GOOD)

    assert main(["validate", "--no-data", "a.checklist.yaml"]) == 0
    assert capsys.readouterr().out == "a.checklist.yaml: 1 metric, 1 check, 1 item; no mistakes\n"


def test_validate_reports_what_the_data_lack(folder, capsys):
    (folder / "a.checklist.yaml").write_text(GOOD)
    (folder / "d.jsonl").write_text(json.dumps({**SEGMENT, "references": []}))

    assert main(["validate", "a.checklist.yaml"]) == 2
    assert "metric 'chrf' needs references" in capsys.readouterr().err


def test_validate_survives_every_broken_file(capsys):
    broken = sorted((Path(__file__).parents[1] / "spec" / "broken").glob("*.yaml"))

    assert main(["validate", "--run-code", *map(str, broken)]) == 2
    assert capsys.readouterr().out == ""
