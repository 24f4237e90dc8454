"""How a failed check is shown in the terminal."""

import pytest

from shakeproof.plugin.failures import failure_text
from shakeproof.results import Example, Outcome, Result, Verdict


def result(verdict=None, **rest):
    return Result(
        id="a::b::c::d",
        file="a",
        line=1,
        metric="b",
        check="c",
        expectation="score_change",
        statement="scores change by at most 0.2 spreads",
        quantity="change",
        outcome=Outcome.FAILED,
        verdict=verdict,
        **rest,
    )


def test_a_failure_opens_with_the_number_and_shows_texts_with_their_escapes():
    example = Example(
        segment="7",
        field="reference",
        before="abc",
        after="a\u202ebc",
        candidate="cand",
        score_before=0.9,
        score_after=0.5,
        remark="prefers the worse now",
    )
    text = failure_text(result(Verdict.FAIL, message="drop 0.4 > 0.1 allowed", examples=(example,)))

    assert text.splitlines()[0] == "drop 0.4 > 0.1 allowed"
    assert "\u202e" not in text
    assert "score 0.900 -> 0.500" in text


MINIMAL = Example(
    segment="7",
    field="candidate",
    before="a small cat",
    after="A SMALL CAT",
    score_before=0.9,
    score_after=0.1,
    minimal="a small CAT",
    score_minimal=0.5,
    edits=3,
    edits_minimal=1,
    calls=6,
    pin="checks:\n  - check: pinned\n",
)


def test_the_fewest_edits_are_marked_with_their_score_and_the_first_as_a_regression_test():
    failed = result(Verdict.FAIL, message="change 2 > 1 allowed", examples=(MINIMAL, MINIMAL))
    lines = failure_text(failed).splitlines()

    start = lines.index("  smallest failing edit: 1 of 3")
    assert lines[start + 1 : start + 3] == [
        "  = 'a small [-cat-]{+CAT+}'",
        "  score 0.900 -> 0.500",
    ]
    assert lines[-3:] == [
        "to save the first as a regression test:",
        "  checks:",
        "    - check: pinned",
    ]


def test_a_search_that_counted_nothing_still_shows_its_text():
    bare = MINIMAL.model_copy(
        update={
            "edits": None,
            "edits_minimal": None,
            "calls": None,
            "pin": "",
            "score_minimal": None,
        }
    )
    text = failure_text(result(Verdict.FAIL, message="m", examples=(bare,)))

    assert text.endswith("  smallest failing edit:\n  = 'a small [-cat-]{+CAT+}'")


FAMILIES = """
def loud(text, level, rng): return text.upper()
def raises(text, level, rng): raise KeyError("no entry")
def none(text, level, rng): return None
"""
TWO_FAMILIES = """\
checklist: two
data: data.jsonl
language: en
families:
  good: {{python: fam:loud, level: switch}}
  bad: {{python: fam:{function}, level: switch}}
metrics: {{uncased: {{python: mine:uncased}}}}
checks:
  - check: one
    perturb: {{bad: {{on: candidate}}}}
    expect: {{score_change: {{at_most: 0.2}}}}
  - check: two
    perturb: {{good: {{on: candidate}}}}
    expect: {{score_change: {{at_most: 0.2}}}}
"""


@pytest.mark.parametrize(
    ("function", "message"),
    [
        ("raises", "family 'bad', segment 's0': KeyError: 'no entry'"),
        ("none", "family 'bad', segment 's0': returned no text: None"),
    ],
)
def test_a_family_that_fails_fails_its_own_checks_alone(project, function, message):
    project.makefile(".py", fam=FAMILIES)
    project.write(TWO_FAMILIES.format(function=function))
    terminal = project.runpytest("--shakeproof-json=run.json", "--tb=long").stdout.str()
    results = {entry["check"]: entry for entry in project.read_json()["results"]}

    assert results["one"]["outcome"] == "error"
    assert results["one"]["message"] == message
    assert results["two"]["outcome"] == "passed"
    assert "perturbed.py" not in terminal
    assert ("in raises" in terminal) == (function == "raises")
