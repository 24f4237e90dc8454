"""Perturbations that own.checklist.yaml names by import path."""

from random import Random


def sign_off(text: str, level: float, rng: Random) -> str:
    """Add a farewell, as people do in mail."""
    return f"{text} {rng.choice(['Best wishes', 'Cheers', 'Yours'])}"
