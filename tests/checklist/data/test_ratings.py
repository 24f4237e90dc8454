"""Several ratings of a candidate, one for each aspect."""

import json

import pytest

from shakeproof.data.imports.tables import read_table
from shakeproof.data.large_files import read_large_file
from shakeproof.data.loading import parse_data
from shakeproof.data.ratings import MEAN, PLAIN, aspects_of, is_rated, rating_of
from shakeproof.data.segments import Candidate, Segment
from shakeproof.data.tables_in_memory import table_data
from shakeproof.errors import SpecError

BOTH = {"coherence": 4.0, "fluency": 5.0}


def line(ratings, **keys):
    return json.dumps({"id": "1", "candidates": [{"text": "a", "ratings": ratings, **keys}]})


def ratings_of(data_set):
    return [dict(one.ratings) for segment in data_set.segments for one in segment.candidates]


def parsed(text):
    return parse_data(text.encode(), "d.jsonl", name="d")


def test_ratings_are_read_beside_a_rating():
    (segment,) = parsed(line({"coherence": 4, "fluency": 5}, rating=3)).segments

    assert segment.candidates == (Candidate("a", 3.0, ratings=BOTH),)


def test_a_rating_that_is_null_is_absent():
    assert ratings_of(parsed(line({"coherence": 4, "fluency": None}))) == [{"coherence": 4.0}]


@pytest.mark.parametrize(
    ("ratings", "problem"),
    [
        ([4], "ratings of candidate 0 must be an object, got a list"),
        ({"fluency": "good"}, "rating 'fluency' must be a finite number, got 'good'"),
        ({"fluency": True}, "rating 'fluency' must be a finite number, got true"),
        (
            {"mean": 3},
            "a rating of candidate 0 may not be for 'mean'; name the aspect, by none of the words "
            "rating, mean, each",
        ),
    ],
)
def test_wrong_ratings_are_named_with_their_line(ratings, problem):
    with pytest.raises(SpecError) as caught:
        parsed(line(ratings))

    assert str(caught.value) == f"d.jsonl:1: {problem}"


def test_a_large_file_has_the_ratings_of_a_small_one(tmp_path):
    path = tmp_path / "d.jsonl"
    path.write_text(line(BOTH) + "\n", encoding="utf-8")

    assert ratings_of(read_large_file(path, name="d")) == [BOTH]


@pytest.mark.parametrize(
    "row",
    [
        {"candidate": "a", "ratings": BOTH},
        {"candidate": "a", "ratings.coherence": 4, "ratings.fluency": 5},
        {"id": "1", "candidates": [{"text": "a", "ratings": {**BOTH, "relevance": None}}]},
    ],
    ids=["a column of mappings", "a column for each aspect", "a row for each segment"],
)
def test_tables_in_memory_have_ratings(row):
    assert ratings_of(table_data([row], "d")) == [BOTH]


def test_columns_of_a_table_become_ratings(tmp_path):
    path = tmp_path / "d.csv"
    path.write_text("candidate,coh,ratings.fluency\na,4,5\nb,,2\n", encoding="utf-8")
    (segment,) = read_table(path, "csv", {"ratings.coherence": "coh"})

    assert segment["candidates"] == [
        {"text": "a", "ratings": BOTH},
        {"text": "b", "ratings": {"fluency": 2.0}},
    ]


def test_a_rating_in_a_table_that_is_no_number_is_named(tmp_path):
    path = tmp_path / "d.csv"
    path.write_text('candidate,ratings.fluency\na,"4,5"\n', encoding="utf-8")

    with pytest.raises(SpecError, match=r"d.csv:2: ratings.fluency must be a number, got '4,5'"):
        read_table(path, "csv")


def test_aspects_are_in_the_order_of_the_data():
    first = Segment("1", (Candidate("a", ratings={"b": 1.0}), Candidate("b")))
    second = Segment("2", (Candidate("a", ratings={"a": 1.0, "b": 1.0}),))

    assert aspects_of([first, second]) == ("b", "a")


@pytest.mark.parametrize(
    ("rating", "value"),
    [(PLAIN, 1.0), ("fluency", 5.0), (MEAN, 4.5), ("style", None)],
)
def test_a_candidate_has_the_rating_that_is_asked_for(rating, value):
    assert rating_of(Candidate("a", 1.0, ratings=BOTH), rating, tuple(BOTH)) == value


def test_a_mean_needs_all_aspects():
    assert rating_of(Candidate("a", ratings=BOTH), MEAN, (*BOTH, "style")) is None
    assert rating_of(Candidate("a", 1.0), MEAN, ()) is None


def test_a_rating_for_an_aspect_is_a_rating():
    assert is_rated(Candidate("a", ratings=BOTH))
    assert not is_rated(Candidate("a"))
