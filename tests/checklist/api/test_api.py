"""What `import shakeproof` offers: run, build, score, perturb."""

import json
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import shakeproof
from shakeproof.errors import SpecError, SpecErrors
from shakeproof.expectations import CorrelationDrop, ScoreChange
from shakeproof.metrics.kinds.lexical import ChrfOptions
from shakeproof.metrics.options import Options
from shakeproof.runs.evaluate import MetricFailed
from shakeproof.spec.read import load

PAGE = Path(__file__).parents[3] / "docs" / "python.md"

CHECKLIST = """\
checklist: from Python
data: sample
language: en
metrics:
  chrf: {chrf: {}}
  words: {word-f1: {}}
checks:
  - check: capitals do not matter
    perturb: {upper-case: {on: candidate}}
    expect: {score_change: {at_most: 0.2}}
    known_failure: {metrics: [chrf], reason: it compares letters}
"""


@pytest.fixture
def checklist(tmp_path):
    path = tmp_path / "python.checklist.yaml"
    path.write_text(CHECKLIST)
    return path


def test_a_checklist_runs_from_python(checklist):
    run = shakeproof.run(checklist)

    assert {result.metric: result.outcome for result in run.results}["chrf"] == "known failure"
    assert len(run.results) == 2


def test_results_make_a_table(checklist):
    pytest.importorskip("pandas")
    table = shakeproof.to_frame(shakeproof.run(checklist))

    assert list(table["metric"]) == ["chrf", "words"]
    assert (table["value"] >= 0).all()


def test_a_run_survives_json(checklist):
    run = shakeproof.run(checklist, limit=40)

    assert type(run).model_validate_json(run.model_dump_json()) == run
    assert json.loads(run.model_dump_json())["settings"]["limit"] == 40


def test_a_mistake_is_raised(checklist):
    checklist.write_text(CHECKLIST.replace("upper-case", "uper-case"))
    with pytest.raises(SpecErrors, match="did you mean 'upper-case'"):
        shakeproof.run(checklist)


def test_an_unknown_name_of_the_package_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'runn'"):
        _ = shakeproof.runn


def test_a_run_knows_what_conftest_registers_and_names_files_from_the_root(tmp_path):
    inner = tmp_path / "checks"
    inner.mkdir()
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "conftest.py").write_text(
        "import shakeproof\n@shakeproof.metric('even')\ndef even(a, b):\n    return len(a) % 2\n"
    )
    path = inner / "c.checklist.yaml"
    path.write_text(CHECKLIST.replace("{word-f1: {}}", "{even: {}}"))
    run = shakeproof.run(path, limit=40)

    assert {result.file for result in run.results} == {"checks/c.checklist.yaml"}
    assert {result.metric for result in run.results} == {"chrf", "words"}


def built(**changes):
    checks = [
        shakeproof.check(
            "capitals do not matter",
            ScoreChange(at_most=0.2),
            perturb=shakeproof.Perturb("upper-case", "candidate"),
            known_failure=shakeproof.KnownFailure("it compares letters", metrics=("chrf",)),
        ),
        shakeproof.check(
            "typing errors",
            CorrelationDrop(coefficient="wmt-kendall", at_most=0.1),
            perturb=[shakeproof.Perturb("keyboard-typo", "reference", (0.1, 0.3))],
            metrics=["words"],
            severity="warn",
            requires=["model:minilm"],
        ),
    ]
    metrics = {"chrf": ChrfOptions(), "words": {"word-f1": {"lowercase": True}}}
    settings = {"data": "sample", "metrics": metrics, "language": "en", "seed": 3} | changes
    return shakeproof.checklist(checks, **settings)


def test_a_checklist_built_in_code_is_the_one_its_text_says(tmp_path):
    made = built(file=tmp_path / "code.checklist.yaml")
    made.path.write_text(made.text, encoding="utf-8")

    assert load(made.path) == made
    capitals, typos = made.checks
    assert capitals.metrics == ("chrf", "words")
    assert capitals.known_failure.metrics == ("chrf",)
    assert (typos.severity, typos.requires) == ("warn", ("model:minilm",))
    assert typos.perturb[0].levels == (0.1, 0.3)
    assert made.seed == 3


def test_a_checklist_built_in_code_runs(tmp_path):
    run = shakeproof.run(built(file=tmp_path / "code.checklist.yaml"), limit=40)

    assert [result.outcome for result in run.results][:2] == ["known failure", "passed"]
    assert run.results[0].id == "code.checklist.yaml::chrf::capitals do not matter::upper-case"
    assert "upper-case" in run.checklists[0].text


def test_segments_may_stand_in_the_checklist_and_stay_out_of_a_run_without_texts(tmp_path):
    rows = [
        {"id": str(n), "references": [f"cat {n}"], "candidates": [{"text": f"tabby {n}"}]}
        for n in range(31)
    ]
    made = built(data=rows, file=tmp_path / "code.checklist.yaml")
    made = replace(made, checks=made.checks[:1])
    shown, hidden = (shakeproof.run(made, texts=texts) for texts in (True, False))

    assert "tabby 7" in shown.checklists[0].text
    assert "tabby" not in hidden.model_dump_json()
    assert "capitals do not matter" in hidden.checklists[0].text
    assert hidden.results[0].estimate == shown.results[0].estimate


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        pytest.param({"language": "English"}, "language must be a tag", id="language"),
        pytest.param({"metrics": {"chrf": "chrff"}}, "did you mean 'chrf'", id="kind"),
        pytest.param(
            {"metrics": {"words": "word-f1"}}, "unknown metric 'chrf'", id="known failure"
        ),
        pytest.param({"seeds": 0}, "seeds must be", id="setting"),
    ],
)
def test_mistakes_are_told_as_those_of_a_file(changes, message):
    with pytest.raises(SpecErrors, match=message) as caught:
        built(**changes)
    assert all(line.startswith("code.checklist.yaml:") for line in caught.value.lines)


