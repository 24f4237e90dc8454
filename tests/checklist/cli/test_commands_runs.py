"""Archived runs: rendered again, exported, compared, and validated by a schema."""

import json
from csv import DictReader
from pathlib import Path
from xml.etree import ElementTree

import pytest
from jsonschema import Draft202012Validator

import shakeproof
from shakeproof.cli.main import main
from shakeproof.cli.schema import run_schema, run_schema_text
from shakeproof.errors import SpecError
from shakeproof.plugin.summary import as_json
from shakeproof.runs.archive import read_run

ROOT = Path(__file__).parents[3]
ARCHIVED = ROOT / "tests" / "reports" / "archive" / "run-1.json"
CHECKLIST = """\
data: sample
language: en
seed: 7
metrics:
  chrf: {chrf: {}}
  words: {word-f1: {}}
checks:
  - check: agreement survives look-alike letters
    perturb: {visual: {on: reference, levels: [0.1, 0.3]}}
    expect: {correlation_drop: {coefficient: wmt-kendall, at_most: 0.10}}
  - check: a wrong number costs points
    perturb: {change-number: {on: candidate}}
    expect: {score_drop: {at_least: 0.2}}
"""


@pytest.fixture(scope="module")
def emitted(tmp_path_factory):
    """The JSON of a real run, with evidence and a condition that changes few segments."""
    path = tmp_path_factory.mktemp("run") / "small.checklist.yaml"
    path.write_text(CHECKLIST, encoding="utf-8")
    return as_json(shakeproof.run(path, limit=60))


@pytest.fixture(autouse=True)
def archived_run(folder, emitted):
    (folder / "run.json").write_text(emitted, encoding="utf-8")


def altered(emitted, **changes):
    """The same run, with its results changed."""
    run = json.loads(emitted)
    for result in run["results"]:
        result |= changes
    return json.dumps(run)


def test_a_run_is_rendered_again(folder, written_files, capsys):
    assert main(["report", "run.json"]) == 0

    assert capsys.readouterr().out == f"{(folder / 'report.html').as_uri()}\n"
    assert "<html" in (folder / "report.html").read_text(encoding="utf-8")
    assert written_files() == {"run.json", "report.html"}


def test_a_run_is_exported_in_each_requested_format_and_no_other(folder, capsys):
    arguments = ["--markdown", "summary.md", "--csv", "all.csv", "--charts", "drawn/charts"]
    assert main(["report", "run.json", *arguments]) == 0

    places = [folder / name for name in ("summary.md", "all.csv", "drawn/charts")]
    charts = sorted((folder / "drawn" / "charts").iterdir())
    lines = list(DictReader((folder / "all.csv").read_text(encoding="utf-8").splitlines()))
    assert capsys.readouterr().out.split() == [place.as_uri() for place in places]
    assert (folder / "summary.md").read_text(encoding="utf-8").startswith("## ")
    assert {line["metric"] for line in lines} == {"chrf", "words"}
    assert len(charts) > 2
    assert {ElementTree.parse(chart).getroot().tag for chart in charts} == {
        "{http://www.w3.org/2000/svg}svg"
    }
    assert not (folder / "report.html").exists()


def test_a_summary_without_a_file_is_printed(folder, written_files, capsys):
    assert main(["report", "run.json", "--markdown"]) == 0

    assert capsys.readouterr().out.startswith("## ")
    assert written_files() == {"run.json"}


def test_a_folder_that_cannot_be_created_is_one_line_and_nothing_written(written_files, capsys):
    assert main(["report", "run.json", "-o", "page.html", "--charts", "run.json/charts"]) == 2

    assert capsys.readouterr().err == "run.json/charts: cannot be created: not a directory\n"
    assert written_files() == {"run.json"}


