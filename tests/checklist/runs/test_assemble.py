"""The record of a run: checklists, data, metrics and environment."""

from pathlib import Path

import pytest

from shakeproof.data import Segment
from shakeproof.data.loading import load_data
from shakeproof.expectations import EXPECTATIONS
from shakeproof.plan.kinds import kinds_of
from shakeproof.runs.assemble import (
    check_record,
    data_record,
    environment,
    language_of_data,
    summaries_of,
)
from shakeproof.spec.read import parse

CHECKLIST = """\
data: sample
metrics: {chrf: {chrf: {}}}
checks:
  - check: agreement
    expect: {correlation: {coefficient: pearson, at_least: 0}}
"""


def test_the_shipped_sample_states_its_licence_and_citation():
    record = data_record(load_data("sample", folder=Path()), (), "en")

    assert record.licence == "Apache-2.0, written and graded by shakeproof"
    assert record.citation.startswith("The shakeproof maintainers. shakeproof: ")


def test_nothing_is_said_about_the_licence_and_citation_of_other_data(tmp_path):
    (tmp_path / "sample.jsonl").write_text('{"id": "1", "candidates": [{"text": "a"}]}\n')
    own = load_data("sample.jsonl", folder=tmp_path)

    assert data_record(own, (), "en").licence == data_record(own, (), "en").citation == ""


@pytest.mark.parametrize(
    ("segments", "checklist", "language"),
    [
        pytest.param([None, None], "de", "de", id="of the checklist"),
        pytest.param(["en", "en"], "de", "en", id="of the segments first"),
        pytest.param(["en", None], "de", "de, en", id="several"),
        pytest.param([None, None], None, None, id="none"),
    ],
)
def test_the_language_of_the_data_is_the_declared_one(segments, checklist, language):
    tags = [{} if tag is None else {"language": tag} for tag in segments]
    kinds = kinds_of(Segment("1", (), extra=extra) for extra in tags)
    written = f"language: {checklist}\n{CHECKLIST}" if checklist else CHECKLIST

    assert language_of_data(parse(written, Path("d.checklist.yaml")), kinds) == language


def test_the_environment_names_the_hardware():
    assert environment()["processor"].endswith("cores")


def test_a_check_is_recorded_with_its_settings_and_without_its_bounds():
    expect = EXPECTATIONS["score_change"].model_validate({"unit": "raw", "at_most": 0.1})
    record = check_record(expect)

    assert record.expectation == "score_change"
    assert record.settings["unit"] == "raw"
    assert not {"at_least", "at_most"} & record.settings.keys()


def test_families_are_recorded_with_what_they_do_and_stored_texts_without():
    checks = """\
  - check: shouting
    perturb: {shout: {on: candidate, levels: [0.1]}}
    expect: {score_change: {at_most: 1}}
  - check: stored
    perturb: {elsewhere: {on: candidate, stored: true, levels: [1]}}
    expect: {score_change: {at_most: 1}}
families:
  shout: {replace: {a: A}, summary: Write a as A.}
"""
    checklist = parse(CHECKLIST + checks, Path("d.checklist.yaml"))

    assert summaries_of(checklist) == {"shout": "Write a as A."}
