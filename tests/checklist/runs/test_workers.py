"""A run has the same results whoever rates its texts."""

import json
from argparse import ArgumentTypeError
from pathlib import Path

import pytest

import shakeproof
from shakeproof.errors import SpecError
from shakeproof.runs import arguments

OWN = """\
def overlap(candidate, reference):
    first, second = set(candidate.split()), set(reference.split())
    return len(first & second) / max(1, len(first | second))
"""
CONFTEST = """\
import shakeproof

@shakeproof.metric("common-letters")
def common_letters(candidate, reference):
    return len(set(candidate) & set(reference)) / max(1, len(set(candidate + reference)))
"""
CHECKLIST = """\
data: sample
language: en
metrics:
{metrics}
checks:
  - check: typing errors
    perturb: {{keyboard-typo: {{on: candidate, levels: [0.1, 0.3]}}}}
    expect: {{score_change: {{at_most: 0.2}}}}
"""
LEXICAL = """\
  letters: {chrf: }
  bleu: {bleu: }
  difference: {ibleu: {bleu: bleu}}
  mine: {python: own:overlap}
  registered: common-letters
"""
MODELS = """\
  deep: {bertscore: {model: minilm, layer: last}}
  shallow: {bertscore: {model: minilm, layer: first}}
  bytes: {bertscore: {model: byte-mini}}
"""
TIMES = ("started", "seconds", "command")


@pytest.fixture
def project(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "own.py").write_text(OWN)
    (tmp_path / "conftest.py").write_text(CONFTEST)
    return tmp_path


def write(project: Path, metrics: str) -> Path:
    path = project / "noise.checklist.yaml"
    path.write_text(CHECKLIST.format(metrics=metrics))
    return path


def content_of(run):
    """Return a run as JSON would have it, without times."""
    content = json.loads(run.model_dump_json())
    return {key: value for key, value in content.items() if key not in TIMES}


def test_workers_change_nothing_in_a_run(project):
    path = write(project, LEXICAL)
    alone = shakeproof.run(path, offline=True, limit=40)
    together = shakeproof.run(path, offline=True, limit=40, workers=2)

    assert content_of(together) == content_of(alone)
    assert "error" not in {result.outcome for result in alone.results}


def test_workers_find_the_functions_of_a_base_beside_it(project):
    folder = project / "shared"
    folder.mkdir()
    (project / "own.py").rename(folder / "own.py")
    (folder / "base.yaml").write_text("metrics: {mine: {python: own:overlap}}\n")
    path = write(project, "  letters: chrf\n")
    path.write_text(f"extends: shared/base.yaml\n{path.read_text()}")
    run = shakeproof.run(path, limit=20, search=0, workers=2)

    assert {result.metric for result in run.results} == {"mine", "letters"}
    assert "error" not in {result.outcome for result in run.results}


@pytest.mark.model
def test_workers_change_nothing_in_a_run_with_models(project):
    path = write(project, MODELS + LEXICAL)
    alone = shakeproof.run(path, offline=True, limit=20, search=0)
    together = shakeproof.run(path, offline=True, limit=20, search=0, workers=2)

    assert content_of(together) == content_of(alone)
    assert "error" not in {result.outcome for result in alone.results}


@pytest.mark.parametrize("workers", ["0", "-1", "two", ""])
def test_a_wrong_number_of_workers_is_one_line(project, workers):
    with pytest.raises(SpecError, match="is not a whole number above 0, auto, ray, or an address"):
        shakeproof.run(write(project, LEXICAL), workers=workers)


@pytest.mark.parametrize("share", ["-1", "1.5", "half", "nan"])
def test_a_wrong_number_of_gpus_is_one_line(share):
    with pytest.raises(ArgumentTypeError, match=r"is not a whole number, or a share such as 0\.5"):
        arguments.gpu_share(share)


def test_gpus_are_shared_out_by_ray_alone(project, capsys):
    from shakeproof.cli.main import main

    write(project, LEXICAL)
    code = main(["score", "noise.checklist.yaml", "--workers", "2", "--gpus-per-worker", "0.5"])

    assert code != 0
    assert "ask for workers: ray too" in capsys.readouterr().err


@pytest.mark.parametrize("processes", [(), ("-n2",)], ids=["one process", "xdist"])
def test_pytest_scores_with_workers(pytester, processes):
    folder = pytester.path
    (folder / "pyproject.toml").touch()
    (folder / "own.py").write_text(OWN)
    (folder / "conftest.py").write_text(CONFTEST)
    write(folder, LEXICAL)
    options = ("--shakeproof-limit=30", "--shakeproof-search=0", "-p", "no:randomly")
    runs = {}
    for workers in (None, "2"):
        more = [f"--shakeproof-workers={workers}"] if workers else []
        out = f"--shakeproof-json={workers}.json"
        pytester.runpytest_subprocess(*options, *processes, *more, out, "--shakeproof-cache=none")
        results = json.loads((folder / f"{workers}.json").read_text())["results"]
        runs[workers] = [{**result, "seconds": 0} for result in results]

    assert runs["2"] == runs[None]
    assert len(runs["2"]) == 10


@pytest.mark.ray
def test_every_item_says_that_there_is_no_cluster(pytester, monkeypatch):
    monkeypatch.setenv("RAY_ADDRESS", "127.0.0.1:1")
    write(pytester.path, "  letters: {chrf: }\n  bleu: {bleu: }\n")
    result = pytester.runpytest_subprocess("--shakeproof-workers=ray", "--shakeproof-limit=30")

    assert str(result.stdout).count("there is no Ray cluster at 127.0.0.1:1") >= 4
    assert "Traceback" not in str(result.stdout)


@pytest.mark.ray
def test_python_raises_that_there_is_no_cluster(project, monkeypatch):
    monkeypatch.setenv("RAY_ADDRESS", "127.0.0.1:1")

    with pytest.raises(SpecError, match="there is no Ray cluster"):
        shakeproof.run(write(project, LEXICAL), workers="ray", limit=30)


def test_without_ray_asking_for_it_is_one_line(project, monkeypatch):
    monkeypatch.setattr(arguments, "find_spec", lambda name: None)

    with pytest.raises(SpecError, match=r"'ray' needs Ray; install it with: pip install .*\[ray\]"):
        shakeproof.run(write(project, LEXICAL), workers="ray")


def test_the_command_scores_with_workers(project, capsys):
    from shakeproof.cli.main import main

    write(project, LEXICAL)
    code = main(["score", "noise.checklist.yaml", "--limit", "20", "--workers", "2"])
    first = capsys.readouterr().out
    main(["score", "noise.checklist.yaml", "--limit", "20"])

    assert code == 0
    assert " 0 scores were missing" not in first
    assert " 0 scores were missing" in capsys.readouterr().out
