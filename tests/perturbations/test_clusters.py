"""Grapheme clusters."""

import pytest
from hypothesis import given

from shakeproof.perturbations.clusters import cluster_spans, clusters, single
from shakeproof.perturbations.strategies import texts


@pytest.mark.parametrize(
    "cluster",
    [
        pytest.param("e\u0301", id="letter and accent"),
        pytest.param("👩\u200d👩\u200d👧", id="family joined"),
        pytest.param("👍🏽", id="skin tone"),
        pytest.param("🇩🇪", id="flag of two letters"),
        pytest.param("🏴\U000e0067\U000e0062\U000e007f", id="flag of tags"),
        pytest.param("❤\ufe0f", id="variation selector"),
        pytest.param("1\ufe0f\u20e3", id="keycap"),
        pytest.param("क्ष्मा", id="conjunct of three consonants"),
        pytest.param("দ্য", id="Bengali conjunct"),
        pytest.param("กำ"[0] + "ิ่", id="Thai vowel and tone"),
        pytest.param("น้ำ", id="Thai vowel am"),
        pytest.param("မာ", id="Burmese vowel sign"),
        pytest.param("\u1112\u1161\u11ab", id="Hangul syllable in parts"),
        pytest.param("\uac00\u11a8", id="Hangul syllable and a final consonant"),
        pytest.param("ｶﾞ", id="half-width kana and its voicing mark"),
        pytest.param("\r\n", id="line end"),
        pytest.param("ب\u064e\u0651", id="Arabic vowel signs"),
    ],
)
def test_what_belongs_together_is_one_cluster(cluster):
    assert clusters(f"a{cluster}b") == ["a", cluster, "b"]


def test_flags_do_not_run_together():
    assert clusters("🇩🇪🇫🇷🇮") == ["🇩🇪", "🇫🇷", "🇮"]


def test_a_joiner_joins_pictures_alone():
    assert clusters("a\u200d👧") == ["a\u200d", "👧"]


def test_letters_of_scripts_without_marks_stand_alone():
    assert clusters("中文 ab") == list("中文 ab")
    assert single("中文 “ab”")
    assert not single("e\u0301")


@given(text=texts())
def test_clusters_joined_are_the_text(text):
    assert "".join(clusters(text)) == text
    assert [text[a:z] for a, z in cluster_spans(text)] == clusters(text)
