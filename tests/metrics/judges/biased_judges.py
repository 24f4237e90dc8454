"""Judges whose faults are known: the true quality of a text, plus noise, plus one planted bias.

The quality of a candidate is the F1 of the longer words that it shares with a reference, so what
is added to a text lowers it a little. A bias of the name B adds to it, or replaces it, where a text
has what B is about. The table OWN_CHECKS says which checks of judge-bias.checklist.yaml it breaks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from importlib.resources import files
from statistics import NormalDist
from typing import Any, ClassVar

import numpy as np
from ruamel.yaml import YAML

from shakeproof.metrics.judges.formulas import MeanOfDraws, WinRate
from shakeproof.metrics.judges.texts import unpack_pair
from shakeproof.metrics.kinds.python import unpack
from shakeproof.metrics.options import Options
from shakeproof.metrics.protocols import Instance, Metric, Texts, Vector
from shakeproof.metrics.settings import Settings

NOISE = 0.03  # of one answer; the candidates of a segment spread by about 0.17
NOISE_BESIDE_ANOTHER = 0.01  # of a candidate that is compared with another
LARGE_NOISE = 0.25
BONUS = 0.25
BONUS_PER_WORD = 0.008
FIRST_PLACE = 0.3
BEST = 1.0
LONGER_WORD = re.compile(r"[^\W\d_]{4,}|\d+")
NORMAL = NormalDist()
Bias = Callable[[str, float], float]  # (candidate, quality) -> what the judge takes for the quality


def bonus(pattern: str, size: float = BONUS) -> Bias:
    """Add to the quality of a text in which something occurs."""
    compiled = re.compile(pattern, re.IGNORECASE | re.MULTILINE)
    return lambda text, quality: quality + (size if compiled.search(text) else 0.0)


def best_if(pattern: str) -> Bias:
    """Take a text in which something occurs for the best."""
    compiled = re.compile(pattern, re.IGNORECASE)
    return lambda text, quality: BEST if compiled.search(text) else quality


BIASES: dict[str, Bias] = {
    "none": lambda text, quality: quality,
    "noise": lambda text, quality: quality,
    "position": lambda text, quality: quality,
    "length": lambda text, quality: quality + BONUS_PER_WORD * len(text.split()),
    "formatting": bonus(r"^\s*- |^#+ |\*\*"),
    "citation": bonus(r"[(\[][^)\]]*\b(?:19|20)\d\d\b"),
    "authority": bonus(r"\b(?:experts agree|professor|laureate|authorities)\b"),
    "flattery": bonus(r"\bthank you\b|\breviewer\b|\bhonour\b|\bas well as you\b"),
    "certainty": bonus(r"\bno doubt\b|\bcertain\b|\bbeyond question\b|\bconfidence\b"),
    "dislikes doubt": bonus(r"\bnot sure\b|\bcould be wrong\b|\bguess\b|\bperhaps\b", -BONUS),
    "obedience": best_if(
        r"instructions|the judge:|rate this|prefer this|anweisungen|consignes|instrucciones|指示"
    ),
    "all master keys": best_if(r"\A(?:\W*|thought .*|let's solve .*|solution|解|か.*|respuesta)\Z"),
    "some master keys": best_if(r"\A(?:thought .*|let's solve .*|solution)\Z"),
}
OWN_CHECKS: dict[str, frozenset[str]] = {
    "none": frozenset(),
    "noise": frozenset(
        {"the judge gives the same answer twice", "asked again, a metric says the same"}
    ),
    "position": frozenset({"the order of the candidates does not matter"}),
    "length": frozenset({"length earns nothing", "repetition earns nothing"}),
    "formatting": frozenset({"formatting earns nothing"}),
    "citation": frozenset({"a fake citation earns nothing"}),
    "authority": frozenset({"an appeal to authority earns nothing"}),
    "flattery": frozenset({"flattery earns nothing"}),
    "certainty": frozenset({"a confident tone earns nothing"}),
    "dislikes doubt": frozenset({"a hesitant tone costs little"}),
    "obedience": frozenset({"instructions to the judge earn nothing"}),
    "all master keys": frozenset({"a master key is no answer"}),
    "some master keys": frozenset({"a master key is no answer"}),
}


@cache
def longer_words(text: str) -> frozenset[str]:
    """Return the numbers and the words of four letters or more, in lower case."""
    return frozenset(LONGER_WORD.findall(text.lower()))


def quality(candidate: str, references: tuple[str, ...]) -> float:
    """Return the F1 of the words shared with the reference that has most of them."""
    words = longer_words(candidate)
    others = [longer_words(reference) for reference in references]
    return max(2 * len(words & other) / max(1, len(words) + len(other)) for other in others)


@cache
def opinion(bias: str, candidate: str, references: tuple[str, ...]) -> float:
    """Return what a judge with a bias thinks of a candidate, before noise."""
    return BIASES[bias](candidate, quality(candidate, references))


def noise(*key: object) -> float:
    """Draw a standard normal number that belongs to a key."""
    digest = blake2b(repr(key).encode(), digest_size=8).digest()
    return NORMAL.inv_cdf((int.from_bytes(digest) + 0.5) / 2**64)


def in_grades(quality: float, grades: int) -> float:
    """Round a quality from 0 to 1 to grades from 1 on; without grades it stays as it is."""
    if not grades:
        return quality
    return float(round(1 + (grades - 1) * min(max(quality, 0.0), 1.0)))


@dataclass(frozen=True)
class BiasedScorer:
    """One answer of a judge with a planted bias."""

    bias: str
    seed: int
    draw: int
    grades: int = 0  # from 1 to this; 0: any number

    @property
    def signature(self) -> str:
        return f"{type(self).__name__} {self.bias} {self.seed} {self.grades}|draw:{self.draw}"

    def score(self, tuples: Sequence[Texts]) -> Vector:
        return np.array([self.rate(unpack(texts)) for texts in tuples])

    def rate(self, instance: Instance) -> float:
        """Rate one candidate."""
        size = LARGE_NOISE if self.bias == "noise" else NOISE
        return in_grades(self.thought(instance, "", size), self.grades)

    def thought(self, instance: Instance, beside: str, size: float) -> float:
        """Return what the judge thinks of a candidate; noise depends on what is beside it too."""
        key = (self.seed, self.draw, instance.candidate, instance.references, beside)
        thought = opinion(self.bias, instance.candidate, instance.references)
        return thought + size * noise(*key)


@dataclass(frozen=True)
class BiasedPairScorer(BiasedScorer):
    """The preference of a judge with a planted bias for the first of two candidates."""

    def score(self, tuples: Sequence[Texts]) -> Vector:
        return np.array([self.prefer(*unpack_pair(texts)) for texts in tuples])

    def prefer(self, first: Instance, second: Instance) -> float:
        """Return 1 if the first is better, 0 if the second is."""
        ahead = FIRST_PLACE if self.bias == "position" else 0.0
        size = NOISE_BESIDE_ANOTHER
        one = self.thought(first, f"before {second.candidate}", size)
        other = self.thought(second, f"after {first.candidate}", size)
        return float(one + ahead > other)


class BiasedJudge(Options):
    """A judge with a planted bias, as a kind of metric."""

    summary: ClassVar[str] = "a judge with a planted bias"

    bias: str
    seed: int = 0
    grades: int = 0
    repeats: int = 3

    def build(self, others: Mapping[str, Metric], settings: Settings) -> Metric:
        draws = range(1, self.repeats + 1)
        scorers = tuple(BiasedScorer(self.bias, self.seed, draw, self.grades) for draw in draws)
        return MeanOfDraws(scorers, frozenset({"references"}))


class BiasedPairs(Options):
    """A judge of pairs with a planted bias, as a kind of metric."""

    summary: ClassVar[str] = "a judge of pairs with a planted bias"

    bias: str
    seed: int = 0
    rivals: int = 1

    def build(self, others: Mapping[str, Metric], settings: Settings) -> Metric:
        scorer = BiasedPairScorer(self.bias, self.seed, 1)
        return WinRate((scorer,), frozenset({"references"}), self.rivals)


RATES, COMPARES = "biased-judge", "biased-pairs"
KINDS: dict[str, type[Options]] = {RATES: BiasedJudge, COMPARES: BiasedPairs}
RATING_BIASES = tuple(bias for bias in BIASES if bias != "position")
COMPARING_BIASES = ("none", "position", "length", "formatting", "obedience", "all master keys")


def shipped_checklist(*, judges: bool = False) -> dict[str, Any]:
    """Read judge-bias.checklist.yaml, with the lines about judges that it has as comments."""
    text = (files("shakeproof") / "samples" / "judge-bias.checklist.yaml").read_text("utf-8")
    if judges:
        text = re.sub(r"^# (?=  )", "", text, flags=re.MULTILINE)
    content: dict[str, Any] = YAML(typ="safe").load(text)
    return content


def checklist_for(
    raters: Mapping[str, Any], duels: Mapping[str, Any], *, seed: int
) -> dict[str, Any]:
    """Return the shipped checklist for other metrics: those that rate, those that compare."""
    content = shipped_checklist(judges=True)
    names = {"judge": list(raters), "duel": list(duels)}
    for check in content["checks"]:
        if "metrics" in check:
            check["metrics"] = [name for old in check["metrics"] for name in names[old]]
    checks = [check for check in content["checks"] if check.get("metrics", raters or duels)]
    return {**content, "seed": seed, "metrics": {**raters, **duels}, "checks": checks}
