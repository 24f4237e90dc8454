"""Hypothesis strategies for testing metrics: texts and perturbed texts.

This module alone needs `hypothesis`; no other module imports it.
"""

from __future__ import annotations

from hypothesis import strategies as st

from shakeproof.perturbations.family import Context, Family, Rule
from shakeproof.perturbations.registry import PERTURBATIONS

SCRIPTS = "हिन्दी क्ष्मा বাংলা 中文 こんにちは ภาษาไทย العربية עברית привет Ελλάδα 한국어 naïve Straße"
ENGLISH = "The Now she agreement doesn't do not well-known Dr. NASA's 3,450 2019 I all must three"
SIGNS = (
    "👩\u200d👩\u200d👧 👍🏽 🇩🇪 ❤\ufe0f e\u0301 … \u2013 “so” (it) - a, b; c? no! yes. $5 50% 3 km"
)
PIECE = st.sampled_from([*ENGLISH.split(), *SCRIPTS.split(), *SIGNS.split()])
GAPS = (" ", " ", "  ", "\n", "\u00a0", "")


def texts(*, pieces: int = 9) -> st.SearchStrategy[str]:
    """Draw texts: words of many scripts, and arbitrary characters."""
    joined = st.builds(str.join, st.sampled_from(GAPS), st.lists(PIECE, max_size=pieces))
    return joined | st.text(max_size=4 * pieces)


def contexts() -> st.SearchStrategy[Context]:
    """Draw contexts: a segment and another one."""
    return st.builds(around, texts(pieces=4), texts(pieces=4))


def around(text: str, other: str) -> Context:
    """Make a context of two texts."""
    return Context(text, (text,), (text,), Context(other, (other,), (other,)))


def levels(family: Family) -> st.SearchStrategy[float]:
    """Draw a level that the family takes, except 0."""
    if family.rule is Rule.SWITCH:
        return st.just(1.0)
    if family.rule is Rule.COUNT:
        return st.integers(1, 12).map(float)
    return st.floats(0, 1, exclude_min=True)


def perturbed(
    family: Family | str, text: st.SearchStrategy[str] | None = None
) -> st.SearchStrategy[tuple[str, str]]:
    """Draw pairs of a text and the same text perturbed, at any level."""
    kind = PERTURBATIONS[family] if isinstance(family, str) else family
    randoms = st.randoms(use_true_random=False)
    drawn = st.tuples(texts() if text is None else text, levels(kind), randoms, contexts())
    return drawn.map(lambda d: (d[0], kind(*d)))
