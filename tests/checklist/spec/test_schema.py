"""The JSON Schema accepts what `spec` accepts and refuses what it can."""

import json
from pathlib import Path

import jsonschema
import pytest

from shakeproof.cli.starters import CHECKLIST
from shakeproof.spec.positions import read_yaml
from shakeproof.spec.schema import checklist_schema

BROKEN = Path(__file__).parent / "broken"
EXAMPLES = Path(__file__).parents[3] / "checklist" / "samples"
HEAD = "data: sample\nmetrics: {chrf: {chrf: {}}, bleu: bleu, b: {stored: BLEURT-20}}\nchecks:\n"
BEYOND = {  # names, languages, files, what does not fit together, and numbers that JSON has not
    "chain-in-a-circle",
    "chain-level-above-one",
    "chain-level-for-a-switch",
    "chain-of-itself",
    "chain-serves-nothing",
    "chain-too-long",
    "chain-unknown-family",
    "chain-without-level",
    "expect-python-missing",
    "family-lexicon-missing",
    "family-lexicon-no-tab",
    "family-misspelt-in-check",
    "family-python-breaks",
    "family-python-missing",
    "family-python-misspelt",
    "family-python-two-arguments",
    "family-regex-no-group",
    "family-regex-open",
    "own-family-broken-and-used",
    "own-family-changes-meaning",
    "own-family-not-served",
    "own-family-without-levels",
    "own-family-wrong-field",
    "bound-infinite",
    "level-nan",
    "bounds-crossed",
    "check-twice",
    "compared-with-itself",
    "copy-across-languages",
    "correlation-of-changed-meaning",
    "family-twice",
    "gap-without-pairs",
    "idf-no-file",
    "known-failure-unknown-level",
    "known-failure-unknown-metric",
    "language-not-served",
    "levels-too-many",
    "metric-on-itself",
    "metrics-in-a-circle",
    "no-perturbation",
    "omega-tuned-alone",
    "omega-tuned-hidden",
    "prompt-misspelt",
    "prompt-without-a-rubric",
    "python-misspelt",
    "python-no-module",
    "robust-than-misspelt",
    "similarity-unknown",
    "slices-misspelt",
    "unknown-metric-in-check",
    "yardstick-misspelt",
}


@pytest.fixture(scope="module")
def validator():
    schema = checklist_schema()
    jsonschema.Draft7Validator.check_schema(schema)
    return jsonschema.Draft7Validator(schema)


def errors(validator, text):
    return list(validator.iter_errors(read_yaml(text, "file").content))


def test_the_schema_is_plain_json():
    assert json.loads(json.dumps(checklist_schema())) == checklist_schema()


def test_every_reference_leads_somewhere():
    schema = checklist_schema()
    found = json.dumps(schema).split('"$ref": "#/definitions/')[1:]

    assert {one.split('"')[0] for one in found} <= schema["definitions"].keys()


def test_no_two_definitions_are_equal():
    definitions = [json.dumps(one) for one in checklist_schema()["definitions"].values()]

    assert len(set(definitions)) == len(definitions)


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.yaml")), ids=lambda path: path.name)
def test_shipped_checklists_are_accepted(validator, path):
    assert errors(validator, path.read_text(encoding="utf-8")) == []


def test_the_starter_is_accepted(validator):
    assert errors(validator, CHECKLIST.format(modeline="#")) == []


@pytest.mark.parametrize(
    "check",
    [
        "{check: a, perturb: copy-input, expect: {score_change: {at_most: 1}}}",
        "{check: a, perturb: {copy-input: }, expect: {score_change: {at_most: 1}}}",
        "{check: a, perturb: {visual: {on: reference, levels: 0.1}}, expect: {score_drop: "
        "{at_least: 0, unit: raw}}, severity: warn, requires: [cuda, 'model:x']}",
        "{check: a, perturb: {visual: {on: [reference], levels: [0.1]}}, expect: {score_change: "
        "{at_most: 1}}}",
        "{check: a, perturb: {mine: {on: [source], stored: true}}, expect: {score_change: "
        "{at_most: 1}}}",
        "{check: a, metrics: chrf, expect: {copy_penalty: {at_least: 1}}, known_failure: why}",
        "{check: a, perturb: {mine: {on: reference, levels: [3], stored: true}}, expect: "
        "{score_change: {at_most: 1}}, known_failure: {levels: [3], reason: why}}",
    ],
)
def test_short_forms_are_accepted(validator, check):
    assert errors(validator, f"{HEAD}  - {check}\n") == []


@pytest.mark.parametrize(
    ("text", "accepted"),
    [
        ("extends: base.yaml\nchecks: [{check: a, expect: same_scores}]", True),
        ("extends: [a.yaml, b.yaml]\nchecks: [{check: a, expect: same_scores}]", True),
        (
            "extends: a.yaml\nchecks: [{check: a, perturb: {mine: {on: candidate}}, "
            "expect: same_scores}]",
            True,
        ),
        ("extends: base.yaml", False),
        ("extends: []\nchecks: [{check: a, expect: same_scores}]", False),
        ("extends: {a: b}\nchecks: [{check: a, expect: same_scores}]", False),
        (HEAD.replace("sample", "{each: [a.jsonl]}") + "- {check: a, expect: same_scores}", True),
        (HEAD.replace("sample", "{each: {a: b}}") + "- {check: a, expect: same_scores}", True),
        (HEAD.replace("sample", "{each: a}") + "- {check: a, expect: same_scores}", False),
        (HEAD.replace("sample", "{each: [a], b: c}") + "- {check: a, expect: same_scores}", False),
    ],
)
def test_the_schema_knows_extends_and_each(validator, text, accepted):
    assert (errors(validator, text) == []) is accepted


def broken_checklists():
    """Yield the name and the content of each broken checklist that is YAML at all."""
    for path in sorted(BROKEN.glob("*.yaml")):
        name = path.name.removesuffix(".broken.yaml")
        try:
            content = read_yaml(path.read_text(encoding="utf-8"), "file").content
            yield pytest.param(name, content, id=name)
        except Exception:
            continue


@pytest.mark.parametrize(("name", "value"), list(broken_checklists()))
def test_broken_checklists_are_refused_where_a_schema_can(validator, name, value):
    refused = bool(list(validator.iter_errors(value)))

    assert refused != (name in BEYOND)
