"""Results as a run would have them, without running anything."""

from random import Random

import numpy as np
from built_texts import example, histogram

from shakeproof.results import (
    Bounds,
    Estimate,
    Part,
    PartName,
    Realised,
    Result,
    Verdict,
    outcome_of,
)
from shakeproof.stats.compare import pack_influence
from shakeproof.stats.verdicts import judge

METRICS = {  # clean correlation, and how much of it noise takes
    "deep": (0.432, 0.62),
    "shallow": (0.401, 0.21),
    "para-small": (0.438, 0.58),
    "para-large": (0.421, 0.52),
    "chrf": (0.312, 0.12),
}
HARM = {"visual": 1.0, "intrude": 0.8, "keyboard-typo": 0.45, "phonetic": 0.7, "disemvowel": 0.35}
FILE = "noise.checklist.yaml"
SEGMENTS = 240


def estimate(value, half=0.03, **kwargs):
    return Estimate(
        value=value, low=value - half, high=value + half, segments=SEGMENTS, draws=10_000, **kwargs
    )


def influence(seed, count=SEGMENTS):
    rng = Random(seed)
    return pack_influence(np.array([rng.gauss(0, 0.4) for _ in range(count)]))


def drop(metric, family, level, *, check="correlation survives noise", half=0.032):
    clean, harm = METRICS[metric]
    kind = family if family in HARM else family.rpartition("-")[0]  # visual-3 is a visual one
    lost = clean * harm * HARM.get(kind, 0.5) * level / 0.3
    estimated, bounds = estimate(lost, half), Bounds(high=0.10)
    judgement = judge(bounds, estimated, label="drop")
    failed = judgement.verdict is Verdict.FAIL
    return Result(
        id=f"{FILE}::{metric}::{check}::{family}-{level:g}",
        file=FILE,
        line=15,
        metric=metric,
        check=check,
        expectation="correlation_drop",
        statement="drop of wmt-kendall is at most 0.10",
        quantity="drop of wmt-kendall",
        coefficient="wmt-kendall",
        family=family,
        field="reference",
        level=level,
        seeds=(7,),
        bounds=bounds,
        estimate=estimated,
        parts=curve_parts(clean, clean - lost, level),
        verdict=judgement.verdict,
        outcome=outcome_of(judgement.verdict),
        message=judgement.message,
        advice=judgement.advice,
        p=0.0004 if failed else 0.62,
        q=0.0011 if failed else 0.71,
        changes=histogram(f"{metric}{family}{level}"),
        realised=Realised(
            letters=level * 0.9, words=1 - (1 - level) ** 3, segments=1.0, edits=level
        ),
        examples=tuple(example(i, matrices=metric != "chrf") for i in range(3)) if failed else (),
        influence=influence(f"{metric}{family}{level}"),
        seconds=0.1,
    )


def curve_parts(clean, perturbed, level):
    ties = estimate(0.01, 0.01)
    return (
        Part(name=PartName.CLEAN, estimate=estimate(clean, 0.045), level=0.0),
        Part(name=PartName.PERTURBED, estimate=estimate(perturbed, 0.05), level=level),
        Part(name="ties, clean", estimate=ties, level=0.0),
        Part(name="ties, perturbed", estimate=ties, level=level),
    )


def plain_result(metric, check, outcome, **kwargs):
    condition = kwargs.pop("condition", "upper-case")
    return Result(
        **{
            "id": f"{FILE}::{metric}::{check}::{condition}",
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
            "outcome": outcome,
        }
        | kwargs
    )
