"""Trivial metrics, which a serious metric has to beat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import ClassVar

from shakeproof.metrics.engine.cache import KEY_BYTES, key
from shakeproof.metrics.formulas import REFERENCES, SOURCE, Computed, source_of
from shakeproof.metrics.options import Options
from shakeproof.metrics.protocols import Instance, Metric
from shakeproof.metrics.settings import Settings

NO_REQUIREMENTS: frozenset[str] = frozenset()
KEY_RANGE: int = 1 << 8 * KEY_BYTES  # a key read as a number is below it


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
    """Return a number between 0 and 1 that depends on the texts and the seed alone."""
    source = () if instance.source is None else (instance.source,)
    digest = key((str(seed), instance.candidate, *instance.references, *source))
    return int.from_bytes(digest, "big") / KEY_RANGE


class WordF1Options(Options):
    """Whether capitals matter."""

    summary: ClassVar[str] = "trivial: F1 of common words, with or without regard to case"

    lowercase: bool = False

    def build(self, others: Mapping[str, Metric], settings: Settings) -> Computed:
        fold = str.lower if self.lowercase else str

        def best(instance: Instance) -> float:
            candidate = fold(instance.candidate)
            return max(word_f1(candidate, fold(reference)) for reference in instance.references)

        return Computed(f"word-f1|lowercase:{self.lowercase}", REFERENCES, best)


class LengthOptions(Options):
    """No settings."""

    summary: ClassVar[str] = "trivial: the shorter length divided by the longer"

    def build(self, others: Mapping[str, Metric], settings: Settings) -> Computed:
        def best(instance: Instance) -> float:
            return max(length_ratio(instance.candidate, text) for text in instance.references)

        return Computed("length", REFERENCES, best)


class IsCopyOptions(Options):
    """No settings."""

    summary: ClassVar[str] = "trivial: -1 for a candidate that repeats the source, else 0"

    def build(self, others: Mapping[str, Metric], settings: Settings) -> Computed:
        return Computed(
            "is-copy", SOURCE, lambda instance: -float(instance.candidate == source_of(instance))
        )


class CandidateOnlyOptions(Options):
    """No settings."""

    summary: ClassVar[str] = "trivial: the length of the candidate, whatever the reference is"

    def build(self, others: Mapping[str, Metric], settings: Settings) -> Computed:
        return Computed(
            "candidate-only", NO_REQUIREMENTS, lambda instance: float(len(instance.candidate))
        )


class ReferenceOnlyOptions(Options):
    """No settings."""

    summary: ClassVar[str] = "trivial: the mean length of the references, whatever the candidate is"

    def build(self, others: Mapping[str, Metric], settings: Settings) -> Computed:
        def mean(instance: Instance) -> float:
            return sum(map(len, instance.references)) / len(instance.references)

        return Computed("reference-only", REFERENCES, mean)


class ConstantOptions(Options):
    """The number to return."""

    summary: ClassVar[str] = "trivial: the same number for every candidate"
    scalar: ClassVar[str | None] = "value"

    value: float = 0.0

    def build(self, others: Mapping[str, Metric], settings: Settings) -> Computed:
        return Computed(f"constant|value:{self.value}", NO_REQUIREMENTS, lambda _: self.value)


class RandomOptions(Options):
    """Which of many random metrics to take."""

    summary: ClassVar[str] = "trivial: a random number that depends on the texts alone"
    scalar: ClassVar[str | None] = "seed"

    seed: int = 0

    def build(self, others: Mapping[str, Metric], settings: Settings) -> Computed:
        return Computed(
            f"random|seed:{self.seed}",
            NO_REQUIREMENTS,
            lambda instance: pseudo_random(instance, self.seed),
        )
