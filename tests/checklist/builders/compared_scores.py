"""Keys of the scores that the expectations' tests compare."""

from shakeproof.stats.observations import ComparedScores

COMPARED = ComparedScores("clean", (0.3,), (("noisy",),))
