"""Pairs of texts, and scores, that are easily changed when they are stored."""

import math

import numpy as np

PAIRS = [("a", "b"), ("b", "a"), ("", ""), ("🙂", "‏שלום"), ("x" * 10_000, "y")]
SCORES = np.array([0.1, -2.5, 0.0, 1e300, math.inf])
