"""What a metric's model cuts off is counted once per run and recorded with the metric."""

import json

import pytest

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
def test_long_texts_are_counted_for_the_metrics_whose_models_cut_them(
    tmp_path, minilm, run_checklist
):
    texts = [f"word {number}" for number in range(5)] + ["word " * 600]
    rows = [
        {"id": str(at), "source": "a", "references": ["b"], "candidates": [{"text": text}]}
        for at, text in enumerate(texts)
    ]
    (tmp_path / "long.jsonl").write_text("\n".join(map(json.dumps, rows)))
    run = run_checklist(CHECKLIST, offline=True)
    facts = {metric.name: metric.facts for metric in run.checklists[0].metrics}

    assert facts["deep"]["candidates truncated"] == 1
    assert facts["deep"]["tokens cut off"] > 50
    assert facts["para"] == facts["deep"]
    assert facts["chrf"] == {}


@pytest.mark.model
def test_texts_that_a_perturbation_makes_too_long_are_counted_too(tmp_path, minilm, run_checklist):
    texts = ["word " * 505, "word"]
    rows = [
        {"id": str(at), "references": ["b"], "candidates": [{"text": text}]}
        for at, text in enumerate(texts)
    ]
    (tmp_path / "long.jsonl").write_text("\n".join(map(json.dumps, rows)))
    intrude = "intrude: {on: candidate, levels: [0.1, 0.5]}"
    short = CHECKLIST.replace(" para: {parascore: {similarity: deep}},", "")
    run = run_checklist(short.replace("upper-case: {on: candidate}", intrude), offline=True)
    facts = {metric.name: metric.facts for metric in run.checklists[0].metrics}

    assert facts["deep"]["candidates truncated"] == 0
    assert facts["deep"]["perturbed texts truncated"] == 2
    assert facts["deep"]["tokens cut off perturbed texts"] > 100
    assert facts["chrf"] == {}


def test_metrics_without_a_model_have_no_such_counts(tmp_path, run_checklist):
    row = {"id": "1", "source": "a", "references": ["b"], "candidates": [{"text": "a " * 9000}]}
    (tmp_path / "long.jsonl").write_text(json.dumps(row))
    text = CHECKLIST.replace("deep: {bertscore: {layer: first}}, ", "")
    run = run_checklist(text.replace("similarity: deep", "similarity: chrf"), offline=True)

    assert [metric.facts for metric in run.checklists[0].metrics] == [{}, {}]
