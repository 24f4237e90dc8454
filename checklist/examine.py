"""Examining one item: from scores to a verdict with its evidence."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Sequence

import numpy as np

from shakeproof.evidence import worst_texts
from shakeproof.observe import Observer
from shakeproof.plan import Plan, PlannedItem
from shakeproof.results import Outcome, Result, Verdict
from shakeproof.stats.assess import assess
from shakeproof.stats.frame import Vector
from shakeproof.stats.multiplicity import after_holm, holm
from shakeproof.stats.verdicts import Judgement

OUTCOMES = {
    Verdict.PASS: Outcome.PASSED,
    Verdict.FAIL: Outcome.FAILED,
    Verdict.INCONCLUSIVE: Outcome.UNDECIDED,
}


class MetricFailed(Exception):
    """A metric could not be built or run; its items fail and no others."""


def examine(observer: Observer, item: PlannedItem, *, with_texts: bool = True) -> Result:
    """Estimate, judge and illustrate what the item asks."""
    plan = observer.plan
    if reason := plan.failures.get(item.metric):
        raise MetricFailed(f"metric {item.metric!r}: {reason}")
    assessed = assess(
        item.check.expect,
        item.cell,
        observer.observe(item.blocks),
        draws=plan.checklist.draws,
        seed=plan.checklist.seed,
        confidence=plan.checklist.confidence,
    )
    verdict = assessed.judgement.verdict
    shown = with_texts and verdict is not Verdict.PASS
    return blank(plan, item, OUTCOMES[verdict]).model_copy(
        update={
            "estimate": assessed.estimate,
            "parts": assessed.parts,
            "verdict": verdict,
            "message": assessed.judgement.message,
            "advice": assessed.judgement.advice,
            "p": assessed.judgement.p,
            "realised": observer.realised(item.blocks[-1]) if item.perturb else None,
            "examples": worst_texts(observer, item) if shown else (),
            "influence": packed(assessed.influence),
        }
    )


def adjusted(results: Sequence[Result]) -> list[Result]:
    """Take back the failures that do not survive Holm's correction over all of them."""
    claims = sum(result.p is not None for result in results)
    found = []
    for result, p in zip(results, holm([result.p for result in results]), strict=True):
        before = Judgement(result.verdict or Verdict.INCONCLUSIVE, result.message)
        after = after_holm(
            before, p, claims, result.estimate.confidence if result.estimate else 0.95
        )
        update = {"verdict": after.verdict, "message": after.message}
        found.append(result.model_copy(update=update | {"outcome": OUTCOMES[after.verdict]}))
    return found


def blank(plan: Plan, item: PlannedItem, outcome: Outcome) -> Result:
    """Say what the item is about, before anything is known."""
    check, perturb = item.check, item.perturb
    return Result(
        id="::".join([plan.file, item.metric, check.name, item.name]),
        file=plan.file,
        line=check.line,
        metric=item.metric,
        check=check.name,
        expectation=check.expect.name,
        statement=check.expect.statement,
        quantity=check.expect.quantity,
        unit=check.expect.unit,
        coefficient=check.expect.coefficient,
        family=perturb.family if perturb else None,
        field=perturb.on if perturb else None,
        level=item.level,
        levels=perturb.levels if perturb else (),
        seeds=item.seeds,
        stored=bool(perturb and perturb.stored),
        bounds=check.expect.bounds,
        outcome=outcome,
    )


def packed(influence: Vector) -> str:
    """Write one float32 per segment compactly."""
    if not len(influence):
        return ""
    return base64.b64encode(zlib.compress(influence.astype("<f4").tobytes(), 9)).decode()


def unpacked(text: str) -> Vector:
    """Read what `packed` wrote."""
    raw = zlib.decompress(base64.b64decode(text)) if text else b""
    return np.frombuffer(raw, dtype="<f4").astype(float)
