"""The search in real pytest runs: what is printed, what a second run costs, several processes."""

import re

import pytest

COUNTING = """

def counting(candidate, reference):
    with open("calls.txt", "a") as file:
        file.write(f"{candidate}\\n")
    return cased(candidate, reference)
"""
SEARCH = """\
  - check: no three capitals matter
    perturb: {upper-case: {on: candidate}}
    expect: {search: {at_most: 0.4}}
  - check: no capitals turn a pair round
    perturb: {upper-case: {on: reference}}
    expect: {search: {scores: flip}}
"""


def test_a_failing_check_prints_the_fewest_edits_with_the_scores_and_a_pin(project):
    project.write()
    shown = project.runpytest().stdout

    shown.fnmatch_lines(
        [
            "*smallest failing edit: 1 of 6",
            "*score 0.* -> 0.*",
            "*expect: {search: {at_most: 0.*, unit: raw}}*",
        ]
    )


def test_no_search_is_made_when_switched_off(project):
    project.write()
    shown = project.runpytest("--shakeproof-search=0").stdout

    shown.no_fnmatch_line("*smallest failing edit*")


def test_a_search_that_finds_something_prints_it_number_first(project):
    project.write(project.capitals + SEARCH)
    shown = project.runpytest("-k", "three and cased").stdout

    shown.re_match_lines(
        [r"change 0\.\d+ spreads > 0\.40 allowed, by \d edits? of segment 's\d+'; \d+ texts .*"]
    )


def test_without_texts_a_search_names_the_segment_alone(project):
    project.write(project.capitals + SEARCH)
    shown = project.runpytest("--shakeproof-no-texts", "--shakeproof-json=run.json").stdout

    shown.fnmatch_lines(["*by * of segment 's*"])
    assert "bridge" not in shown.str() + (project.path / "run.json").read_text(encoding="utf-8")


def test_a_second_run_searches_the_same_from_the_cache_alone(project):
    project.makefile(".py", mine=(project.path / "mine.py").read_text() + COUNTING)
    project.write((project.capitals + SEARCH).replace("mine:cased", "mine:counting"))
    calls = project.path / "calls.txt"

    first, rated = project.run_text(), len(calls.read_text().splitlines())
    again = project.run_text()

    assert '"edits_minimal": 1' in first
    assert again == first
    assert len(calls.read_text().splitlines()) == rated > 0


@pytest.mark.slow
def test_several_processes_that_score_for_themselves_find_the_same_counterexamples(project):
    pytest.importorskip("xdist")
    project.write(project.capitals + SEARCH)
    alone, shared = (
        project.run_text(f"--shakeproof-cache={cache}", *more)
        for cache, more in (("one.sqlite", []), ("two.sqlite", ["-n2"]))
    )

    assert alone.count('"edits_minimal": ') == shared.count('"edits_minimal": ') > 0
    assert _minimal(alone) == _minimal(shared)


def _minimal(text):
    return re.findall(r'"(?:minimal|score_minimal|edits_minimal|calls|pin)": .*', text)


def test_a_pin_is_accepted_and_fails_the_same_way(project):
    project.write()
    (failed,) = [one for one in project.run_json()["results"] if one["examples"]]
    example = failed["examples"][0]
    project.write(example["pin"], name="pinned")
    again = project.run_json("pinned.checklist.yaml")["results"]

    assert [one["outcome"] for one in again] == ["failed"]
    assert again[0]["examples"][0]["minimal"] == example["minimal"]
    assert again[0]["examples"][0]["score_minimal"] == example["score_minimal"]
