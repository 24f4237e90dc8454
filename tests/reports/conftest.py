"""Runs of any size, as the line would write them, without running anything."""

import base64
import zlib
from array import array
from itertools import product
from random import Random

import pytest

from shakeproof.reports.gallery import Entry, Group, Shown
from shakeproof.results import (
    Bounds,
    ChecklistRecord,
    DataRecord,
    Estimate,
    Example,
    Histogram,
    MetricRecord,
    Outcome,
    Part,
    Realised,
    Result,
    Run,
    TokenMatrix,
    Verdict,
)

METRICS = {
    "deep": ("bertscore", 0.432, 0.62),
    "shallow": ("bertscore", 0.401, 0.21),
    "para-small": ("parascore", 0.438, 0.58),
    "para-large": ("parascore", 0.421, 0.52),
    "chrf": ("chrf", 0.312, 0.12),
}
HARM = {"visual": 1.0, "intrude": 0.8, "keyboard-typo": 0.45, "phonetic": 0.7, "disemvowel": 0.35}
FILE = "noise.checklist.yaml"
SEGMENTS = 240
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


def estimate(value, half=0.03, **kwargs):
    return Estimate(
        value=value, low=value - half, high=value + half, segments=SEGMENTS, draws=10_000, **kwargs
    )


def outcome(bounds, found):
    low = -1e9 if bounds.low is None else bounds.low
    high = 1e9 if bounds.high is None else bounds.high
    if low <= found.low and found.high <= high:
        return Outcome.PASSED, Verdict.PASS
    if found.high < low or found.low > high:
        return Outcome.FAILED, Verdict.FAIL
    return Outcome.UNDECIDED, Verdict.INCONCLUSIVE


def influence(seed, count=SEGMENTS):
    rng = Random(seed)
    values = array("f", (rng.gauss(0, 0.4) for _ in range(count)))
    return base64.b64encode(zlib.compress(values.tobytes())).decode()


def noisier(packed, seed, scale=0.1):
    rng = Random(seed)
    values = array("f", zlib.decompress(base64.b64decode(packed)))
    moved = array("f", (value + rng.gauss(0, scale) for value in values))
    return base64.b64encode(zlib.compress(moved.tobytes())).decode()


def example(index, field="reference"):
    texts = [
        (
            "Now they have come to an agreement.",
            "Now thẸỸ hẲve come to aᷠ aᵹᴚḕḘmḔnƫ.",
            "They have reached an agreement at last.",
        ),
        (
            "The committee will publish its report on the 14th of March.",
            "The c/o/mmittee will pu.bl.ish its rep+ort on the 14th of M>arch.",
            "On 14 March the committee publishes its findings.",
        ),
        ("توصلوا الآن إلى اتفاق.", "توصوا الآن إل اتفاق.", "لقد اتفقوا الآن."),
        (
            "Great match today 🏴‍☠️👩‍👩‍👧 see you!",
            "Grea7 ma5ch to9ay 🏴‍☠️👩‍👩‍👧 zee you!",
            "Nice game 🎉",
        ),
    ]
    before, after, candidate = texts[index % len(texts)]
    return Example(
        segment=f"seg-{index:03d}",
        field=field,
        before=before,
        after=after,
        score_before=0.91 - index * 0.01,
        score_after=0.42 + index * 0.015,
        candidate=candidate if field != "candidate" else None,
        reference=candidate if field == "candidate" else None,
        source="Now they agreed.",
        rating=0.8,
        remark="prefers the worse candidate now" if index % 2 else "",
    )


def drop(metric, family, level, *, check="correlation survives noise", half=0.032):
    _, clean, harm = METRICS[metric]
    lost = clean * harm * HARM.get(family, 0.5) * level / 0.3
    found, bounds = estimate(lost, half), Bounds(high=0.10)
    said, verdict = outcome(bounds, found)
    cell = f"{family}-{level:g}"
    sign = {"passed": "≤", "failed": ">", "undecided": "straddles"}[said.value]
    return Result(
        id=f"{FILE}::{metric}::{check}::{cell}",
        file=FILE,
        line=15,
        metric=metric,
        check=check,
        expectation="correlation_drop",
        statement="wmt-kendall drops by at most 0.10",
        quantity="drop of wmt-kendall",
        coefficient="wmt-kendall",
        family=family,
        field="reference",
        level=level,
        seeds=(7,),
        bounds=bounds,
        estimate=found,
        parts=(
            Part(name="clean", estimate=estimate(clean, 0.045), level=0.0),
            Part(name="perturbed", estimate=estimate(clean - lost, 0.05), level=level),
        ),
        verdict=verdict,
        outcome=said,
        message=f"drop {found.value:.3f} [{found.low:.3f}, {found.high:.3f}] {sign} 0.10 allowed",
        advice="about 610 segments (370 more) would decide it 4 times in 5"
        if said is Outcome.UNDECIDED
        else "",
        p=0.0004 if said is Outcome.FAILED else 0.62,
        realised=Realised(
            letters=level * 0.9, words=1 - (1 - level) ** 3, segments=1.0, edits=level
        ),
        examples=tuple(example(i) for i in range(3)) if said is Outcome.FAILED else (),
        influence=influence(f"{metric}{family}{level}"),
        seconds=0.1,
    )


