"""Checklists from plain values and objects, without a file."""

from pathlib import Path

import pytest

from shakeproof.expectations import ScoreChange
from shakeproof.expectations.comparisons import MoreRobustThan
from shakeproof.metrics.kinds.lexical import ChrfOptions
from shakeproof.spec.model import Tolerance
from shakeproof.spec.read import build_checklist, parse

UPPER = {"upper-case": {"on": "candidate"}}
CHANGE = ScoreChange(at_most=0.2)


def content(**changes):
    check = {"check": "one", "perturb": UPPER, "expect": CHANGE}
    return {"data": "sample", "metrics": {"chrf": ChrfOptions()}, "checks": [check]} | changes


def test_objects_stay_the_objects_they_are():
    options = ChrfOptions(beta=3)
    checklist = build_checklist(content(metrics={"chrf": options}), Path("c.yaml"))

    assert checklist.metrics["chrf"].options is options
    assert checklist.checks[0].expect is CHANGE


def test_the_text_says_the_same_and_has_the_lines():
    built = build_checklist(
        content(
            data={"a": Path("a.jsonl")},
            interval="bca",
            tolerance={"spread": 0.1},
            families={"mine": {"replace": {"a": ("b", "c")}}},
        ),
        Path("c.yaml"),
    )

    assert built.tolerance == Tolerance(spread=0.1)
    assert built.text.splitlines()[built.checks[0].line - 1] == "- check: one"
    assert built.declared_families == {"mine": {"replace": {"a": ["b", "c"]}}}
    read = parse(built.text, Path("c.yaml"))
    assert (read.checks, read.metrics, read.data) == (built.checks, built.metrics, built.data)
    assert (read.interval, read.sha256) == (built.interval, built.sha256)


@pytest.mark.parametrize(
    ("changes", "lines"),
    [
        pytest.param({"seed": -1}, ["seed: seed must be at least 0, got -1"], id="a setting"),
        pytest.param(
            {"checks": [{"check": "one", "perturb": UPPER, "expect": ScoreChange()}]},
            ["checks[0].expect: score_change needs a bound; write at_least: …, at_most: … or both"],
            id="no bound",
        ),
        pytest.param(
            {"checks": [{"check": "one", "perturb": UPPER, "expect": MoreRobustThan(metric="x")}]},
            ["checks[0].expect.metric: unknown metric 'x'; known: chrf"],
            id="a metric of an expectation",
        ),
        pytest.param(
            {"metrics": {"chrf": "chrff"}, "checks": [{"expect": CHANGE}]},
            [
                "metrics.chrf: unknown metric kind 'chrff'; did you mean 'chrf'?",
                "checks[0].expect: score_change compares with perturbed texts; write perturb: "
                "{family: {on: …}}",
                "checks[0]: the check has no name; write check: what is claimed",
            ],
            id="all at once",
        ),
    ],
)
def test_mistakes_name_the_path_of_a_value(changes, lines, error_lines):
    found = error_lines(build_checklist, content(**changes), Path("c.yaml"))

    assert found == [f"c.yaml: {line}" for line in lines]


def test_anything_else_is_refused(error_lines):
    (line,) = error_lines(build_checklist, content(seed=object), Path("c.yaml"))

    assert line.startswith("a checklist has only texts, numbers, lists and mappings, got <class")
