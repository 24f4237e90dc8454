"""Commands know what conftest.py registers, and read other data than a checklist names."""

import json
import shutil
from pathlib import Path

import pytest

from shakeproof.cli.main import main
from shakeproof.metrics.engine.cache import Cache
from shakeproof.metrics.functions import run_file

EXAMPLE = Path(__file__).parents[3] / "docs" / "example"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A copy of the example project as the working folder."""
    monkeypatch.chdir(shutil.copytree(EXAMPLE, tmp_path / "example"))
    monkeypatch.setenv("COLUMNS", "200")
    run_file.cache_clear()
    return Path()


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        pytest.param(
            ["validate", "--run-code"],
            "6 metrics, 5 checks, 38 items, 60 segments",
            id="validate",
        ),
        pytest.param(["list", "perturbations"], "Put a share of the words in capital", id="list"),
        pytest.param(["list", "metrics"], "letter-pairs-free", id="list metrics"),
        pytest.param(["list", "expectations"], "mean_score", id="list expectations"),
        pytest.param(
            ["list", "data"], "instead: 60 segments, 180 candidates, 180 ratings", id="list data"
        ),
        pytest.param(["perturb", "shout", "--level", "1", "a b"], "{+A+}", id="perturb"),
        pytest.param(["schema"], '"shout": {', id="schema"),
        pytest.param(["plan", "own.checklist.yaml"], "38 items, 60 segments", id="plan"),
        pytest.param(["score", "own.checklist.yaml", "--limit", "2"], "were missing", id="score"),
    ],
)
def test_commands_know_what_conftest_registers(capsys, arguments, shown):
    code = main(arguments)
    out, err = capsys.readouterr()

    assert (code, err) == (0, "")
    assert shown in out


def test_a_conftest_that_breaks_is_reported_and_built_in_names_are_listed(folder, capsys):
    (folder / "conftest.py").write_text("import no_such_module\n")

    assert main(["list", "data"]) == 0
    out, err = capsys.readouterr()
    assert err.startswith("conftest.py: cannot be imported: ModuleNotFoundError")
    assert err.count("\n") == 1
    assert "sample" in out


def test_data_that_cannot_be_loaded_are_listed_with_the_reason(folder, capsys):
    with (folder / "conftest.py").open("a") as file:
        file.write("\n\n@shakeproof.data_set('broken')\ndef broken():\n    return 'no.jsonl'\n")

    assert main(["list", "data"]) == 0
    assert "broken         registered: no.jsonl: no such file" in capsys.readouterr().out


def rows(count, first=0):
    return "".join(
        json.dumps({"id": str(n), "references": ["r"], "candidates": [{"text": f"c {n % 3}"}]})
        + "\n"
        for n in range(first, first + count)
    )


CHECKLIST = """\
data: {one: a.jsonl}
metrics: {chrf: chrf, words: bleu}
checks: [{check: c, perturb: {upper-case: {on: candidate}}, expect: {score_change: {at_most: 1}}}]
"""


@pytest.mark.parametrize("name", ["one", "a.jsonl"])
@pytest.mark.parametrize("command", ["plan", "score", "mutants"])
def test_commands_read_other_data_as_pytest_does(folder, capsys, name, command):
    (folder / "c.checklist.yaml").write_text(CHECKLIST)
    (folder / "b.jsonl").write_text(rows(40))
    code = main([command, "c.checklist.yaml", "--data", f"{name}=b.jsonl", "--limit", "35"])

    assert code in (0, 1)  # 1: a check that catches no mutant
    assert "no such file" not in capsys.readouterr().err


def test_a_replacement_without_a_path_is_refused(capsys):
    with pytest.raises(SystemExit):
        main(["plan", "c.checklist.yaml", "--data", "a.jsonl"])

    assert "'a.jsonl' is not of the form NAME=PATH" in capsys.readouterr().err


def test_shards_are_disjoint_and_together_complete_also_with_equal_segments(folder):
    (folder / "c.checklist.yaml").write_text(CHECKLIST)
    (folder / "a.jsonl").write_text(rows(20))
    arguments = ["score", "c.checklist.yaml"]
    assert main([*arguments, "--cache", "whole.sqlite"]) == 0
    names = [f"s{number}.sqlite" for number in (1, 2, 3)]
    for number, name in enumerate(names, start=1):
        assert main([*arguments, "--shard", f"{number}/3", "--cache", name]) == 0
    assert main(["cache", "merge", *names, "--file", "all.sqlite"]) == 0
    whole, merged, *parts = (counts(name) for name in ("whole.sqlite", "all.sqlite", *names))

    assert merged == whole
    assert {scorer: sum(part.get(scorer, 0) for part in parts) for scorer in whole} == whole
    assert sum(whole.values()) == 12  # three texts, clean and perturbed, for each of two scorers


def counts(name):
    with Cache(Path(name)) as cache:
        return cache.info().scores
