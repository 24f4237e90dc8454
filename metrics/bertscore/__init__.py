"""BERTScore: `scorer.py` is what the engine calls, `matching.py` has the arithmetic."""
