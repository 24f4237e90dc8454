"""The study of Vu et al. 2022: its checklists, its run and its published numbers."""

import json
from pathlib import Path

import pytest
from study_files import ATTACKS, FLORES, STUDY, TO_ENGLISH, flores, wmt19, write

from shakeproof.cli.main import main
from shakeproof.metrics.settings import Settings
from shakeproof.results import Outcome, agreement
from shakeproof.runs.archive import read_run
from shakeproof.spec.read import build_checklist
from shakeproof.studies import Study, Variant
from shakeproof.studies.available import models_of, prepare_study

pytestmark = pytest.mark.usefixtures("working_folder")


@pytest.fixture(scope="module")
def everything(tmp_path_factory):
    """A folder with all seven pairs to English and all four of FLORES."""
    folder = tmp_path_factory.mktemp("wmt")
    for pair in TO_ENGLISH:
        write(folder / f"wmt19-{pair}.jsonl", wmt19(pair, 32))
    for pair in FLORES:
        write(folder / f"wmt21-flores-{pair}.jsonl", flores(pair, 32))
    return folder


@pytest.fixture(scope="module")
def study_run(everything, run_in_memory):
    """The study with the metrics that need no model."""
    return run_in_memory(prepare_study(STUDY, everything, Settings(), models=["none"]))


def only_result(run, metric, check):
    (result,) = [
        result for result in run.results if (result.metric, result.check) == (metric, check)
    ]
    return result


def groups(result):
    return {part.group: part.estimate.value for part in result.parts if part.group}


def published(run, table, row, column):
    (number,) = [
        number
        for number in run.published
        if (number.table, number.row, number.column) == (table, row, column)
    ]
    return number


def test_all_pairs_run_from_files_in_the_same_layout(study_run):
    clean = only_result(study_run, "chrf", "agrees with people")
    stored = only_result(study_run, "stored-bertscore", "agrees with people")

    assert {one.outcome for one in study_run.results} & {Outcome.ERROR, Outcome.SKIPPED} == set()
    assert tuple(groups(clean)) == TO_ENGLISH
    assert tuple(groups(stored)) == FLORES
    assert clean.estimate.value == pytest.approx(sum(groups(clean).values()) / 7)


def test_every_attack_and_level_is_replayed_from_the_data(study_run):
    survived = [one for one in study_run.results if one.check == "agreement survives attacks"]
    cells = {(one.family, one.level) for one in survived}

    assert cells == {(family, level) for family in ATTACKS for level in (0.1, 0.2, 0.3)}
    assert all(one.stored for one in survived)


def test_counts_are_compared_with_those_published(study_run):
    pairs, rated = published(study_run, "Table 2", "de-en", "DARR pairs"), "rated outputs"

    assert (pairs.value, pairs.measured.value, agreement(pairs)) == (85365, 128, "differs")
    assert published(study_run, "Table 7", "zu-xh", rated).measured.value == 96


def test_a_published_number_names_the_result_that_measured_it(study_run):
    number = published(study_run, "Table 6", "BERT-multi", "hi-bn")
    (result,) = [result for result in study_run.results if result.id == number.result]

    assert number.measured.value == groups(result)["hi-bn"] == 1.0
    assert result.metric == "stored-bertscore"


def test_what_was_not_measured_says_why(study_run):
    table_5 = published(study_run, "Table 5", "BERT-large", "de-en")
    table_1 = published(study_run, "Table 1", "ByT5-small", "best layer")

    assert table_5.measured is None
    assert table_5.note == "not measured: bert-large-uncased was not run"
    assert "shakeproof tune-layer" in table_1.note