def copy_penalty(metric, penalty, wins):
    found, bounds = estimate(penalty, 0.09), Bounds(low=0.5)
    said, verdict = outcome(bounds, found)
    top = 1.0 if metric != "chrf" else 0.61
    return Result(
        id=f"{FILE}::{metric}::a copied input is no paraphrase::copy-input",
        file=FILE,
        line=19,
        metric=metric,
        check="a copied input is no paraphrase",
        expectation="copy_penalty",
        statement="a copied input scores at least 0.50 spreads below the best rated candidates",
        quantity="copy penalty",
        unit="spreads",
        family="copy-input",
        field="candidate",
        bounds=bounds,
        estimate=found,
        parts=(
            Part(name="copy", estimate=estimate(top, 0.004)),
            Part(name="best", estimate=estimate(top + 0.08 * penalty, 0.012)),
            Part(name="mean", estimate=estimate(top - 0.12 + 0.05 * penalty, 0.01)),
            Part(name="wins", estimate=estimate(wins, 0.05)),
        ),
        verdict=verdict,
        outcome=said,
        message=f"penalty {found.value:.2f} [{found.low:.2f}, {found.high:.2f}], 0.50 expected",
        examples=(example(1, "candidate"),) if said is Outcome.FAILED else (),
        influence=influence(metric),
    )


def plain_result(metric, check, said, **kwargs):
    cell = kwargs.pop("cell", "upper-case")
    return Result(
        **{
            "id": f"{FILE}::{metric}::{check}::{cell}",
            "file": FILE,
            "line": 23,
            "metric": metric,
            "check": check,
            "expectation": "score_change",
            "statement": "scores move by at most 0.20 spreads",
            "quantity": "mean |change|",
            "unit": "spreads",
            "family": "upper-case",
            "field": "candidate",
            "bounds": Bounds(high=0.2),
            "outcome": said,
        }
        | kwargs
    )


def small_print(metrics):
    return ChecklistRecord(
        file=FILE,
        title="BERTScore under character noise",
        sha256="9f2c" * 16,
        text=CHECKLIST,
        seed=7,
        data=(
            DataRecord(
                name="sample",
                sha256="51ab" * 16,
                segments=SEGMENTS,
                candidates=SEGMENTS * 6,
                rated=SEGMENTS * 6,
                preferences=2100,
                language="en",
                licence="Apache-2.0",
            ),
        ),
        metrics=tuple(
            MetricRecord(
                name=name,
                kind=METRICS.get(name, ("bertscore",))[0],
                settings={"model": "minilm", "layer": "last"},
                signature=f"{name}|model:minilm|weights:53aa5117|layer:6|f1|v:0.1.0",
                facts={"truncated texts": 0},
            )
            for name in metrics
        ),
    )


def wrap(results, **kwargs):
    values = {
        "shakeproof": "0.1.0",
        "started": "2026-03-14T09:26:53Z",
        "seconds": 41.3,
        "command": "pytest noise.checklist.yaml --shakeproof-report=report.html",
        "environment": {"python": "3.11.9", "platform": "Linux x86_64", "torch": "2.13.0"},
        "settings": {"confidence": 0.95, "draws": 10000, "limit": None, "strict": False},
        "checklists": (small_print(dict.fromkeys(r.metric for r in results)),),
        "results": tuple(results),
    }
    return Run(**(values | kwargs))


