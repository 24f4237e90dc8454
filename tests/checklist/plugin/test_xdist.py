"""Several processes, any order: one run, and the same numbers."""

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
WITHOUT = ("cacheprovider", "hypothesispytest", "anyio")  # they slow the start of workers
ALWAYS = ("-W", "always", *(word for name in WITHOUT for word in ("-p", f"no:{name}")))


@pytest.fixture
def several(project):
    """A project with two checklists and the scores of a first run, and what that run wrote."""
    project.write(project.capitals + NOISE, name="a")
    project.write(project.capitals, name="b")
    return project, run_text(project)


def run_text(project, *sharing):
    """Run everything, and return run.json without its times."""
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
def test_any_order_gives_the_same_run(several, project_with_plugins, monkeypatch, seed, sharing):
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
    results = project.read_json()["results"]
    return {result["id"]: (result["verdict"], result["estimate"]) for result in results}


def assert_same(first, second):
    """Check that verdicts are equal, and estimates within 1e-6."""
    assert first.keys() == second.keys()
    for key, (verdict, estimate) in first.items():
        other_verdict, other_estimate = second[key]
        assert verdict is not None
        assert verdict == other_verdict
        assert estimate["value"] is not None
        for name in ("value", "low", "high"):
            assert estimate[name] == pytest.approx(other_estimate[name], abs=1e-6)


@pytest.mark.slow
def test_every_process_that_scores_for_itself_finds_the_same(project):
    project.write(project.capitals + NOISE)

    alone = numbers(project, "--shakeproof-cache=none")
    assert_same(alone, numbers(project, "--shakeproof-cache=none", "-n2"))
    assert_same(alone, numbers(project, "--shakeproof-cache=new.sqlite", "-n4"))


@pytest.mark.model
def test_a_model_finds_the_same_in_several_processes(project):
    project.write(MODEL)

    alone, shared = (
        numbers(project, "--shakeproof-limit=30", *options, run="runpytest_subprocess")
        for options in (["--shakeproof-cache=one.sqlite"], ["--shakeproof-cache=two.sqlite", "-n2"])
    )
    assert_same(alone, shared)
