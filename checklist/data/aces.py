"""The ACES score: a weighted sum of agreement by category of errors (Amrhein et al. 2022)."""

from __future__ import annotations

from collections.abc import Mapping

from shakeproof.errors import unknown

# The weight of each category, and how the names of its phenomena begin.
CATEGORIES: Mapping[str, tuple[float, tuple[str, ...]]] = {
    "addition": (5, ("addition",)),
    "omission": (5, ("omission",)),
    "mistranslation": (
        5,
        (
            "ambiguous-translation",
            "anaphoric_",
            "coreference-",
            "hallucination-",
            "lexical-overlap",
            "modal_verb:",
            "nonsense",
            "ordering-mismatch",
            "overly-literal-",
            "pleonastic_it:",
            "xnli-",
        ),
    ),
    "untranslated": (1, ("copy-source", "untranslated-")),
    "do not translate": (1, ("do-not-translate",)),
    "overtranslation": (5, ("hyponym-replacement",)),
    "undertranslation": (5, ("hypernym-replacement",)),
    "real-world knowledge": (1, ("antonym-replacement", "commonsense-", "real-world-knowledge-")),
    "wrong language": (1, ("similar-language-",)),
    "punctuation": (0.1, ("punctuation:",)),
}


def aces_category(phenomenon: str) -> str:
    """Return the category of a phenomenon."""
    for category, (_, beginnings) in CATEGORIES.items():
        if phenomenon.startswith(beginnings):
            return category
    known = [name for _, beginnings in CATEGORIES.values() for name in beginnings]
    raise unknown("phenomenon of ACES", phenomenon, known)


def aces_score(tau: Mapping[str, float]) -> float:
    """Weight the mean of each category; `tau` is wmt-kendall by phenomenon, of all categories."""
    by_category: dict[str, list[float]] = {category: [] for category in CATEGORIES}
    for phenomenon, value in tau.items():
        by_category[aces_category(phenomenon)].append(value)
    absent = [category for category, values in by_category.items() if not values]
    if absent:
        raise ValueError(f"no phenomenon of {', '.join(absent)}; the score needs all categories")
    return sum(
        CATEGORIES[category][0] * sum(values) / len(values)
        for category, values in by_category.items()
    )
