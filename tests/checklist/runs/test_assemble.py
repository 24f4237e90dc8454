from pathlib import Path

from shakeproof.data.loading import load_data
from shakeproof.expectations import EXPECTATIONS
from shakeproof.runs.assemble import check_record, data_record, environment


def test_the_shipped_sample_states_its_licence_and_citation():
    record = data_record(load_data("sample", folder=Path()), "en")

    assert record.licence == "Apache-2.0, written and graded by shakeproof"
    assert record.citation.startswith("The shakeproof maintainers. shakeproof: ")


def test_nothing_is_said_about_the_licence_and_citation_of_other_data(tmp_path):
    (tmp_path / "sample.jsonl").write_text('{"id": "1", "candidates": [{"text": "a"}]}\n')
    own = load_data("sample.jsonl", folder=tmp_path)

    assert data_record(own, "en").licence == data_record(own, "en").citation == ""


def test_the_environment_names_the_hardware():
    assert environment()["processor"].endswith("cores")


def test_a_check_is_recorded_with_its_settings_and_without_its_bounds():
    expect = EXPECTATIONS["score_change"].model_validate({"unit": "raw", "at_most": 0.1})
    record = check_record(expect)

    assert record.expectation == "score_change"
    assert record.settings["unit"] == "raw"
    assert not {"at_least", "at_most"} & record.settings.keys()
