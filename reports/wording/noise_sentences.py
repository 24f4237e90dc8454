"""How far the agreement of metrics with people falls under noise, in sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shakeproof.reports.agreement import NoiseEffect, by_data, leading_effect, same_condition
from shakeproof.reports.wording.format import interval, number
from shakeproof.reports.wording.sentences import quote_name
from shakeproof.results import Estimate, counted

MAX_SENTENCES = 2  # of more data sets and coefficients only the number is given


def describe_noise(effects: Sequence[NoiseEffect], checklists: Mapping[str, str]) -> str:
    """Say how far the metric falls that agrees best, and which keeps most, for each data set."""
    groups = by_data(effects)
    sentences = [describe_group(group, checklists) for group in groups[:MAX_SENTENCES]]
    if len(groups) > MAX_SENTENCES:
        rest = counted(len(groups) - MAX_SENTENCES, "more combination")
        sentences.append(f"The section on noise has {rest} of data and coefficient.")
    return " ".join(sentences)


def describe_group(effects: Sequence[NoiseEffect], checklists: Mapping[str, str]) -> str:
    """Describe the metrics that were tested on the same data, by the same coefficient."""
    leading = leading_effect(effects)
    source = checklists[leading.data.file]
    notes = ", ".join(filter(None, (edit_rate(leading), source)))
    place = f" ({notes})" if notes else ""
    compared = contrast(leading, same_condition(effects, leading))
    return f"Under {leading.condition.name}{place} {describe_fall(leading)}{compared}."


def edit_rate(effect: NoiseEffect) -> str:
    """Say how many characters a condition edits, if its check is about this level alone."""
    realised = effect.result.realised
    if realised is None or effect.result.level is None:
        return ""
    return f"{realised.edits:.0%} of characters edited"


def describe_fall(effect: NoiseEffect) -> str:
    """Say from where to where the agreement falls, or that it does not."""
    name, coefficient = quote_name(effect.metric), effect.data.coefficient.replace("`", "'")
    ends = f"from {number(effect.clean, 2)} to {number(effect.perturbed, 2)}"
    drop = f"a drop of {number(effect.drop_value, 2)}{brackets(effect.drop)}"
    subject = f"the agreement of {name} with people ({coefficient})"
    if effect.drop_value <= 0 or (effect.drop.low is not None and effect.drop.low <= 0):
        return f"{subject} does not fall significantly: {ends}, {drop}"
    return f"{subject} falls {ends}, {drop}"


def brackets(estimate: Estimate) -> str:
    """Write the interval of an estimate; "" if there is none."""
    return "" if estimate.low is None else f" {interval(estimate, 2)}"


def contrast(leading: NoiseEffect, others: Sequence[NoiseEffect]) -> str:
    """Name the metric that keeps most of its agreement; if that is the first, who keeps least."""
    if not others:
        return ""
    most, least = max(others, key=kept), min(others, key=kept)
    if most.kept > leading.kept:
        return f"; {quote_name(most.metric)} keeps {from_clean(most)}"
    return f"; no other metric keeps a larger share, {quote_name(least.metric)} keeps least: " + (
        from_clean(least)
    )


def kept(effect: NoiseEffect) -> float:
    """Return the share of the clean agreement that is left."""
    return effect.kept


def from_clean(effect: NoiseEffect) -> str:
    """Write what is left of the agreement, and of how much."""
    return f"{number(effect.perturbed, 2)} (from {number(effect.clean, 2)})"
