"""What this project adds to shakeproof: pytest imports this file before it reads a checklist."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

import shakeproof
from shakeproof.expectations import Expectation
from shakeproof.metrics import SCORERS, Instance, Options, Scorer, ScoreRequest
from shakeproof.results import Bounds


@shakeproof.family("shout", keeps_meaning=True)
def shout(text, level, rng):
    """Put a share of the words in capitals."""
    words = text.split(" ")
    loud = rng.sample(range(len(words)), len(words))[: round(level * len(words))]
    return " ".join(word.upper() if i in loud else word for i, word in enumerate(words))


@shakeproof.metric("shared-words")
def shared_words(candidate, reference):
    """Share of all words that both texts have, whatever their case."""
    words, expected = set(candidate.lower().split()), set(reference.lower().split())
    return len(words & expected) / max(len(words | expected), 1)


@shakeproof.scorer("letter-pairs")
def letter_pairs(tuples):
    """Share of neighbouring letters that both texts have, for many pairs of texts at once."""
    return [dice(*map(neighbours, pair)) for pair in tuples]


def neighbours(text):
    """Return the pairs of neighbouring letters of a text."""
    return {text[i : i + 2] for i in range(len(text))}


def dice(first, second):
    """Return how much two sets have in common, from 0 to 1."""
    return 2 * len(first & second) / max(len(first) + len(second), 1)


@shakeproof.metric("own-wording")
class OwnWordingOptions(Options):
    """The weight of the penalty."""

    summary = "Similarity to the reference, minus `weight` times similarity to the input."

    weight: float = 0.2

    def build(self, others, settings):
        """Build the metric; `others` are metrics of the checklist that it could refer to."""
        return OwnWording(SCORERS["letter-pairs"], self.weight)


@dataclass(frozen=True)
class OwnWording:
    """Similarity to the best reference, minus a penalty for similarity to the input."""

    scorer: Scorer
    weight: float
    requires: ClassVar[frozenset[str]] = frozenset({"references", "source"})

    @property
    def signature(self) -> str:
        return f"own-wording|weight:{self.weight}|{self.scorer.signature}"

    def needs(self, instance: Instance) -> list[ScoreRequest]:
        """List the scores to compute: candidate and source, candidate and each reference."""
        others = [instance.source, *instance.references]
        return [(self.scorer, (instance.candidate, other)) for other in others]

    def combine(self, instance: Instance, scores: Sequence[float]) -> float:
        """Compute the metric from these scores, which come in the same order."""
        to_source, *to_references = scores
        return max(to_references) - self.weight * to_source


@shakeproof.data_set("opening-hours")
def opening_hours():
    """Yield sixty small segments; a path such as "hours.jsonl" can be returned instead."""
    places = ["museum", "library", "harbour", "market", "garden", "station"]
    for number in range(60):
        place, hour = places[number % 6], number % 9 + 1
        yield {
            "id": str(number),
            "source": f"From {hour} o'clock to ten the {place} {number} is open.",
            "references": [f"The {place} {number} opens at {hour} o'clock, and closes at ten."],
            "candidates": [
                {"text": f"The {place} {number} is open from {hour} o'clock to ten.", "rating": 1},
                {"text": f"The {place} {number}, it closes at ten.", "rating": 0.5},
                {"text": "Nobody knows when it opens.", "rating": 0},
            ],
        }


@shakeproof.statistic("mean_score", label="mean score")
class MeanScore:
    """The mean score of all candidates."""

    def __init__(self, compared):
        self.score_key = compared.clean

    def sums(self, observed):
        """Return each segment's sum of scores and its number of candidates."""
        candidates, scores = observed.candidates, observed.scores[self.score_key]
        counts = np.bincount(candidates.segment, minlength=candidates.segments)
        totals = np.bincount(candidates.segment, scores, minlength=candidates.segments)
        return np.stack([totals, counts], axis=1)

    def value(self, totals):
        return totals[..., 0] / totals[..., 1]


@shakeproof.expectation
class Centred(Expectation):
    """The scores leave room above and below."""

    name = "centred"
    summary = "The mean score lies within `margin` of one half."
    label = "mean score"
    needs_perturb = False

    margin: float = 0.25

    @property
    def bounds(self):
        """Return an interval around one half."""
        return Bounds(low=0.5 - self.margin, high=0.5 + self.margin)

    def statistic(self, compared):
        """Return the mean of the clean scores."""
        return MeanScore(compared)
