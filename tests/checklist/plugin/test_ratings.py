"""Items for each aspect under pytest."""

import json

CHECKLIST = """\
data: data.jsonl
language: en
metrics: {cased: {python: mine:cased}}
rating: each
checks:
  - check: it agrees
    expect: {correlation: {at_least: -1}}
"""


def with_ratings(project):
    rows = [json.loads(line) for line in (project.path / "data.jsonl").read_text().splitlines()]
    for candidate in (one for row in rows for one in row["candidates"]):
        candidate["ratings"] = {"style": candidate.pop("rating"), "length": len(candidate["text"])}
    project.makefile(".jsonl", data="\n".join(map(json.dumps, rows)))


def test_an_aspect_is_selected_by_its_id(project):
    with_ratings(project)
    project.write(CHECKLIST, "aspects")
    result = project.runpytest(
        "aspects.checklist.yaml::cased::it agrees::clean-length", "--shakeproof-json=run.json", "-v"
    )
    (found,) = project.read_json()["results"]

    result.assert_outcomes(passed=1)
    assert found["rating"] == "length"


def test_data_with_aspects_alone_are_a_mistake_that_lists_them(project):
    with_ratings(project)
    project.write(CHECKLIST.replace("rating: each\n", ""), "aspects")
    result = project.runpytest()

    result.stdout.fnmatch_lines(
        [
            "aspects.checklist.yaml:5: check 'it agrees' asks for correlation (pearson), which "
            "needs ratings, but the data have them for aspects only (style, length); write "
            "rating: style, rating: mean or rating: each"
        ]
    )
