"""The shipped sample is what its README says."""

import json
import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
SAMPLE = ROOT / "checklist" / "samples" / "sample.jsonl"
README = SAMPLE.with_name("README.md")
GAP = 0.25
COPY = 0.15

AUXILIARY = "am|is|are|was|were|do|does|did|has|have|had|can|could|will|would|may|might|must|should"
DAY_OR_MONTH = (
    "(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?|January|February|March|April|May|June|"
    "July|August|September|October|November|December"
)
CONTENT = {
    "number": (40, r"\d"),
    "negatable verb": (45, rf"(?i)\b(?:{AUXILIARY})\b(?! not)"),
    "two sentences": (35, r"[.!?][”\"]?\s+[“\"]?[A-Z0-9]"),
    "name": (35, rf"(?<=[a-z,;:] )(?!(?:I|{DAY_OR_MONTH})\b)[A-Z]\w+(?: [A-Z]\w+)*"),
    "quantifier or modal": (
        35,
        r"(?i)\b(?:all|every|each|some|any|most|many|none|must|may|might|can|could|should)\b"
        r"|\b(?:ca|could|must|should)n't\b",
    ),
    "contraction": (
        35,
        r"(?i)\w+n't\b|\b(?:I|you|he|she|it|we|they|that|there|who)'(?:s|re|ve|ll|d|m)\b"
        rf"|\b(?:{AUXILIARY}) not\b",
    ),
    "quote or apostrophe": (35, r"['\"“”]"),
    "comma": (35, r","),
    "date or unit": (
        35,
        rf"\b(?:{DAY_OR_MONTH})\b|\b(?:1[89]|20)\d\d\b"
        r"|€\d|\d(?:%| °C| mm\b| km\b| g\b|[ -](?:minute|hour|day|month|year|metre)s?\b)",
    ),
}


def load():
    return [json.loads(line) for line in SAMPLE.read_text(encoding="utf-8").split("\n") if line]


SEGMENTS = load()
each_segment = pytest.mark.parametrize("segment", SEGMENTS, ids=lambda segment: segment["id"])


def texts(segment, field):
    if field == "candidate":
        return [candidate["text"] for candidate in segment["candidates"]]
    return [segment["source"]] if field == "source" else segment["references"]


def ratings(segment):
    return [candidate["rating"] for candidate in segment["candidates"]]


def test_it_has_eighty_inputs_or_more_in_fifteen_domains_or_more():
    assert len(SEGMENTS) >= 80
    assert len({segment["domain"] for segment in SEGMENTS}) >= 15


def test_ids_are_unique_and_inputs_too():
    assert len({segment["id"] for segment in SEGMENTS}) == len(SEGMENTS)
    assert len({segment["source"] for segment in SEGMENTS}) == len(SEGMENTS)


def test_inputs_run_from_5_to_45_words():
    lengths = [len(segment["source"].split()) for segment in SEGMENTS]

    assert min(lengths) == 5
    assert 40 <= max(lengths) <= 45


def test_candidates_are_not_sorted_by_grade():
    best_first = sum(ratings(s)[0] == max(ratings(s)) for s in SEGMENTS)
    falling = sum(ratings(s) == sorted(ratings(s), reverse=True) for s in SEGMENTS)

    assert best_first < len(SEGMENTS) / 2
    assert falling == 0


def test_every_exact_copy_has_the_same_low_grade():
    copies = [
        candidate["rating"]
        for segment in SEGMENTS
        for candidate in segment["candidates"]
        if candidate["text"] == segment["source"]
    ]

    assert len(copies) >= 20
    assert set(copies) == {COPY}


@each_segment
def test_a_segment_is_complete(segment):
    assert segment["id"].rsplit("-", 1)[0] == segment["domain"]
    assert segment["source"] not in segment["references"]
    assert len(segment["references"]) >= 1
    assert 6 <= len(segment["candidates"]) <= 8
    assert len(set(texts(segment, "candidate"))) == len(segment["candidates"])
    assert not set(texts(segment, "candidate")) & set(segment["references"])


@each_segment
def test_grades_are_steps_of_a_twentieth_and_reach_from_wrong_to_excellent(segment):
    given = ratings(segment)

    assert all(0 <= rating <= 1 for rating in given)
    assert all(rating == round(rating * 20) / 20 for rating in given)
    assert min(given) <= 0.15
    assert max(given) >= 0.9
    assert any(0.3 <= rating <= 0.7 for rating in given)


@each_segment
def test_preferences_are_the_pairs_of_grades_that_differ_by_the_gap(segment):
    given = [round(100 * rating) for rating in ratings(segment)]
    pairs = {
        (i, j)
        for i, better in enumerate(given)
        for j, worse in enumerate(given)
        if better - worse >= round(100 * GAP)
    }

    assert len(segment["preferences"]) == len(pairs)
    assert {tuple(pair) for pair in segment["preferences"]} == pairs


@each_segment
def test_texts_are_clean(segment):
    for field in ("source", "reference", "candidate"):
        for text in texts(segment, field):
            assert text == " ".join(text.split())
            assert text.isprintable()
            assert "\ufffd" not in text


@pytest.mark.parametrize("field", ["source", "reference", "candidate"])
@pytest.mark.parametrize("content", CONTENT)
def test_enough_segments_have_what_a_family_needs(content, field):
    least, pattern = CONTENT[content]
    found = sum(any(re.search(pattern, text) for text in texts(s, field)) for s in SEGMENTS)

    assert found >= least


@pytest.mark.parametrize("field", ["source", "reference"])
def test_many_segments_have_two_names(field):
    _, pattern = CONTENT["name"]
    found = sum(any(len(re.findall(pattern, t)) >= 2 for t in texts(s, field)) for s in SEGMENTS)

    assert found >= 35


@pytest.mark.parametrize(
    "pattern",
    [
        pytest.param(r"[À-ÿ]", id="accents"),
        pytest.param(r"“", id="curly quotes"),
        pytest.param(r"😭", id="emoji"),
        pytest.param(r"€", id="euro"),
    ],
)
def test_some_inputs_are_not_plain_ascii(pattern):
    assert any(re.search(pattern, segment["source"]) for segment in SEGMENTS)


def test_the_script_leaves_preferences_in_agreement_with_grades_as_they_are(tmp_path):
    copy = tmp_path / "sample.jsonl"
    copy.write_bytes(SAMPLE.read_bytes())
    runpy.run_path(str(ROOT / "tools" / "sample_preferences.py"))["main"](copy)

    assert copy.read_bytes() == SAMPLE.read_bytes()


def test_the_script_renews_preferences_after_a_grade_has_changed(tmp_path):
    path = tmp_path / "one.jsonl"
    candidates = [{"text": "a", "rating": 0.55}, {"text": "b", "rating": 0.8}]
    path.write_text(json.dumps({"id": "1", "candidates": candidates}) + "\n", encoding="utf-8")
    runpy.run_path(str(ROOT / "tools" / "sample_preferences.py"))["main"](path)

    assert json.loads(path.read_text(encoding="utf-8"))["preferences"] == [[1, 0]]


def test_its_readme_states_the_counts_of_the_file():
    words = " ".join(README.read_text(encoding="utf-8").split())
    candidates = sum(len(segment["candidates"]) for segment in SEGMENTS)
    pairs = sum(len(segment["preferences"]) for segment in SEGMENTS)

    assert f"{len(SEGMENTS)} inputs" in words
    assert f"{candidates} candidates" in words
    assert f"{pairs:,} preferences" in words
    assert "for trying things out and for tests, not for claims" in words
