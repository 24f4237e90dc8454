"""`shakeproof study`: on part of the data, a second time, without some files, and its mistakes."""

import pytest
from study_files import STUDY, wmt19, write

from shakeproof.cli.main import main
from shakeproof.metrics.settings import Settings
from shakeproof.results import Outcome
from shakeproof.runs.archive import read_run
from shakeproof.studies.available import prepare_study

pytestmark = pytest.mark.usefixtures("working_folder")


def test_quick_takes_the_first_segments(few, working_folder):
    write(few / "wmt19-kk-en.jsonl", wmt19("kk-en", 45))
    command = ["study", "robust-bertscore", "--data", str(few), "--models", "none"]
    main([*command, "--quick", "--json", "r.json"])
    checklist = read_run(working_folder / "r.json").checklists[0]
    data = {data.name: data.segments for data in checklist.data}

    assert data == {"gu-en": 4, "kk-en": STUDY.quick}


def test_a_second_run_scores_nothing_and_finds_the_same(few, working_folder, monkeypatch):
    command = ["study", "robust-bertscore", "--data", str(few), "--models", "none"]
    main([*command, "--json", "one.json"])
    monkeypatch.delattr("shakeproof.metrics.kinds.lexical.SacrebleuScorer.score")
    main([*command, "--json", "two.json"])
    first, second = (read_run(working_folder / f"{name}.json") for name in ("one", "two"))

    assert Outcome.ERROR not in {result.outcome for result in first.results}
    assert first.results == second.results
    assert first.published == second.published


def test_missing_files_are_left_out_with_a_remark(few):
    available = prepare_study(STUDY, few, Settings(), models=["none"])

    assert [list(one.data) for one in available.checklists] == [["gu-en"], ["hi-bn"]]
    assert available.left_out["de-en"] == "wmt19-de-en.jsonl is not in the folder"
    assert available.remarks[0].startswith("left out, not in the folder: wmt19-de-en.jsonl, ")
    assert available.remarks[1].startswith("left out, not among --models: bert-base-uncased, ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(
            ["robust-bert", "--data", "few"], "did you mean 'robust-bertscore'?", id="study"
        ),
        pytest.param(["robust-bertscore", "--data", "fw"], "fw: no such folder", id="folder"),
        pytest.param(["robust-bertscore", "--data", "."], "has none of wmt19-de-en", id="no file"),
        pytest.param(
            ["robust-bertscore", "--data", "few", "--models", "minlm"],
            "unknown model 'minlm'; did you mean 'minilm'?",
            id="model",
        ),
        pytest.param(
            ["robust-bertscore", "--data", "few", "--models", "byt5-small", "--offline"],
            "no model 'google/byt5-small'",
            id="model that is not here",
        ),
        pytest.param(
            ["robust-bertscore", "--data", "few", "--json", "no/run.json"],
            "no/run.json: the folder no does not exist",
            id="place",
        ),
    ],
)
def test_a_mistake_is_one_line_and_nothing_is_written(
    few, working_folder, capsys, arguments, message
):
    assert main(["study", *arguments]) == 2

    errors = capsys.readouterr().err.splitlines()
    assert len(errors) == 1
    assert message in errors[0]
    assert [one.name for one in working_folder.iterdir()] == ["few"]


def test_a_broken_line_of_the_data_is_reported_with_its_number(few, capsys):
    with (few / "wmt19-gu-en.jsonl").open("a", encoding="utf-8") as stream:
        stream.write("{\n")

    assert main(["study", "robust-bertscore", "--data", "few", "--models", "none"]) == 2
    assert "few/wmt19-gu-en.jsonl:5: not JSON" in capsys.readouterr().err
