"""What judges cost, in words: one line for each metric that asks a service."""

from __future__ import annotations

from shakeproof.results.plurals import counted
from shakeproof.results.usage import CallCount, UsageRecord
from shakeproof.results.values import Run

MILLION = 1_000_000


def usage_lines(run: Run) -> list[str]:
    """Say of each judge what this run asked for; a judge that checklists share is named once."""
    metrics = (metric for checklist in run.checklists for metric in checklist.metrics)
    asking = {
        (metric.name, metric.signature): f"{metric.name}: {describe_usage(metric.usage)}"
        for metric in metrics
        if metric.usage is not None
    }
    return list(asking.values())


def describe_usage(usage: UsageRecord) -> str:
    """Say what a run asked for, and who answered."""
    asked = usage.run
    if not usage.answers:
        return f"no answers from {usage.model!r}"
    answered = f"answered by {' and '.join(usage.reported)}"
    if not asked.calls:
        return f"no new calls, {counted(usage.cached.calls, 'answer')} in the cache; {answered}"
    return f"{describe_calls(asked)}; {answered}"


def describe_calls(count: CallCount) -> str:
    """Write calls, tokens and money: 4,200 calls, 2.1 million tokens, 5.40 at the given prices."""
    money = "" if count.money is None else f", {format_money(count.money)} at the given prices"
    return f"{counted(count.calls, 'call')}, {format_tokens(count.tokens)}{money}"


def format_tokens(tokens: int) -> str:
    """Write a number of tokens: 812 tokens, 2.1 million tokens."""
    if tokens < MILLION:
        return counted(tokens, "token")
    return f"{tokens / MILLION:,.1f} million tokens"


def format_money(money: float) -> str:
    """Write a sum of money with two digits; less than a hundredth is not written as nothing."""
    return "less than 0.01" if 0 < money < 0.005 else f"{money:,.2f}"
