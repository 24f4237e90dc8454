import json

import pytest

import shakeproof
from shakeproof.errors import SpecErrors

CHECKLIST = """\
checklist: from Python
data: sample
language: en
metrics:
  chrf: {chrf: {}}
  words: {word-f1: {}}
checks:
  - check: capitals do not matter
    perturb: {upper-case: {on: candidate}}
    expect: {score_change: {at_most: 0.2}}
    known_failure: {metrics: [chrf], reason: it compares letters}
"""


@pytest.fixture
def checklist(tmp_path):
    path = tmp_path / "python.checklist.yaml"
    path.write_text(CHECKLIST)
    return path


def test_a_checklist_runs_from_python(checklist):
    run = shakeproof.run(checklist)

    assert {result.metric: result.outcome for result in run.results}["chrf"] == "known failure"
    assert len(run.results) == 2


def test_results_make_a_table(checklist):
    pytest.importorskip("pandas")
    table = shakeproof.to_frame(shakeproof.run(checklist))

    assert list(table["metric"]) == ["chrf", "words"]
    assert (table["value"] >= 0).all()


def test_a_run_survives_json(checklist):
    run = shakeproof.run(checklist, limit=40)

    assert type(run).model_validate_json(run.model_dump_json()) == run
    assert json.loads(run.model_dump_json())["settings"]["limit"] == 40


def test_a_mistake_is_raised(checklist):
    checklist.write_text(CHECKLIST.replace("upper-case", "uper-case"))
    with pytest.raises(SpecErrors, match="did you mean 'upper-case'"):
        shakeproof.run(checklist)


def test_an_unknown_name_of_the_package_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'runn'"):
        _ = shakeproof.runn
