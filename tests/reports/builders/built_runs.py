"""Runs of any size."""

from itertools import product

from built_copies import COPIES, copy_penalty
from built_results import FILE, HARM, METRICS, SEGMENTS, drop, estimate, plain_result
from built_texts import example, histogram

from shakeproof.results import (
    Bounds,
    ChecklistRecord,
    DataRecord,
    MetricRecord,
    Outcome,
    Published,
    Run,
    Verdict,
)

CHECKLIST = """\
checklist: BERTScore under character noise
data: sample
language: en
seed: 7

metrics:
  deep:       {bertscore: {model: minilm, layer: last}}
  shallow:    {bertscore: {model: minilm, layer: first}}
  para-small: {parascore: {similarity: deep, omega: 0.05}}
  para-large: {parascore: {similarity: deep, omega: 0.45}}
  chrf:       {chrf: }

checks:
  - check: correlation survives noise
    perturb: {visual: {on: reference, levels: [0.1, 0.2, 0.3]}}
    expect: {correlation_drop: {coefficient: wmt-kendall, at_most: 0.10}}
"""
WHOLE = {"similarity": "deep", "omega": 0.45, "threshold": True, "divergence": True}
SETTINGS = {
    "deep": ("bertscore", {"model": "minilm", "layer": "last"}),
    "shallow": ("bertscore", {"model": "minilm", "layer": "first"}),
    "para-small": ("parascore", WHOLE | {"omega": 0.05, "use_max": True}),
    "para-large": ("parascore", WHOLE | {"use_max": True}),
    "para-unbounded": ("parascore", WHOLE | {"use_max": True, "threshold": False}),
    "para-free": ("parascore-free", WHOLE),
    "para-similar": ("parascore", WHOLE | {"use_max": True, "divergence": False}),
    "chrf": ("chrf", {"char_order": 6}),
}


def checklist_record(metrics):
    return ChecklistRecord(
        file=FILE,
        title="BERTScore under character noise",
        sha256="9f2c" * 16,
        text=CHECKLIST,
        seed=7,
        data=(data_record(),),
        metrics=tuple(map(metric_record, metrics)),
    )


def data_record():
    return DataRecord(
        name="sample",
        sha256="51ab" * 16,
        segments=SEGMENTS,
        candidates=SEGMENTS * 6,
        rated=SEGMENTS * 6,
        preferences=2100,
        language="en",
        licence="Apache-2.0",
        citation="The shakeproof maintainers. shakeproof",
    )


def metric_record(name):
    kind, settings = SETTINGS.get(name, ("bertscore", {"model": "minilm", "layer": "last"}))
    return MetricRecord(
        name=name,
        kind=kind,
        settings=settings,
        signature=f"{name}|model:minilm|weights:53aa5117|layer:6|f1|v:0.1.0",
        facts={"candidates truncated": 3, "device": "cpu"},
    )


def wrap(results, **kwargs):
    values = {
        "shakeproof": "0.1.0",
        "started": "2026-03-14T09:26:53Z",
        "seconds": 41.3,
        "command": "pytest noise.checklist.yaml --shakeproof-report=report.html",
        "environment": {"python": "3.11.9", "platform": "Linux x86_64", "torch": "2.13.0"},
        "settings": {"confidence": 0.95, "draws": 10000, "limit": None, "strict": False},
        "checklists": (checklist_record(dict.fromkeys(r.metric for r in results)),),
        "results": tuple(results),
    }
    return Run(**(values | kwargs))


def demo():
    """A run with everything a page can show."""
    return wrap(demo_results(), published=published())


def demo_results():
    drops = [drop(*item) for item in product(METRICS, HARM, (0.1, 0.2, 0.3))]
    return [*drops, *map(copy_penalty, COPIES), *other_results()]


def other_results():
    moved = {"estimate": estimate(0.91, 0.05), "verdict": Verdict.FAIL, "reason": "chrF is cased"}
    overlooked = {
        "family": "change-number",
        "expectation": "score_drop",
        "statement": "scores drop by at least 0.20 spreads",
        "quantity": "mean drop",
        "bounds": Bounds(low=0.2),
        "estimate": estimate(0.08, 0.03),
        "verdict": Verdict.FAIL,
        "message": "drop 0.080 [0.050, 0.110] < 0.20 expected",
        "changes": histogram("wrong number"),
        "examples": (example(3, "candidate", matrices=True),),
    }
    capitals, number = "capitals do not matter", "a wrong number costs points"
    lost = "model 'minilm' cannot be found offline"
    return [
        plain_result("deep", capitals, Outcome.PASSED, estimate=estimate(0.004, 0.002)),
        plain_result("chrf", capitals, Outcome.KNOWN_FAILURE, **moved),
        plain_result("para-small", capitals, Outcome.ERROR, message=lost),
        plain_result("shallow", number, Outcome.FAILED, condition="change-number", **overlooked),
        plain_result(
            "deep", "needs a card", Outcome.SKIPPED, condition="off", reason="no CUDA here"
        ),
    ]


def published():
    """What two papers print, measured well, badly and not at all."""
    vu, shen = "Vu et al. 2022", "Shen et al. 2022"
    result = f"{FILE}::deep::correlation survives noise::visual-0.3"
    near, far = estimate(0.311, 0.02), estimate(0.264, 0.02)
    return (
        Published(paper=vu, table="Table 6", row="BERT-multi", column="bn-hi", value=0.073),
        Published(
            paper=vu,
            table="Table 6",
            row="BERT",
            column="xh-zu",
            value=0.31,
            measured=near,
            digits=2,
        ),
        Published(
            paper=vu,
            table="Table 9",
            row="ByT5",
            column="gu-en",
            value=0.239,
            measured=far,
            result=result,
            note="scores of the first layer",
        ),
        Published(
            paper=shen,
            table="Table 10",
            row="ParaScore w/o DS",
            column="Pearson",
            value=0.349,
            measured=estimate(0.39, 0.02),
            note="omega is one step too high in the released code",
        ),
        Published(
            paper=shen,
            table="Table 9",
            row="ParaScore",
            column="Pearson",
            value=0.522,
            measured=estimate(0.53, 0.02),
            result="gone.checklist.yaml::deep",
        ),
    )


def many_results(count):
    """Checks with names as long as people give them."""
    families = [f"{name}-{k}" for k in range(1, 5) for name in HARM]
    items = product(METRICS, families, (0.05, 0.1, 0.15, 0.2, 0.3))
    check = "agreement with people survives character noise"
    results = [drop(*item, check=check) for item, _ in zip(items, range(count), strict=False)]
    return [r.model_copy(update={"id": f"checklists/metrics/{r.id}"}) for r in results]
