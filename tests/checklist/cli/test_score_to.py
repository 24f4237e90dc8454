"""`shakeproof score --to`: the scores of single candidates, for other programs."""

import csv
import json

import pytest

import shakeproof
from shakeproof.cli.main import main

CHECKLIST = """\
data: {north: a.jsonl}
language: en
seed: 3
metrics: {letters: chrf, own: {python: own:score}}
checks:
  - check: typing errors
    perturb: {keyboard-typo: {on: reference, levels: [0.5]}}
    expect: {score_change: {at_most: 1}}
"""
OWN = """\
def score(candidate, reference):
    return float("nan") if "7" in candidate else float(len(candidate))
"""
ROWS = [
    {
        "id": f"{n}",
        "references": [f"the bus {n} is late"],
        "candidates": [
            {"text": f"bus {n} is late", "rating": n / 10, "systems": ["=A", "B"]},
            {"text": f"tram {n} is early"},
        ],
    }
    for n in range(10)
]


@pytest.fixture
def project(folder):
    (folder / "c.checklist.yaml").write_text(CHECKLIST)
    (folder / "own.py").write_text(OWN)
    (folder / "a.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in ROWS))
    return folder


def score(*arguments):
    return main(["score", "c.checklist.yaml", *arguments])


def test_every_candidate_has_a_line_for_each_metric_and_condition(project, capsys):
    assert score("--to", "scores.jsonl") == 0

    content = (project / "scores.jsonl").read_text(encoding="utf-8")
    lines = list(map(json.loads, content.splitlines()))
    assert capsys.readouterr().out.endswith(f"{(project / 'scores.jsonl').as_uri()}\n")
    assert len(lines) == 10 * 2 * 2 * 2  # segments, candidates, metrics, conditions
    first = shakeproof.score("chrf", ["bus 0 is late"], ["the bus 0 is late"])[0]
    assert lines[0] == {
        "segment": "0",
        "group": "north",
        "candidate": 0,
        "systems": ["=A", "B"],
        "metric": "letters",
        "perturbation": None,
        "on": None,
        "level": None,
        "seed": None,
        "stored": False,
        "score": first,
        "rating": 0.0,
    }
    noisy = [line for line in lines if line["perturbation"] and line["metric"] == "letters"]
    assert {(x["perturbation"], x["on"], x["level"], x["seed"]) for x in noisy} == {
        ("keyboard-typo", "reference", 0.5, 3)
    }
    assert noisy[0]["score"] < first
    assert "late" not in content


def test_a_score_that_is_missing_is_null(project):
    score("--to", "scores.jsonl")

    lines = map(json.loads, (project / "scores.jsonl").read_text().splitlines())
    missing = {(line["metric"], line["segment"]) for line in lines if line["score"] is None}
    assert missing == {("own", "7")}


def test_a_table_for_spreadsheets_has_the_same_rows_and_no_formula(project):
    score("--to", "scores.jsonl")
    score("--to", "scores.csv")

    lines = list(map(json.loads, (project / "scores.jsonl").read_text().splitlines()))
    rows = list(csv.DictReader((project / "scores.csv").read_text().splitlines()))
    assert [float(row["score"] or "nan") for row in rows] == pytest.approx(
        [float("nan") if line["score"] is None else line["score"] for line in lines],
        abs=0,
        nan_ok=True,
    )
    assert rows[0]["systems"] == "'=A;B"
    assert rows[0]["level"] == ""


def test_a_metric_that_fails_leaves_the_others(project, capsys):
    (project / "own.py").write_text("def score(candidate, reference):\n    raise ValueError\n")

    assert score("--to", "scores.jsonl") != 0
    lines = map(json.loads, (project / "scores.jsonl").read_text().splitlines())
    assert {line["metric"] for line in lines if line["score"] is not None} == {"letters"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(["--to", "none/scores.jsonl"], "none/scores.jsonl: cannot be", id="folder"),
        pytest.param(["--to", "s.csv", "--shard", "1/2"], "--to writes all scores", id="shard"),
    ],
)
def test_what_cannot_be_written_is_told_in_a_line(project, capsys, arguments, message):
    assert score(*arguments) == 2

    assert message in capsys.readouterr().err
    assert not list(project.glob("*.csv"))


def test_another_ending_is_refused_before_anything_is_scored(project, capsys):
    with pytest.raises(SystemExit):
        score("--to", "scores.txt")

    assert "'scores.txt' must end in .jsonl or .csv" in capsys.readouterr().err
    assert not (project / ".shakeproof").exists()


def test_nothing_is_left_of_a_file_that_was_not_completed(project, monkeypatch):
    def broken(*_):
        yield from ()
        raise KeyboardInterrupt

    monkeypatch.setattr("shakeproof.scoring.score_rows.score_rows", broken)

    assert score("--to", "scores.jsonl") == 130
    assert not [path for path in project.iterdir() if "scores" in path.name]


def test_only_the_first_candidates_of_near_copies_are_written(project):
    rows = [{**row, "source": f"the bus {row['id']} is late"} for row in ROWS]
    (project / "a.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    (project / "c.checklist.yaml").write_text(
        "data: a.jsonl\nlanguage: en\nsource_language: en\nmetrics: {letters: chrf}\n"
        "checks: [{check: copies, expect: {copy_penalty: {at_least: 0.5}}}]\n"
    )
    score("--to", "scores.jsonl")

    lines = list(map(json.loads, (project / "scores.jsonl").read_text().splitlines()))
    assert {x["candidate"] for x in lines if x["perturbation"] == "near-copy"} == {0}
    assert {x["candidate"] for x in lines if x["perturbation"] is None} == {0, 1}
