"""Unknown tokens of the clean references, for each group and each model's tokenizer."""

from __future__ import annotations

from dataclasses import replace

from shakeproof.data.segments import DataSet
from shakeproof.metrics.models.tokenizer_files import Cut, cutter, model_of
from shakeproof.perturbations.severity import unknown_per_segment
from shakeproof.plan.items import Plan
from shakeproof.scoring.score_table import instances_of


def with_unknowns(plan: Plan) -> Plan:
    """Add them to the facts of each metric with a tokenizer (Vu et al. 2022, Table 4)."""
    facts = dict(plan.facts)
    item = next(item for segment in plan.segments for item in instances_of(segment))
    for name, metric in plan.metrics.items():
        model = model_of(metric, item)
        cut = cutter(model) if model else None
        if cut:
            found = {fact_name(one): _unknown(one, cut) for one in plan.data}
            facts[name] = {**facts.get(name, {}), **found}
    return replace(plan, facts=facts)


def fact_name(data: DataSet) -> str:
    """Name the fact about a group."""
    return f"unknown tokens a reference, {data.name}"


def _unknown(data: DataSet, cut: Cut) -> float:
    references = [text for segment in data.segments for text in segment.references]
    return round(unknown_per_segment(references, cut), 3)
