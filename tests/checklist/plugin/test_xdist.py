"""Several processes, any order: one run, and the same numbers."""

import json
import re

import pytest

pytest.importorskip("xdist")

NOISE = """\
  - check: typing errors cost agreement
    perturb: {keyboard-typo: {on: reference, levels: [0.2, 0.6]}}
    expect: {correlation_drop: {coefficient: wmt-kendall, at_most: 0.1}}
  - check: texts may be cut
    perturb: {truncate: {on: candidate, levels: [0.5]}}
    expect: {score_drop: {at_least: 0.1}}
    severity: warn
"""
MODEL = """\
checklist: a model in several processes
data: sample
language: en
metrics:
  deep: {bertscore: {model: minilm, layer: last}}
checks:
  - check: typing errors cost some agreement
    perturb: {keyboard-typo: {on: reference, levels: [0.1, 0.3]}}
    expect: {correlation_drop: {coefficient: wmt-kendall, at_most: 0.9}}
"""
WITHOUT = ("cacheprovider", "hypothesispytest", "anyio")  # which only make workers start late
ALWAYS = ("-W", "always", *(word for name in WITHOUT for word in ("-p", f"no:{name}")))


@pytest.fixture
def several(project):
    """A project with two checklists and the scores of a first run, and what that run wrote."""
    project.write(project.capitals + NOISE, name="a")
    project.write(project.capitals, name="b")
    return project, run_text(project)


def run_text(project, *sharing):
    """Run everything, and give run.json but for its times."""
    project.runpytest("--shakeproof-json=run.json", *ALWAYS, *sharing)
    text = (project.path / "run.json").read_text(encoding="utf-8")
    return re.sub(r'"(started|seconds)": .*', r'"\1": …', text)


@pytest.mark.parametrize(
    "sharing",
    [
        pytest.param(["-n2"], id="load"),
        pytest.param(["-n", "2", "--dist", "loadscope"], id="loadscope", marks=pytest.mark.slow),
        pytest.param(
            ["--numprocesses=2", "--dist=loadfile"], id="loadfile", marks=pytest.mark.slow
        ),
        pytest.param(["-n2", "--dist=loadgroup"], id="loadgroup", marks=pytest.mark.slow),
        pytest.param(["-n2", "--dist=worksteal"], id="worksteal", marks=pytest.mark.slow),
        pytest.param(["-n2", "--dist=each"], id="each", marks=pytest.mark.slow),
        pytest.param(["-n4"], id="four", marks=pytest.mark.slow),
    ],
)
def test_the_run_from_the_same_scores_is_the_same_to_the_byte(several, sharing):
    project, alone = several

    assert run_text(project, *sharing) == alone
    assert '"command": "pytest --shakeproof-json=run.json' in alone


@pytest.mark.parametrize(
    ("seed", "sharing"),
    [
        pytest.param(1, [], id="one order"),
        pytest.param(2, [], id="another"),
        pytest.param(3, ["-n2"], id="processes", marks=pytest.mark.slow),
    ],
)
def test_any_order_gives_the_same_run(several, beside, monkeypatch, seed, sharing):
    project, alone = several
    monkeypatch.setenv("PYTEST_ADDOPTS", f"--randomly-seed={seed}")
    shuffled = run_text(project, *sharing)
    listed = project.runpytest("--collect-only", "-q").outlines

    assert shuffled == alone
    assert [line for line in listed if "::" in line] != sorted(
        line for line in listed if "::" in line
    )


def numbers(project, *arguments, run="runpytest"):
    getattr(project, run)("--shakeproof-json=run.json", *ALWAYS, *arguments)
    found = json.loads((project.path / "run.json").read_text(encoding="utf-8"))
    return {one["id"]: (one["verdict"], one["estimate"]) for one in found["results"]}


def same(one, other):
    """Tell whether verdicts are equal and estimates within 1e-6."""
    assert one.keys() == other.keys()
    for verdict, estimate in one.values():
        assert verdict is not None
        assert estimate["value"] is not None
    for key in one:
        assert one[key][0] == other[key][0]
        for name in ("value", "low", "high"):
            assert one[key][1][name] == pytest.approx(other[key][1][name], abs=1e-6)


@pytest.mark.slow
def test_every_process_that_scores_for_itself_finds_the_same(project):
    project.write(project.capitals + NOISE)

    alone = numbers(project, "--shakeproof-cache=none")
    same(alone, numbers(project, "--shakeproof-cache=none", "-n2"))
    same(alone, numbers(project, "--shakeproof-cache=new.sqlite", "-n4"))


@pytest.mark.model
def test_a_model_finds_the_same_in_several_processes(project):
    project.write(MODEL)

    alone, shared = (
        numbers(project, "--shakeproof-limit=30", *each, run="runpytest_subprocess")
        for each in (["--shakeproof-cache=one.sqlite"], ["--shakeproof-cache=two.sqlite", "-n2"])
    )
    same(alone, shared)
