"""`shakeproof mutants`: checks against deliberately broken metrics."""

import pytest

from shakeproof.cli.main import main
from shakeproof.metrics.engine.cache import Cache
from shakeproof.metrics.engine.engine import Engine
from shakeproof.metrics.settings import Settings
from shakeproof.results import Verdict
from shakeproof.runs.mutants import Mutant, judge_mutant, make_mutants

CHECKLIST = """\
data: sample
language: en
draws: 500
metrics:
  words: {word-f1: {lowercase: true}}
  chrf: {chrf: {}}
checks:
  - check: capitals do not matter
    metrics: [words]
    perturb: {upper-case: {on: candidate}}
    expect: {score_change: {at_most: 0.2}}
  - check: a wrong number costs points
    metrics: [words]
    perturb: {change-number: {on: candidate}}
    expect: {score_drop: {at_least: 0.05}}
"""
BLIND = """\
  - check: anything goes
    metrics: [words]
    perturb: {upper-case: {on: candidate}}
    expect: {score_change: {at_most: 1000}}
"""


@pytest.fixture(autouse=True)
def checklist(written):
    return written(CHECKLIST)


def test_a_checklist_whose_checks_all_catch_a_mutant_passes(checklist, capsys):
    assert main(["mutants", "c.checklist.yaml"]) == 0
    shown = capsys.readouterr().out.splitlines()

    assert shown[0] == "words:"
    assert " ".join(shown[1].split()) == "constant random length shuffled pairs cased variant check"
    capitals, numbers = ([cell.strip() for cell in line.split("  ") if cell] for line in shown[2:4])
    assert capitals[-2] == "fails"  # on the cased variant
    assert numbers[-1] == "a wrong number costs points"
    assert shown[-1] == "every check catches at least one broken metric"


def test_a_check_that_catches_no_mutant_is_named(checklist, capsys):
    checklist.write_text(CHECKLIST + BLIND)

    assert main(["mutants", "c.checklist.yaml"]) == 1
    assert "check 'anything goes' catches none of the broken metrics" in capsys.readouterr().out


def test_an_unknown_metric_is_refused(capsys):
    assert main(["mutants", "c.checklist.yaml", "--metric", "wrds"]) == 2
    assert "did you mean 'words'" in capsys.readouterr().err


def test_shuffled_pairs_compare_with_the_next_segment_whatever_the_condition(checklist, planned):
    plan = planned(checklist)
    (mutant,) = [one for one in make_mutants(plan, "words", Settings()) if one.shuffled]
    items = [item for item in plan.items if item.check.name == "a wrong number costs points"]
    with Cache() as cache:
        (broken,) = judge_mutant(plan, items, mutant, Engine(cache))
        (whole,) = judge_mutant(plan, items, Mutant("itself", plan.metrics["words"]), Engine(cache))

    assert broken.verdict is Verdict.FAIL
    assert whole.verdict is not Verdict.FAIL


def test_a_judge_is_not_asked_about_shuffled_pairs(checklist, planned):
    pytest.importorskip("aiohttp", reason="the extra `judges` is not installed")
    judge = "{judge: {endpoint: 'http://127.0.0.1:9/v1', model: big}}"
    checklist.write_text(CHECKLIST.replace("{word-f1: {lowercase: true}}", judge))
    mutants = make_mutants(planned(checklist), "words", Settings())

    assert [mutant.name for mutant in mutants] == ["constant", "random", "length"]


def test_a_constant_metric_fails_nothing_that_is_about_change_and_is_undecided(checklist, planned):
    plan = planned(checklist)
    constant = make_mutants(plan, "words", Settings())[0]
    with Cache() as cache:
        verdicts = judge_mutant(plan, list(plan.items), constant, Engine(cache))

    assert {verdict.verdict for verdict in verdicts} == {Verdict.INCONCLUSIVE}


def test_a_tuned_metric_is_tuned_before_its_pairs_are_shuffled(checklist, planned):
    text = CHECKLIST.replace(
        "chrf: {chrf: {}}", "chrf: chrf\n  para: {parascore: {similarity: chrf, omega: tuned}}"
    ).replace("[words]", "[para]")
    checklist.write_text(f"development: 0.2\n{text}")
    plan = planned(checklist)
    with Cache() as cache:
        verdicts = [
            verdict
            for mutant in make_mutants(plan, "para", Settings())
            for verdict in judge_mutant(plan, list(plan.items), mutant, Engine(cache))
        ]

    assert not any(verdict.verdict is None for verdict in verdicts)


@pytest.mark.model
def test_a_metric_with_layers_has_a_mutant_one_layer_off(checklist, planned, minilm):
    text = CHECKLIST.replace("chrf: {chrf: {}}", "deep: {bertscore: {layer: last}}")
    checklist.write_text(text.replace("[words]", "[deep]"))
    mutant = make_mutants(planned(checklist), "deep", Settings(offline=True))[-1]

    assert (mutant.name, mutant.metric.scorer.layer) == ("off-by-one layer", 5)