def demo_results():
    levels = (0.1, 0.2, 0.3)
    drops = [drop(*cell) for cell in product(METRICS, HARM, levels)]
    copies = [
        copy_penalty("deep", -0.85, 0.93),
        copy_penalty("shallow", -1.1, 0.97),
        copy_penalty("para-small", -0.2, 0.61),
        copy_penalty("para-large", 1.4, 0.04),
    ]
    moved = estimate(0.91, 0.05)
    others = [
        plain_result(
            "deep", "capitals do not matter", Outcome.PASSED, estimate=estimate(0.004, 0.002)
        ),
        plain_result(
            "chrf",
            "capitals do not matter",
            Outcome.KNOWN_FAILURE,
            estimate=moved,
            verdict=Verdict.FAIL,
            reason="chrF is cased",
            message="mean |change| 0.91 [0.86, 0.96] > 0.20 allowed",
        ),
        plain_result(
            "para-small",
            "capitals do not matter",
            Outcome.ERROR,
            message="model 'minilm' cannot be found offline",
        ),
        plain_result(
            "shallow",
            "a wrong number costs points",
            Outcome.FAILED,
            cell="change-number",
            family="change-number",
            expectation="score_drop",
            statement="scores drop by at least 0.20 spreads",
            quantity="mean drop",
            bounds=Bounds(low=0.2),
            estimate=estimate(0.08, 0.03),
            verdict=Verdict.FAIL,
            message="drop 0.080 [0.050, 0.110] < 0.20 expected",
            changes=Histogram(
                edges=(-0.2, -0.15, -0.1, -0.05, 0.0, 0.05), counts=(2, 9, 31, 80, 4)
            ),
            examples=(example(3, "candidate"),),
        ),
        plain_result(
            "deep", "needs a graphics card", Outcome.SKIPPED, cell="off", reason="no CUDA here"
        ),
    ]
    return [*drops, *copies, *others]


def hostile(text, level=0.3):
    """A run that carries `text` in every field that holds text."""
    base = drop("deep", "visual", level)
    found = estimate(0.2, method=text, note=text)
    matrix = TokenMatrix(candidate=(text, "b"), reference=(text,), similarity=((0.5,), (0.1,)))
    shown = Example(
        segment=text,
        field=text,
        before=text,
        after=f"x{text}y",
        score_before=1.0,
        score_after=0.0,
        candidate=text,
        reference=text,
        source=text,
        remark=text,
        minimal=text,
        score_minimal=0.4,
        matrix_before=matrix,
        matrix_after=matrix,
    )
    words = (
        "id",
        "file",
        "metric",
        "check",
        "statement",
        "quantity",
        "unit",
        "coefficient",
        "family",
    )
    more = ("field", "message", "advice", "reason")
    bad = base.model_copy(
        update=dict.fromkeys((*words, *more), text)
        | {
            "outcome": Outcome.FAILED,
            "estimate": found,
            "change": found,
            "examples": (shown,),
            "parts": tuple(
                Part(name=name, estimate=found, level=level, group=group)
                for name in ("clean", "perturbed", "copy", "best", "wins", text)
                for group in ("", text)
            ),
        }
    )
    copying = bad.model_copy(update={"expectation": "copy_penalty", "id": f"{text}2"})
    record = small_print([text]).model_copy(
        update={
            "file": text,
            "title": text,
            "sha256": text,
            "text": text,
            "data": (
                DataRecord(
                    name=text,
                    sha256=text,
                    segments=1,
                    candidates=1,
                    rated=1,
                    preferences=0,
                    language=text,
                    licence=text,
                ),
            ),
            "metrics": (
                MetricRecord(
                    name=text,
                    kind=text,
                    settings={text: text},
                    signature=text,
                    facts={text: [text]},
                ),
            ),
        }
    )
    return wrap(
        [bad, copying],
        checklists=(record,),
        command=text,
        started=text,
        shakeproof=text,
        environment={text: text},
        settings={text: text},
        baseline=text,
    )


def many_results(count):
    families = [f"{name}-{k}" for k in range(1, 5) for name in HARM]
    cells = product(METRICS, families, (0.05, 0.1, 0.15, 0.2, 0.3))
    return [drop(*cell) for cell, _ in zip(cells, range(count), strict=False)]


@pytest.fixture(scope="session")
def demo_run():
    return wrap(demo_results())


@pytest.fixture(scope="session")
def make_run():
    return wrap


@pytest.fixture(scope="session")
def make_drop():
    return drop


@pytest.fixture(scope="session")
def hostile_run():
    return hostile


def one_family(text):
    """A gallery of one family that carries `text` in every field that holds text."""
    shown = (Shown(("0.1", "0.3"), text, f"x{text}y"), Shown((), text, ""))
    entry = Entry(text, text, text, (text, text), ((text, text),), shown)
    return [Group(text, text, (entry,))]


@pytest.fixture(scope="session")
def make_gallery():
    return one_family


@pytest.fixture(scope="session")
def gallery():
    shown = (Shown(("0.1",), "Now come", "Nw come"), Shown(("1",), "Now come", "Nw cm"))
    names = [("letters", ("drop", "swap")), ("words", ("shuffle",))]
    return [
        Group(
            group,
            "What goes wrong.",
            tuple(Entry(n, "It.", "p", ("kept",), (), shown) for n in family),
        )
        for group, family in names
    ]


@pytest.fixture(scope="session")
def big_run():
    return wrap(many_results(500))