def test_options_that_are_no_kind_are_refused():
    class Stray(Options):
        summary = "stray"

    with pytest.raises(SpecError, match="Stray is not registered as a kind of metric"):
        built(metrics={"chrf": Stray()})


def test_a_metric_scores_alone():
    scores = shakeproof.score("chrf", ["a cat", "a dog"], ["a cat", ["a cow", "a dog"]])
    free = shakeproof.score({"edit-similarity-free": {}}, ["abc"], sources=["abd"])

    assert scores == [100.0, 100.0]
    assert free == pytest.approx([2 / 3])
    assert shakeproof.score(ChrfOptions(), [], []) == []


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        pytest.param(("chrff", ["a"], ["b"]), SpecError, "did you mean 'chrf'", id="kind"),
        pytest.param(({"chrf": {"words": 2}}, ["a"], ["b"]), SpecError, "chrf: ", id="option"),
        pytest.param(({"a": {}, "b": {}}, ["a"], ["b"]), SpecError, "one kind", id="two kinds"),
        pytest.param(("chrf", ["a"]), SpecError, "needs references", id="no references"),
        pytest.param(
            ("chrf-free", ["a"]), SpecError, "needs source; give sources=", id="no source"
        ),
        pytest.param(("chrf", "a", ["b"]), ValueError, "must be a list of texts", id="one text"),
        pytest.param(("chrf", ["a"], ["b", "c"]), ValueError, "2 references for 1", id="lengths"),
        pytest.param(
            ({"parascore": {"similarity": "deep"}}, ["a"], ["b"], ["c"]),
            SpecError,
            "builds on 'deep'",
            id="refers",
        ),
        pytest.param(({"stored": "X"}, ["a"], ["b"]), SpecError, "needs stored:X", id="stored"),
    ],
)
def test_a_metric_that_cannot_score_says_why(arguments, error, message):
    with pytest.raises(error, match=message):
        shakeproof.score(*arguments)


def test_a_function_that_breaks_says_so(tmp_path, monkeypatch):
    (tmp_path / "breaking.py").write_text("def score(a, b):\n    raise RuntimeError('no luck')\n")
    monkeypatch.chdir(tmp_path)

    with pytest.raises(MetricFailed, match="RuntimeError: no luck"):
        shakeproof.score({"python": "breaking:score"}, ["a"], ["b"])


def test_a_perturbation_works_alone():
    text = "Now they have come to an agreement."

    assert shakeproof.perturb("upper-case", "so") == "SO"
    assert shakeproof.perturb("visual", text, 0) == text
    assert shakeproof.perturb("visual", text, 0.3, seed=1) == shakeproof.perturb(
        "visual", text, 0.3, seed=1
    )
    assert shakeproof.perturb("copy-input", "x", source="the input") == "the input"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(("vissual", "x"), "did you mean 'visual'", id="unknown"),
        pytest.param(("visual", "x", 3), "'visual' takes no level 3", id="level"),
        pytest.param(("copy-input", "x"), "'copy-input' needs source=", id="source"),
    ],
)
def test_a_perturbation_that_cannot_be_says_why(arguments, message):
    with pytest.raises(SpecError, match=message):
        shakeproof.perturb(*arguments)


def test_strategies_are_reached_without_being_imported_before():
    code = (
        "import sys, shakeproof; before = 'hypothesis' in sys.modules; "
        "shakeproof.strategies.texts(); shakeproof.strategies.perturbed('visual'); "
        "print(before, 'strategies' in dir(shakeproof))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout == "False True\n"


def test_reports_and_results_are_reached_without_being_imported_before():
    code = (
        "import shakeproof; "
        "print(shakeproof.reports.render, shakeproof.results.Run, shakeproof.errors.SpecError)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert "function render" in done.stdout


def test_every_public_name_is_there():
    assert [name for name in shakeproof.__all__ if not hasattr(shakeproof, name)] == []


def test_the_code_of_the_page_runs(tmp_path, monkeypatch):
    pytest.importorskip("pandas")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "noise.checklist.yaml").write_text(CHECKLIST)
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    names = {"my_metric": lambda one, other: float(one == other)}
    for block in blocks:
        exec(compile(block, PAGE.name, "exec"), names)
    names["test_scores_lie_between_0_and_1"]()

    assert len(blocks) == 6
    assert len(names["table"]) == 2
    assert names["chart"].svg.startswith("<svg")
    assert [result.outcome for result in names["relaxed"].results] == ["unexpected pass", "passed"]
    assert names["mine"].checklists[0].data[0].segments == 40
    assert names["page"].startswith("<!DOCTYPE html>")
    assert [result.outcome for result in names["failed"]] == ["failed"]
    assert names["code"] == 1
    assert [result.outcome for result in names["found"].results][:2] == ["known failure", "passed"]
    assert names["scores"][0] > 50
    assert names["noisy"] != "Now they have come to an agreement."
