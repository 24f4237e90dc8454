"""The ACES score, as the release computes it."""

import pytest

from shakeproof.data.aces import CATEGORIES, aces_category, aces_score
from shakeproof.errors import SpecError

TAU = {
    "addition": 0.5,
    "omission": -0.5,
    "hallucination-number-level-1": 1.0,
    "xnli-omission-neutral": 0.0,
    "copy-source": 0.25,
    "untranslated-vs-synonym": 0.75,
    "do-not-translate": 0.1,
    "hyponym-replacement": 0.2,
    "hypernym-replacement": 0.3,
    "commonsense-only-ref-ambiguous": -1.0,
    "similar-language-low": 0.6,
    "punctuation:deletion_commas": 1.0,
}


def test_the_mean_of_each_category_is_weighted():
    expected = 5 * (0.5 - 0.5 + 0.5 + 0.2 + 0.3) + 0.5 + 0.1 - 1.0 + 0.6 + 0.1 * 1.0

    assert aces_score(TAU) == pytest.approx(expected)


def test_a_perfect_metric_has_the_highest_score():
    assert aces_score(dict.fromkeys(TAU, 1.0)) == pytest.approx(29.1)


@pytest.mark.parametrize(
    ("phenomenon", "category"),
    [
        ("anaphoric_intra_non-subject_it:deletion", "mistranslation"),
        ("antonym-replacement", "real-world knowledge"),
        ("real-world-knowledge-hypernym-vs-hyponym", "real-world knowledge"),
        ("punctuation:statement-to-question", "punctuation"),
    ],
)
def test_a_phenomenon_belongs_to_a_category(phenomenon, category):
    assert aces_category(phenomenon) == category
    assert category in CATEGORIES


def test_the_score_needs_all_categories():
    with pytest.raises(ValueError, match="no phenomenon of omission, mistranslation, "):
        aces_score({"addition": 1.0})


def test_an_unknown_phenomenon_is_refused():
    with pytest.raises(SpecError, match="unknown phenomenon of ACES 'additon'; did you mean 'add"):
        aces_score({"additon": 1.0})
