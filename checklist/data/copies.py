"""Copies of the input among the candidates: which inputs get one, and how it is rated."""

from __future__ import annotations

from collections.abc import Iterable
from math import isnan

EVERY = 5  # inputs of which one is copied: the extended data copy 20 % (Shen et al. 2022)
ADDED = "added_copy"  # marks, in a candidate's extra keys, a copy that was put into the data


def gets_copy(position: int, every: int = EVERY) -> bool:
    """Return whether the input at this position, from 0, gets a copy: the first of each `every`."""
    return position % every == 0


def copy_rating(ratings: Iterable[float]) -> float:
    """Rate a copy 0, as Shen et al. (2022) do, or with the lowest rating where that is below 0."""
    return min((0.0, *(rating for rating in ratings if not isnan(rating))))
