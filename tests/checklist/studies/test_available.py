"""What is left of a study's checklist where data or models are missing."""

import pytest
from study_files import STUDY, wmt19, write

from shakeproof.metrics.settings import Settings
from shakeproof.spec.positions import read_yaml
from shakeproof.spec.read import build_checklist, parse
from shakeproof.studies.available import cut_checklist, prepare_study, without_replays

pytestmark = pytest.mark.usefixtures("working_folder")


def cut(text, folder, models=(), *, ours=False):
    """Cut a checklist that would be in the folder to the data there and to some models."""
    content = read_yaml(text, "a.checklist.yaml").content
    content = without_replays(content) if ours else content
    return cut_checklist(build_checklist(content, folder / "a.checklist.yaml"), content, models)


CHECKLIST = """\
# what it is about
checklist: small
data: {gu-en: wmt19-gu-en.jsonl, de-en: wmt19-de-en.jsonl}
language: en
x-attack: &attack
  visual: {on: reference, levels: [0.3], stored: true}
metrics:
  letters: {chrf: {}}   # no model
  deep:    {bertscore: {model: minilm, layer: last}}
  para:    {parascore: {similarity: deep, omega: 0.1}}
  bleurt:  {stored: BLEURT-20}
checks:
  - check: everything agrees
    expect: {correlation: {coefficient: wmt-kendall, at_least: 0}}
  - check: holds up
    metrics: [letters, deep]
    perturb: *attack
    expect: {correlation_drop: {coefficient: wmt-kendall, at_most: 0.1}}
  - check: para is good
    metrics: [para]
    expect: {correlation: {coefficient: wmt-kendall, at_least: 0}}
  - check: letters hold up better
    metrics: [letters]
    perturb: *attack
    expect: {more_robust_than: {metric: deep, coefficient: wmt-kendall}}
"""


def test_metrics_without_a_model_go_with_what_builds_on_them(few):
    left = cut(CHECKLIST, few)

    assert list(left.checklist.data) == ["gu-en"]
    assert list(left.checklist.metrics) == ["letters"]
    assert [one.name for one in left.checklist.checks] == ["everything agrees", "holds up"]
    assert left.checklist.checks[1].metrics == ("letters",)
    assert left.metrics == {
        "deep": "minilm was not run",
        "para": "minilm was not run",
        "bleurt": "not every candidate of the data has a stored BLEURT-20",
    }


def test_with_the_model_only_what_the_data_lack_goes(few):
    left = cut(CHECKLIST, few, ["minilm"])

    assert list(left.checklist.metrics) == ["letters", "deep", "para"]
    assert len(left.checklist.checks) == 4


def test_the_text_of_what_is_left_reads_as_the_same_checklist(few):
    checklist = cut(CHECKLIST, few).checklist

    assert parse(checklist.text, checklist.path) == checklist


def test_ours_perturbs_anew_where_the_language_is_named(few):
    anew = cut(CHECKLIST, few, ours=True)
    unnamed = cut(CHECKLIST.replace("language: en\n", ""), few, ours=True)

    assert [one.checklist.checks[1].perturb[0].stored for one in (anew, unnamed)] == [False, True]


def test_checks_that_replay_go_where_the_data_carry_nothing_to_replay(few):
    rows = [{k: v for k, v in row.items() if k != "perturbed"} for row in wmt19("gu-en", 4)]
    write(few / "wmt19-gu-en.jsonl", rows)
    stored, anew = cut(CHECKLIST, few), cut(CHECKLIST, few, ours=True)

    assert [one.name for one in stored.checklist.checks] == ["everything agrees"]
    assert stored.unperturbed_files == ("wmt19-gu-en.jsonl",)
    assert [one.name for one in anew.checklist.checks] == ["everything agrees", "holds up"]
    assert anew.unperturbed_files == ()
    assert "--ours" in prepare_study(STUDY, few, Settings(), models=["none"]).remarks[2]


def test_without_any_of_its_files_or_checks_nothing_of_a_checklist_is_left(few):
    (few / "wmt19-gu-en.jsonl").unlink()
    only = CHECKLIST.replace("wmt19", "wmt21-flores").replace("gu-en", "hi-bn")
    only = only.replace("  letters: {chrf: {}}   # no model\n", "").replace("letters", "deep")
    only = only.replace("metrics: [deep, deep]", "metrics: [deep]").replace(
        "metric: deep", "metric: para"
    )

    assert cut(CHECKLIST, few).checklist is None
    assert cut(only.replace("  bleurt:  {stored: BLEURT-20}\n", ""), few).checklist is None
