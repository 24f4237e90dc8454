"""The SQL of what answers cost: counters by run, signature and model in the score cache.

A counter belongs to one process of one run and only grows, so merging a cache twice adds nothing.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from shakeproof.metrics.asking import Usage
from shakeproof.metrics.engine.database import transaction
from shakeproof.metrics.engine.queries import ScoreRow, insert_rows, new_identity

UsageByModel: TypeAlias = dict[str, dict[str, Usage]]  # signature -> model -> usage

COUNTERS = "run, text, model, scored, calls, input_tokens, output_tokens"
SELECT = "FROM usage JOIN signatures ON signature = id"
INSERT = (
    "INSERT INTO usage (run, signature, model, scored, calls, input_tokens, output_tokens)"
    " VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET "
)
ADDED = ", ".join(f"{name} = {name} + excluded.{name}" for name in COUNTERS.split(", ")[4:])
LARGER = ", ".join(f"{name} = MAX({name}, excluded.{name})" for name in COUNTERS.split(", ")[4:])


@dataclass(frozen=True, slots=True)
class Counter:
    """What the answers of a model cost that one process asked for; without a score or with."""

    run: str
    signature: str
    model: str
    scored: bool
    usage: Usage


def insert_answers(
    connection: sqlite3.Connection, rows: Sequence[ScoreRow], counters: Sequence[Counter]
) -> None:
    """Insert scores and add counters, all of one signature: all, or nothing."""
    with transaction(connection):
        identity = new_identity(connection, counters[0].signature)
        for counter in counters:
            _count(connection, identity, counter, ADDED)
        insert_rows(connection, identity, rows)


def merge_counters(connection: sqlite3.Connection, counters: Iterable[Counter]) -> None:
    """Take over counters of another cache; of one that is known here, the larger numbers."""
    with transaction(connection):
        for counter in counters:
            _count(connection, new_identity(connection, counter.signature), counter, LARGER)


def _count(connection: sqlite3.Connection, identity: int, counter: Counter, update: str) -> None:
    used = counter.usage
    numbers = (used.calls, used.input_tokens, used.output_tokens)
    row = (counter.run, identity, counter.model, counter.scored, *numbers)
    connection.execute(INSERT + update, row)


def all_counters(connection: sqlite3.Connection) -> list[Counter]:
    """Read all counters."""
    rows = connection.execute(f"SELECT {COUNTERS} {SELECT} ORDER BY text, model, run, scored")
    return [
        Counter(run, signature, model, bool(scored), Usage(*numbers))
        for run, signature, model, scored, *numbers in rows
    ]


def scored_models(connection: sqlite3.Connection, signature: str) -> frozenset[str]:
    """Return the models whose answers gave the scores of a signature."""
    query = f"SELECT DISTINCT model {SELECT} WHERE text = ? AND scored"
    return frozenset(model for (model,) in connection.execute(query, (signature,)))


def summed(counters: Iterable[Counter]) -> UsageByModel:
    """Add counters up by signature and model."""
    usage: UsageByModel = {}
    for counter in counters:
        by_model = usage.setdefault(counter.signature, {})
        by_model[counter.model] = by_model.get(counter.model, Usage()) + counter.usage
    return usage


def total(usage: Mapping[str, Mapping[str, Usage]], signatures: Iterable[str]) -> Usage:
    """Add up the usage of some signatures."""
    parts = (part for name in signatures for part in usage.get(name, {}).values())
    return sum(parts, Usage())
