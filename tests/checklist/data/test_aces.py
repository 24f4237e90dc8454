"""The ACES score, as the release computes it."""

from pathlib import Path

import pytest

import shakeproof
from shakeproof.cli.main import main
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
CHECKLIST = """\
data: aces.jsonl
metrics: {x: {stored: X}}
checks:
  - check: errors are noticed
    expect: {correlation: {coefficient: wmt-kendall, at_least: 0.5}}
"""


def test_the_score_comes_from_a_run_on_an_imported_table(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    header = "good-translation\tincorrect-translation\treference\tphenomena\tX-good\tX-bad\n"
    rows = [f"good{n}\tbad\tref\t{name}\t{n % 4}\t1\n" for name in TAU for n in range(40)]
    Path("aces.tsv").write_text(header + "".join(rows))
    Path("a.checklist.yaml").write_text(CHECKLIST)
    assert main(["import", "aces", "aces.tsv", "-o", "aces.jsonl"]) == 0

    parts = shakeproof.run("a.checklist.yaml").results[0].parts
    tau = {p.group: p.estimate.value for p in parts if p.name == "correlation" and p.group}

    assert tau == dict.fromkeys(TAU, 0.0)  # 20 of 40 pairs are right; a tie is wrong
    assert aces_score(tau) == 0.0


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
