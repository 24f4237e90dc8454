"""Data sets under `each` in pytest, in Python, in the outputs and in commands."""

import pytest

import shakeproof
from shakeproof.cli.main import main
from shakeproof.reports import render
from shakeproof.reports.markdown import render_markdown

EACH = "data: {each: {first: data.jsonl, second: more.jsonl}}"


@pytest.fixture
def separate(project):
    """A project with one checklist about two data sets."""
    project.write_data("more", 35)
    project.write(project.capitals.replace("data: data.jsonl", EACH))
    return project


def test_ids_have_the_name_of_the_data_set(separate):
    run = separate.run_json()

    assert [result["id"] for result in run["results"]] == [
        f"caps.checklist.yaml::{name}::{metric}::capitals do not matter::upper-case"
        for name in ("first", "second")
        for metric in ("cased", "uncased")
    ]
    assert [(record["file"], record["title"]) for record in run["checklists"]] == [
        ("caps.checklist.yaml::first", "capitals [first]"),
        ("caps.checklist.yaml::second", "capitals [second]"),
    ]
    sizes = [(data["name"], data["segments"]) for c in run["checklists"] for data in c["data"]]
    assert sizes == [("first", 40), ("second", 35)]


def test_an_id_of_run_json_selects_the_item(separate):
    result = separate.runpytest(
        "caps.checklist.yaml::second::uncased::capitals do not matter::upper-case"
    )

    result.assert_outcomes(passed=1)


def test_python_runs_each_data_set_as_pytest_does(separate):
    from_pytest = separate.run_json()
    run = shakeproof.run(separate.path / "caps.checklist.yaml")

    assert [result.id for result in run.results] == [one["id"] for one in from_pytest["results"]]
    assert [result.estimate.value for result in run.results if result.estimate is not None] == [
        one["estimate"]["value"] for one in from_pytest["results"] if one["estimate"]
    ]


def test_page_and_markdown_tell_data_sets_apart(separate):
    run = shakeproof.run(separate.path / "caps.checklist.yaml")

    for text in (render(run), render_markdown(run).replace("\\", "")):
        for name in ("first", "second"):
            assert f"capitals [{name}]" in text
            assert f"upper-case in candidates [{name}]" in text


def test_the_first_chart_names_its_data_set(separate):
    separate.write(
        f"{EACH}\nlanguage: en\nmetrics: {{chrf: chrf}}\nchecks:\n"
        "- {check: noise, perturb: {visual: {on: reference, levels: 0.3}}, "
        "expect: {correlation_drop: {at_most: 0.1}}}\n"
    )
    run = shakeproof.run(separate.path / "caps.checklist.yaml", search=0)

    assert '<p class="aside">caps [first]. Bars: ' in render(run)


def test_a_baseline_is_compared_data_set_by_data_set(separate):
    separate.run_json()
    run = separate.run_json("--shakeproof-baseline=run.json")

    assert [result["change"]["kind"] for result in run["results"]] == ["unchanged"] * 4


def test_an_option_replaces_one_data_set(separate):
    separate.write_data("other", 7)
    run = separate.run_json("--shakeproof-data=second=other.jsonl")

    assert [record["data"][0]["segments"] for record in run["checklists"]] == [40, 7]


def test_xdist_sends_the_record_of_each_data_set(separate):
    run = separate.run_json("-n2")

    assert len(run["results"]) == 4
    assert [record["file"] for record in run["checklists"]] == [
        "caps.checklist.yaml::first",
        "caps.checklist.yaml::second",
    ]


def test_a_file_without_checks_is_not_collected(project):
    project.write("metrics: {chrf: chrf}\n", "base")
    project.write("extends: base.checklist.yaml\n" + project.capitals)
    result = project.runpytest()

    result.assert_outcomes(passed=1, failed=2)


def test_a_file_with_a_title_must_have_checks(project):
    project.write("checklist: mine\nmetrics: {chrf: chrf}\n", "base")
    result = project.runpytest()

    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*base.checklist.yaml:1:1: no checks; write checks:*"])


def test_a_mistake_in_a_file_without_checks_is_an_error(project):
    project.write("metrics: {chrf: chfr}\n", "base")
    result = project.runpytest()

    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*base.checklist.yaml:1:17: unknown metric kind 'chfr'*"])


def test_commands_take_one_data_set_by_its_name(separate, monkeypatch, capsys):
    monkeypatch.chdir(separate.path)

    assert main(["plan", "caps.checklist.yaml::second"]) == 0
    assert "caps.checklist.yaml::second: 2 items, 35 segments" in capsys.readouterr().out
    assert main(["plan", "caps.checklist.yaml"]) == 2
    assert "caps.checklist.yaml::first or caps.checklist.yaml::second" in capsys.readouterr().err
