"""Scores of graded candidates under growing noise, and which of them tests compare."""

import numpy as np

from shakeproof.stats.observations import ComparedScores

OTHERS = {
    "other": ComparedScores("other", (0.3, 0.6), (("other noisy",), ("other noisier",))),
    "third": ComparedScores("third"),
}
COMPARED = ComparedScores("clean", (0.3,), (("noisy",),))
ONE_LEVEL = ComparedScores("clean", (0.3,), (("noisy",),), OTHERS)
LEVELS = ComparedScores("clean", (0.3, 0.6), (("noisy",), ("noisier",)), OTHERS)


def graded_scores(rng):
    """Return scores, grades and segments: 60 segments of 5 candidates."""
    quality = rng.normal(size=300)
    grade = np.round(2 * quality + rng.normal(size=300)).clip(-3, 2)
    clean = quality + 0.5 * rng.normal(size=300)
    error = rng.normal(size=300)
    scores = {
        "clean": clean,
        "noisy": clean + 0.8 * error - 0.5,
        "noisier": clean + 1.6 * error - 1.0,
        "other": quality + 0.5 * rng.normal(size=300),
        "other noisy": rng.normal(size=300),
        "other noisier": rng.normal(size=300),
        "third": rng.uniform(size=300),
    }
    return scores, grade, np.repeat(np.arange(60), 5)
