"""Unknown tokens of the clean references, for each group and each model's tokenizer."""

from __future__ import annotations

from shakeproof.data.segments import DataSet
from shakeproof.metrics.models.tokenizer_files import Tokenize, load_tokenizer, tokenizer_model
from shakeproof.perturbations.severity import unknown_per_segment
from shakeproof.plan.items import Plan
from shakeproof.scoring.score_table import instances_of


def unknown_token_facts(plan: Plan) -> dict[str, dict[str, float]]:
    """Count them for each metric with a tokenizer (Vu et al. 2022, Table 4)."""
    instance = next(one for segment in plan.segments for one in instances_of(segment))
    facts = {}
    for name, metric in plan.metrics.items():
        model = tokenizer_model(metric, instance)
        tokenize = load_tokenizer(model) if model else None
        if tokenize:
            facts[name] = {fact_name(data): _unknown(data, tokenize) for data in plan.data}
    return facts


def fact_name(data: DataSet) -> str:
    """Name the fact about a group."""
    return f"unknown tokens a reference, {data.name}"


def _unknown(data: DataSet, tokenize: Tokenize) -> float:
    references = [text for segment in data.segments for text in segment.references]
    return round(unknown_per_segment(references, tokenize), 3)
