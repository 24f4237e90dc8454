"""What this project adds to shakeproof: pytest imports this file before it reads a checklist."""

import numpy as np

import shakeproof
from shakeproof.expectations.base import Bounded


@shakeproof.family("shout", keeps_meaning=True)
def shout(text, level, rng):
    """Put a share of the words in capitals."""
    words = text.split(" ")
    loud = rng.sample(range(len(words)), len(words))[: round(level * len(words))]
    return " ".join(word.upper() if i in loud else word for i, word in enumerate(words))


@shakeproof.metric("shared-words")
def shared_words(candidate, reference):
    """Share of all words that both texts have, whatever their case."""
    one, other = set(candidate.lower().split()), set(reference.lower().split())
    return len(one & other) / max(len(one | other), 1)


@shakeproof.data_set("opening-hours")
def opening_hours():
    """Give sixty small segments; a path such as "hours.jsonl" would do as well."""
    places = ["museum", "library", "harbour", "market", "garden", "station"]
    for number in range(60):
        place, hour = places[number % 6], number % 9 + 1
        yield {
            "id": str(number),
            "references": [f"The {place} {number} opens at {hour} o'clock, and closes at ten."],
            "candidates": [
                {"text": f"The {place} {number} is open from {hour} o'clock to ten.", "rating": 1},
                {"text": f"The {place} {number}, it closes at ten.", "rating": 0.5},
                {"text": "Nobody knows when it opens.", "rating": 0},
            ],
        }


class MeanScore:
    """The mean score of all candidates: sums that add up over segments, and their value."""

    def __init__(self, block):
        self.block = block

    def sums(self, observed):
        """Give each segment its sum of scores and its number of candidates."""
        frame, scores = observed.frame, observed.scores[self.block]
        counts = np.bincount(frame.segment, minlength=frame.segments)
        return np.stack(
            [np.bincount(frame.segment, scores, minlength=frame.segments), counts], axis=1
        )

    def value(self, totals):
        """Divide the one by the other."""
        return totals[..., 0] / totals[..., 1]


@shakeproof.expectation
class MeanScoreExpectation(Bounded):
    """The clean scores lie where they should on average."""

    name = "mean_score"
    summary = "The mean score of all candidates."
    needs_perturb = False

    @property
    def noun(self):
        """Name the estimate in messages."""
        return "mean score"

    def statistic(self, cell):
        """Look at the clean scores alone."""
        return MeanScore(cell.clean)
