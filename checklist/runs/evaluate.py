"""Examining one item: from scores to a verdict with its evidence."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from shakeproof.evidence.copy_parts import dossier_parts
from shakeproof.evidence.examples import score_changes, worst_texts
from shakeproof.evidence.search.exploring import explore
from shakeproof.evidence.search.minimal import NONE, Effort
from shakeproof.expectations.search import Search
from shakeproof.plan.items import Item, Plan
from shakeproof.results import Example, Outcome, Result, Verdict
from shakeproof.runs.judging import judged
from shakeproof.scoring.score_table import ScoreTable
from shakeproof.stats.assess import Assessment
from shakeproof.stats.influence import packed
from shakeproof.stats.multiplicity import after_holm, holm
from shakeproof.stats.verdicts import Judgement

OUTCOMES = {
    Verdict.PASS: Outcome.PASSED,
    Verdict.FAIL: Outcome.FAILED,
    Verdict.INCONCLUSIVE: Outcome.UNDECIDED,
}


class MetricFailed(Exception):
    """A metric could not be built or run; its items fail and no others."""


def examine(
    score_table: ScoreTable, item: Item, *, with_texts: bool = True, effort: Effort = NONE
) -> Result:
    """Estimate, judge and illustrate what the item asks; what fails is worth some effort."""
    plan = score_table.plan
    for name in dict.fromkeys(name for name, _ in item.score_keys):
        if reason := plan.failures.get(name):
            raise MetricFailed(f"metric {name!r}: {reason}")
    assessed, examples = _found(score_table, item, effort)
    verdict = assessed.judgement.verdict
    shown = with_texts and verdict is not Verdict.PASS
    return blank(plan, item, OUTCOMES[verdict]).model_copy(
        update={
            "estimate": assessed.estimate,
            "parts": (*assessed.parts, *dossier_parts(plan, item)),
            "verdict": verdict,
            "message": assessed.judgement.message,
            "advice": assessed.judgement.advice,
            "p": assessed.judgement.p,
            "realised": score_table.realised(item.score_keys[-1]) if item.perturb else None,
            "changes": score_changes(score_table, item),
            "examples": examples() if shown else (),
            "influence": packed(assessed.influence),
        }
    )


def _found(
    score_table: ScoreTable, item: Item, effort: Effort
) -> tuple[Assessment, Callable[[], tuple[Example, ...]]]:
    """Judge an item, and say how to illustrate it if that is asked for."""
    expect = item.check.expect
    if isinstance(expect, Search):
        explored = explore(score_table, item, expect)
        return explored.assessment, lambda: explored.examples
    assessed = judged(score_table, item)
    spent = effort if assessed.judgement.verdict is Verdict.FAIL else NONE
    return assessed, lambda: worst_texts(score_table, item, spent)


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


def blank(plan: Plan, item: Item, outcome: Outcome) -> Result:
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
