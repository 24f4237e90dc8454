"""Axioms about how a metric is run: a few texts are scored again, without the cache."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import ClassVar, Literal, TypeAlias

import numpy as np
from pydantic import Field

from shakeproof.expectations.axioms import Axiom
from shakeproof.expectations.base import Evaluation
from shakeproof.metrics.protocols import Instance
from shakeproof.stats.observations import Vector

Rate: TypeAlias = Callable[[Sequence[Instance]], Vector]


class Rescored(Axiom):
    """An axiom that compares two ways of scoring the same texts."""

    evaluation: ClassVar[Evaluation] = Evaluation.RESCORING
    needs_perturb: ClassVar[bool] = False

    texts: int = Field(default=20, ge=2)  # candidates that are scored, short and long ones

    def twice(self, rate: Rate, items: Sequence[Instance]) -> tuple[Vector, Vector]:
        """Score instances in two ways, which must agree."""
        raise NotImplementedError


class Symmetry(Rescored):
    """Candidate and reference, or source, may change places."""

    name: ClassVar[str] = "symmetry"
    summary: ClassVar[str] = "The score stays the same if candidate and reference change places."

    partner: Literal["reference", "source"] = Field(default="reference", alias="with")

    @property
    def required_data(self) -> frozenset[str]:
        return frozenset({"references" if self.partner == "reference" else "source"})

    @property
    def statement(self) -> str:
        return f"the score stays the same if candidate and {self.partner} change places"

    def twice(self, rate: Rate, items: Sequence[Instance]) -> tuple[Vector, Vector]:
        """Score pairs, of several references the first, and the same pairs turned round."""
        if self.partner == "source":
            turned = [
                replace(one, candidate=one.source or "", source=one.candidate) for one in items
            ]
            return rate(items), rate(turned)
        pairs = [replace(one, references=one.references[:1]) for one in items]
        turned = [
            replace(one, candidate=one.references[0], references=(one.candidate,)) for one in pairs
        ]
        return rate(pairs), rate(turned)


class BatchIndependence(Rescored):
    """The other texts of a batch do not matter."""

    name: ClassVar[str] = "batch_independence"
    summary: ClassVar[str] = "A text scores the same by itself as among others."

    def twice(self, rate: Rate, items: Sequence[Instance]) -> tuple[Vector, Vector]:
        """Score all at once, and one by one."""
        return rate(items), np.concatenate([rate([instance]) for instance in items])


class OrderIndependence(Rescored):
    """Order does not matter."""

    name: ClassVar[str] = "order_independence"
    summary: ClassVar[str] = "A text scores the same in whatever order texts are rated."

    def twice(self, rate: Rate, items: Sequence[Instance]) -> tuple[Vector, Vector]:
        """Score in one order and in another, and bring the scores back into the first."""
        order = list(range(len(items)))
        Random(len(items)).shuffle(order)
        mixed = rate([items[place] for place in order])
        return rate(items), mixed[np.argsort(order)]
