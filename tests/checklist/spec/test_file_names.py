"""Names in a checklist that cannot be names of files."""

import json
from pathlib import Path

import pytest

import shakeproof
from shakeproof.errors import SpecError
from shakeproof.metrics.settings import Settings
from shakeproof.plan.items import make_plan
from shakeproof.runs.workers import needs_files, recipe_of
from shakeproof.spec.read import parse

PATH = Path("noise.checklist.yaml")
CHECK = (
    "{check: one, perturb: {upper-case: {on: candidate}}, expect: {score_change: {at_most: 0.2}}}"
)
LONG = "a" * 400  # no file system has such names


@pytest.mark.parametrize(
    ("line", "mistake"),
    [
        pytest.param(f"metrics: {{a: {{python: '{LONG}:f'}}}}", "no module", id="python"),
        pytest.param(
            f"metrics: {{a: {{bertscore: {{model: byte-mini, idf: {LONG}}}}}}}", "no file", id="idf"
        ),
        pytest.param(
            f"metrics: {{a: {{judge: {{endpoint: 'http://h', model: m, prompt: {LONG}}}}}}}",
            "no prompt",
            id="prompt",
        ),
        pytest.param(
            f"metrics: {{a: chrf}}\nfamilies: {{b: {{python: '{LONG}:f'}}}}",
            "no module",
            id="family",
        ),
        pytest.param(
            f"metrics: {{a: chrf}}\nfamilies: {{b: {{lexicon: {LONG}}}}}", "cannot be", id="lexicon"
        ),
    ],
)
def test_a_name_that_is_too_long_for_a_file_is_a_mistake(line, mistake):
    with pytest.raises(SpecError, match=mistake):
        parse(f"data: sample\n{line}\nchecks: [{CHECK}]\n", PATH)


@pytest.mark.parametrize(
    "options",
    [
        pytest.param({"bertscore": {"model": LONG, "layer": "last"}}, id="model"),
        pytest.param({"command": {"run": [LONG], "version": "1"}}, id="program"),
    ],
)
def test_a_name_that_is_too_long_fails_its_metric_alone(options):
    metrics = json.dumps({"a": options, "chrf": {"chrf": {}}})
    text = f"data: sample\nmetrics: {metrics}\nchecks: [{CHECK}]\n"
    plan = make_plan(parse(text, PATH), Settings(offline=True))

    assert plan.failures.keys() == {"a"}
    assert plan.metrics.keys() == {"chrf"}


def test_a_long_rubric_is_no_file_that_workers_need():
    judge = {"endpoint": "http://h", "model": "m", "prompt": "rubric", "rubric": LONG}
    metrics = json.dumps({"a": {"judge": judge}})
    text = f"data: sample\nmetrics: {metrics}\nchecks: [{CHECK}]\n"
    settings = Settings(offline=True)

    assert not needs_files(recipe_of(make_plan(parse(text, PATH), settings), settings))


def test_a_baseline_with_a_name_that_is_too_long_is_not_there(tmp_path):
    expect = f"{{no_worse_than_baseline: {{baseline: {LONG}, coefficient: pearson}}}}"
    path = tmp_path / "baseline.checklist.yaml"
    path.write_text(
        f"data: sample\nmetrics: {{a: chrf}}\nchecks: [{{check: one, expect: {expect}}}]\n"
    )
    (result,) = shakeproof.run(path).results

    assert "no run is stored in" in result.message
