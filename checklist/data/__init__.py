"""Data sets: segments, how they are read, and other formats."""

from shakeproof.data.aces import aces_score
from shakeproof.data.segments import Candidate, DataSet, Segment

__all__ = ["Candidate", "DataSet", "Segment", "aces_score"]
