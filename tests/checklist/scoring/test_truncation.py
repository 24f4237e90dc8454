"""What a metric's model cuts off is counted once per run and told beside the metric."""

import json

import pytest

import shakeproof

CHECKLIST = """\
data: long.jsonl
language: en
draws: 500
metrics: {deep: {bertscore: {layer: first}}, para: {parascore: {similarity: deep}}, chrf: chrf}
checks:
  - check: capitals do not matter
    perturb: {upper-case: {on: candidate}}
    expect: {score_change: {at_most: 9}}
"""


@pytest.mark.model
def test_long_texts_are_counted_for_the_metrics_whose_models_cut_them(tmp_path, minilm):
    texts = [f"word {number}" for number in range(5)] + ["word " * 600]
    rows = [
        {"id": str(at), "source": "a", "references": ["b"], "candidates": [{"text": text}]}
        for at, text in enumerate(texts)
    ]
    (tmp_path / "long.jsonl").write_text("\n".join(map(json.dumps, rows)))
    path = tmp_path / "t.checklist.yaml"
    path.write_text(CHECKLIST)
    run = shakeproof.run(path, offline=True)
    facts = {metric.name: metric.facts for metric in run.checklists[0].metrics}

    assert facts["deep"]["candidates truncated"] == 1
    assert facts["deep"]["tokens cut off"] > 50
    assert facts["para"] == facts["deep"]
    assert facts["chrf"] == {}


@pytest.mark.model
def test_texts_that_a_perturbation_makes_too_long_are_counted_too(tmp_path, minilm):
    texts = ["word " * 505, "word"]
    rows = [
        {"id": str(at), "references": ["b"], "candidates": [{"text": text}]}
        for at, text in enumerate(texts)
    ]
    (tmp_path / "long.jsonl").write_text("\n".join(map(json.dumps, rows)))
    path = tmp_path / "t.checklist.yaml"
    short = CHECKLIST.replace(" para: {parascore: {similarity: deep}},", "")
    path.write_text(
        short.replace("upper-case: {on: candidate}", "intrude: {on: candidate, levels: [0.1, 0.5]}")
    )
    run = shakeproof.run(path, offline=True)
    facts = {metric.name: metric.facts for metric in run.checklists[0].metrics}

    assert facts["deep"]["candidates truncated"] == 0
    assert facts["deep"]["perturbed texts truncated"] == 2
    assert facts["deep"]["tokens cut off perturbed texts"] > 100
    assert facts["chrf"] == {}


def test_metrics_without_a_model_have_nothing_to_tell(tmp_path):
    row = {"id": "1", "source": "a", "references": ["b"], "candidates": [{"text": "a " * 9000}]}
    (tmp_path / "long.jsonl").write_text(json.dumps(row))
    path = tmp_path / "t.checklist.yaml"
    text = CHECKLIST.replace("deep: {bertscore: {layer: first}}, ", "")
    path.write_text(text.replace("similarity: deep", "similarity: chrf"))
    run = shakeproof.run(path, offline=True)

    assert [metric.facts for metric in run.checklists[0].metrics] == [{}, {}]