def test_the_command_writes_run_and_page_and_sums_up(everything, working_folder, capsys):
    arguments = ["--models", "none", "--limit", "2", "--json", "r.json", "--report", "r.html"]
    code = main(["study", "robust-bertscore", "--data", str(everything), *arguments])
    printed = capsys.readouterr()
    lines = printed.out.splitlines()
    run = read_run(working_folder / "r.json")

    assert code == 0
    assert lines[0].split() == ["table", "row", "column", "published", "measured"]
    numbers = [
        number for number in run.published if agreement(number) == "measured on part of the data"
    ]
    assert numbers
    assert sum(line.endswith("  part of the data") for line in lines) == len(numbers)
    assert not any(line.endswith("differs") for line in lines)
    (summary,) = [line for line in lines if line.startswith("published numbers: ")]
    assert summary.startswith("published numbers: 0 equal to the printed digits, 0 differ ")
    assert f", {len(numbers)} measured on part of the data, " in summary
    assert lines[-2:] == [(working_folder / name).as_uri() for name in ("r.json", "r.html")]
    assert "bert-base-uncased" in printed.err
    assert (
        run.command
        == f"shakeproof study robust-bertscore --data {everything} --models none --limit 2"
    )
    assert "first 2 segments" in published(run, "Table 2", "de-en", "DARR pairs").note
    assert "Table 2" in (working_folder / "r.html").read_text(encoding="utf-8")


def test_with_one_pair_a_group_is_the_whole(few, run_in_memory):
    run = run_in_memory(prepare_study(STUDY, few, Settings(), models=["none"]))
    clean = only_result(run, "stored-bertscore", "agrees with people")

    assert groups(clean) == {}
    assert published(run, "Table 6", "BERT-multi", "hi-bn").measured == clean.estimate


def test_a_variant_is_its_original_but_for_title_data_language_and_models():
    name = "robust-bertscore-figure-5"
    variant = Variant(
        of=name,
        title="in German",
        data={"de": "de.jsonl"},
        language="de",
        models={"minilm": {"model": "bert-base-german-cased", "layer": 3}},
    )
    study = Study("s", "p", ("german",), quick=1, variants={"german": variant})
    german, english = study.content("german"), study.content(name)
    changed = {
        metric: written
        for metric, written in german["metrics"].items()
        if written != english["metrics"][metric]
    }

    assert [german[key] for key in ("checklist", "data", "language")] == [
        "in German",
        {"de": "de.jsonl"},
        "de",
    ]
    assert german["checks"] == english["checks"]
    assert changed == {
        name: {"bertscore": {"model": "bert-base-german-cased", "layer": 3}}
        for name in ("figure-5-minilm-first", "figure-5-minilm-last")
    }


def test_the_models_of_both_papers_are_in_the_study():
    named = {
        model
        for name in STUDY.checklists
        for model in models_of(build_checklist(STUDY.content(name), Path("x.checklist.yaml")))
    }

    assert named >= {
        "bert-base-uncased",
        "bert-large-uncased",
        "bert-base-multilingual-cased",
        "google/byt5-small",
        "google/byt5-base",
        "google/byt5-large",
        "minilm",
        "byte-mini",
    }


@pytest.mark.realdata
def test_the_published_rows_of_flores_are_met_to_the_printed_digits(shared, run_in_memory):
    flores = Study("robust-bertscore", STUDY.paper, ("robust-bertscore-flores",), quick=1)
    run = run_in_memory(prepare_study(flores, shared / "data", Settings(), models=["none"]))
    expected = json.loads((shared / "data" / "expected.json").read_text(encoding="utf-8"))
    for name in ("BERTScore", "chrF", "sentBLEU", "BLEURT-20"):
        metric = f"stored-{name.lower().removesuffix('-20')}"
        measured = groups(only_result(run, metric, "agrees with people"))
        for pair in ("hi-bn", "xh-zu"):
            tau = expected["wmt21-flores"][pair]["tie tolerance 1e-6"][name]["tau"]

            assert measured[pair] == pytest.approx(tau, abs=5e-7), (name, pair)
    for pair in ("hi-bn", "xh-zu"):
        assert agreement(published(run, "Table 6", "BERT-multi", pair)) == "equal"
    assert agreement(published(run, "Table 7", "hi-bn", "rated outputs")) == "equal"
    assert published(run, "Table 7", "xh-zu", "rated outputs").measured.value == 2968
