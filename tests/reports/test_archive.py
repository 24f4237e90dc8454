import json
from pathlib import Path

import pytest
from pydantic import ValidationError

from shakeproof.reports import render
from shakeproof.results import READABLE, SCHEMA, Run
from shakeproof.runs.archive import read_run

ARCHIVE = sorted(Path(__file__).parent.joinpath("archive").glob("run-*.json"))


@pytest.mark.parametrize("path", ARCHIVE, ids=lambda path: path.stem)
def test_an_archived_run_still_renders(path):
    run = read_run(path)
    page = render(run)

    assert all(result.check in page for result in run.results)


def test_every_version_that_can_be_read_is_archived():
    versions = {json.loads(path.read_text("utf-8"))["schema_version"] for path in ARCHIVE}

    assert versions == set(READABLE)
    assert SCHEMA in versions


def test_the_newest_archived_run_holds_what_is_new():
    run = read_run(ARCHIVE[-1])
    examples = [example for result in run.results for example in result.examples]

    assert run.schema_version == SCHEMA
    assert all(result.changes for result in run.results)
    assert any(example.minimal and example.pin for example in examples)
    assert any(example.matrix_before and example.matrix_after for example in examples)
    assert all(example.spans and example.minimal_spans for example in examples)
    assert {result.change.kind for result in run.results if result.change} == {"worse"}
    assert run.checklists[0].families
    assert {bool(published.measured) for published in run.published} == {True, False}


def test_what_a_run_writes_it_also_reads(demo_run):
    assert Run.model_validate_json(demo_run.model_dump_json()) == demo_run


def test_the_schema_names_every_field_of_a_run(demo_run):
    described = Run.model_json_schema()

    assert set(described["properties"]) == set(demo_run.model_dump())
    assert not described["additionalProperties"]


def test_unknown_keys_are_refused(demo_run):
    written = json.loads(demo_run.model_dump_json()) | {"surprise": 1}

    with pytest.raises(ValidationError, match="surprise"):
        Run.model_validate(written)