@pytest.mark.parametrize(
    ("content", "line"),
    [
        pytest.param('{"hello": 1}', "bad.json: not a run: no schema_version", id="no version"),
        pytest.param("[]", "bad.json: not a run: no schema_version", id="a list"),
        pytest.param('{"a": 1,}', "bad.json:1:9: not JSON: ", id="not JSON"),
        pytest.param("", "bad.json:1:1: not JSON: expecting value", id="empty"),
        pytest.param("[" * 100_000, "bad.json: not a run: nested too deeply", id="deep"),
        pytest.param(
            '{"schema_version": "shakeproof-run/99"}',
            "bad.json: schema_version 'shakeproof-run/99' is unknown here, this shakeproof reads "
            "'shakeproof-run/3'; a newer one may read it",
            id="unknown version",
        ),
        pytest.param('{"schema_version": [1]}', "bad.json: schema_version [1] is ", id="odd"),
        pytest.param(
            '{"schema_version": "shakeproof-run/1"}',
            "bad.json: not a run: shakeproof: Field required",
            id="incomplete",
        ),
    ],
)
@pytest.mark.parametrize("command", ["report", "compare"])
def test_what_is_no_run_is_refused_in_one_line(
    folder, written_files, capsys, command, content, line
):
    (folder / "bad.json").write_text(content)
    runs = ["bad.json"] if command == "report" else ["run.json", "bad.json"]

    assert main([command, *runs, "-o", "page.html"]) == 2
    out, err = capsys.readouterr()
    assert err.startswith(line)
    assert err.count("\n") == 1
    assert out == ""
    assert written_files() == {"run.json", "bad.json"}


def test_an_archived_run_is_rendered_and_compared(capsys):
    assert main(["report", str(ARCHIVED)]) == 0
    assert main(["compare", str(ARCHIVED), str(ARCHIVED)]) == 0


def test_equal_runs_have_no_change_to_show(folder, capsys):
    assert main(["compare", "run.json", "run.json", "-o", "page.html"]) == 0

    out = capsys.readouterr().out.splitlines()
    assert out == [
        "No significant change; 6 unchanged.",
        (folder / "page.html").as_uri(),
    ]
    assert "Two runs compared" in (folder / "page.html").read_text(encoding="utf-8")


def test_changes_are_shown_with_intervals_the_worst_first(folder, capsys, emitted):
    run = json.loads(emitted)
    for shift, result in enumerate(run["results"]):
        result["estimate"]["value"] += 0.1 * shift
    (folder / "new.json").write_text(json.dumps(run))

    assert main(["compare", "run.json", "new.json"]) == 0
    headline, header, *rows, page = capsys.readouterr().out.splitlines()
    changes = [float(row.split()[3]) for row in rows if not row.startswith(" ")]
    assert "1 unchanged" in headline
    assert header.split() == ["change", "old", "new", "new", "-", "old,", "interval", "check"]
    assert changes == pytest.approx([0.3, 0.2, 0.1, 0.5, 0.4])  # the last two are better
    assert page == (folder / "comparison.html").as_uri()
    assert max(map(len, rows)) <= 80


def test_runs_that_cannot_be_compared_say_why(folder, capsys, emitted):
    (folder / "new.json").write_text(altered(emitted, seeds=[8]))

    assert main(["compare", "run.json", "new.json"]) == 0
    out = capsys.readouterr().out
    assert "not comparable: 6 checks, other seeds\n" in out


def test_checks_of_one_run_only_are_counted(folder, capsys, emitted):
    run = json.loads(emitted)
    (folder / "new.json").write_text(json.dumps(run | {"results": run["results"][1:]}))

    assert main(["compare", "run.json", "new.json"]) == 0
    assert "only in the old run: 1 check\n" in capsys.readouterr().out


def test_the_published_schema_is_that_of_the_program():
    published = (ROOT / "docs" / "run.schema.json").read_text(encoding="utf-8")

    assert published == run_schema_text(), "shakeproof schema --run -o docs/run.schema.json"


def test_the_schema_of_runs_is_valid_and_printed(capsys):
    Draft202012Validator.check_schema(run_schema())

    assert main(["schema", "--run"]) == 0
    assert json.loads(capsys.readouterr().out) == run_schema()


def test_an_emitted_run_follows_the_schema_and_is_read_again(folder, emitted):
    Draft202012Validator(run_schema()).validate(json.loads(emitted))

    assert as_json(read_run(folder / "run.json")) == emitted


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"schema_version": "shakeproof-run/4"}, id="another version"),
        pytest.param({"surprise": 1}, id="an unknown key"),
        pytest.param({"results": [{}]}, id="an empty result"),
        pytest.param({"seconds": "long"}, id="a wrong type"),
    ],
)
def test_the_schema_refuses_what_the_program_refuses(folder, emitted, change):
    run = json.loads(emitted) | change
    (folder / "run.json").write_text(json.dumps(run))

    assert not Draft202012Validator(run_schema()).is_valid(run)
    with pytest.raises(SpecError):
        read_run(folder / "run.json")


def test_a_run_must_name_its_version(emitted):
    run = json.loads(emitted)
    del run["schema_version"]

    assert not Draft202012Validator(run_schema()).is_valid(run)
