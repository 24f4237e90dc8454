"""Trivial metrics: what a serious metric has to beat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import ClassVar

from shakeproof.metrics.engine.cache import KEY_BYTES, key
from shakeproof.metrics.formulas import REFERENCES, SOURCE, Computed, source_of
from shakeproof.metrics.options import Options
from shakeproof.metrics.protocols import Instance, Metric
from shakeproof.metrics.settings import Settings

NOTHING: frozenset[str] = frozenset()
RANGE: int = 1 << 8 * KEY_BYTES  # keys read as numbers lie below it


def word_f1(candidate: str, reference: str) -> float:
    """Measure the overlap of two bags of words, split at white space; equal bags give 1."""
    ours, theirs = Counter(candidate.split()), Counter(reference.split())
    total = ours.total() + theirs.total()
    return 2 * (ours & theirs).total() / total if total else 1.0


def length_ratio(candidate: str, reference: str) -> float:
    """Divide the shorter length by the longer; equal lengths give 1."""
    shorter, longer = sorted((len(candidate), len(reference)))
    return shorter / longer if longer else 1.0


def pseudo_random(instance: Instance, seed: int) -> float:
    """Draw a number between 0 and 1 that the texts alone decide."""
    source = () if instance.source is None else (instance.source,)
    digest = key((str(seed), instance.candidate, *instance.references, *source))
    return int.from_bytes(digest, "big") / RANGE


class WordF1Options(Options):
    """Whether capitals matter."""

    summary: ClassVar[str] = "yardstick: F1 of common words, with or without regard to case"

    lowercase: bool = False

    def build(self, others: Mapping[str, Metric], settings: Settings) -> Computed:
        """Compare with the closest reference."""
        fold = str.lower if self.lowercase else str

        def best(instance: Instance) -> float:
            candidate = fold(instance.candidate)
            return max(word_f1(candidate, fold(reference)) for reference in instance.references)

        return Computed(f"word-f1|lowercase:{self.lowercase}", REFERENCES, best)


class LengthOptions(Options):
    """Nothing to set."""

    summary: ClassVar[str] = "yardstick: the shorter length divided by the longer"

    def build(self, others: Mapping[str, Metric], settings: Settings) -> Computed:
        """Compare with the reference of the closest length."""

        def best(instance: Instance) -> float:
            return max(length_ratio(instance.candidate, each) for each in instance.references)

        return Computed("length", REFERENCES, best)


class IsCopyOptions(Options):
    """Nothing to set."""

    summary: ClassVar[str] = "yardstick: -1 for a candidate that repeats the source, else 0"

    def build(self, others: Mapping[str, Metric], settings: Settings) -> Computed:
        """Compare with the source, letter by letter."""
        return Computed(
            "is-copy", SOURCE, lambda instance: -float(instance.candidate == source_of(instance))
        )


class CandidateOnlyOptions(Options):
    """Nothing to set."""

    summary: ClassVar[str] = "yardstick: the length of the candidate, whatever it is compared with"

    def build(self, others: Mapping[str, Metric], settings: Settings) -> Computed:
        """Count the candidate's characters."""
        return Computed("candidate-only", NOTHING, lambda instance: float(len(instance.candidate)))


class ReferenceOnlyOptions(Options):
    """Nothing to set."""

    summary: ClassVar[str] = "yardstick: the mean length of the references, blind to the candidate"

    def build(self, others: Mapping[str, Metric], settings: Settings) -> Computed:
        """Count the references' characters."""

        def mean(instance: Instance) -> float:
            return sum(map(len, instance.references)) / len(instance.references)

        return Computed("reference-only", REFERENCES, mean)


class ConstantOptions(Options):
    """The number to return."""

    summary: ClassVar[str] = "yardstick: the same number for every candidate"
    scalar: ClassVar[str | None] = "value"

    value: float = 0.0

    def build(self, others: Mapping[str, Metric], settings: Settings) -> Computed:
        """Ignore the item."""
        return Computed(f"constant|value:{self.value}", NOTHING, lambda _: self.value)


class RandomOptions(Options):
    """Which of many random metrics to take."""

    summary: ClassVar[str] = "yardstick: a random number decided by the texts"
    scalar: ClassVar[str | None] = "seed"

    seed: int = 0

    def build(self, others: Mapping[str, Metric], settings: Settings) -> Computed:
        """Hash the item's texts."""
        return Computed(
            f"random|seed:{self.seed}", NOTHING, lambda instance: pseudo_random(instance, self.seed)
        )
