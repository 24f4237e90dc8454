"""`shakeproof validate` on files that extend others, or that others extend."""

import pytest

from shakeproof.cli.main import main

BASE = "data: ${DATA:-sample}\nlanguage: en\nmetrics: {words: word-f1}\n"
CHECKS = "checks: [{check: a, perturb: {upper-case: {on: candidate}}, expect: same_scores}]\n"


@pytest.fixture
def files(folder):
    (folder / "base.checklist.yaml").write_text(BASE)
    (folder / "c.checklist.yaml").write_text(f"extends: base.checklist.yaml\n{CHECKS}")
    return folder


def test_a_base_is_valid_by_itself(files, capsys):
    assert main(["validate"]) == 0
    base, checklist = capsys.readouterr().out.splitlines()
    assert base == "base.checklist.yaml: 1 metric, no checks, so others can extend it; no mistakes"
    assert checklist.startswith("c.checklist.yaml: 1 metric, 1 check, 1 item")


def test_resolved_prints_a_valid_checklist(files, capsys):
    assert main(["validate", "--resolved", "c.checklist.yaml"]) == 0
    text = capsys.readouterr().out
    (files / "alone.checklist.yaml").write_text(text)

    assert text.splitlines()[:3] == ["data: sample", "language: en", "metrics:"]
    assert main(["validate", "alone.checklist.yaml"]) == 0


@pytest.mark.parametrize("option", [[], ["--resolved"]], ids=["validate", "resolved"])
def test_functions_of_a_base_are_found_but_not_run(files, option, capsys):
    (files / "shared").mkdir()
    module = "raise SystemExit\ndef shout(text, level, rng): return text.upper()\n"
    (files / "shared" / "mine.py").write_text(module)
    family = "families: {loud: {python: mine:shout, level: switch}}\n"
    (files / "shared" / "base.yaml").write_text(BASE + family)
    text = f"extends: shared/base.yaml\n{CHECKS.replace('upper-case', 'loud')}"
    (files / "c.checklist.yaml").write_text(text)

    assert main(["validate", *option, "c.checklist.yaml"]) == 0
    assert ("python: shared.mine:shout" in capsys.readouterr().out) is bool(option)


def test_resolved_prints_nothing_of_a_checklist_with_mistakes(files, capsys):
    (files / "c.checklist.yaml").write_text("extends: bse.checklist.yaml\n")

    assert main(["validate", "--resolved", "c.checklist.yaml"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "did you mean 'base.checklist.yaml'?" in err


def test_resolved_takes_one_file(files, capsys):
    assert main(["validate", "--resolved"]) == 2
    assert "--resolved prints one checklist, got 2; name one FILE" in capsys.readouterr().err


def test_all_data_sets_under_each_are_validated(files, capsys):
    text = f"data: {{each: {{one: sample, two: gone.jsonl}}}}\nmetrics: {{c: chrf}}\n{CHECKS}"
    (files / "c.checklist.yaml").write_text(text)

    assert main(["validate", "c.checklist.yaml"]) == 2
    assert "gone.jsonl: no such file" in capsys.readouterr().err
    assert main(["validate", "--no-data", "c.checklist.yaml"]) == 0
    assert "1 metric, 1 check, 2 items; no mistakes" in capsys.readouterr().out
