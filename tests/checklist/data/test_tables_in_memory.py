"""Frames, data sets of Hugging Face and lists of mappings as data."""

import json
from datetime import date

import numpy as np
import pytest

from shakeproof.data.lazy import LazySegments
from shakeproof.data.loading import parse_data
from shakeproof.data.tables_in_memory import table_data
from shakeproof.errors import DataErrors, SpecError

pd = pytest.importorskip("pandas")

ROWS = [
    {
        "id": str(number),
        "source": f"source {number}",
        "references": [f"reference {number}"],
        "candidates": [{"text": f"text {number}", "rating": number / 2}, {"text": "other"}],
    }
    for number in range(3)
]
CANDIDATES = pd.DataFrame(
    {
        "id": [1, 1, 2],
        "source": ["x", "x", "y"],
        "reference": ["r", "r", "s"],
        "candidate": ["a", "b", "c"],
        "system": ["A", "B", "A"],
        "rating": [0, 2.5, float("nan")],
    }
)


class HuggingFaceLike:
    """What is used of datasets.Dataset: its rows are dictionaries with all keys."""

    def __init__(self, rows):
        self.rows = rows

    def __iter__(self):
        return iter(self.rows)


def written(rows):
    content = "".join(f"{json.dumps(row)}\n" for row in rows).encode()
    return parse_data(content, "d.jsonl", name="d")


@pytest.mark.parametrize(
    "table",
    [
        pytest.param(ROWS, id="list"),
        pytest.param(pd.DataFrame(ROWS), id="frame"),
        pytest.param(HuggingFaceLike(ROWS), id="data set"),
    ],
)
def test_a_table_is_read_as_a_file_with_its_rows(table):
    data_set, file = table_data(table, "mine"), written(ROWS)

    assert data_set.segments == file.segments
    assert data_set.sha256 == file.sha256
    assert data_set.name == "mine"


def test_a_frame_with_a_row_for_each_candidate_is_grouped_into_segments():
    first, second = table_data(CANDIDATES, "mine").segments

    assert [(c.text, c.rating, c.systems) for c in first.candidates] == [
        ("a", 0.0, ("A",)),
        ("b", 2.5, ("B",)),
    ]
    assert (first.id, first.source, first.references) == ("1", "x", ("r",))
    assert second.candidates[0].rating is None


def test_references_may_be_a_list_in_a_row_for_each_candidate():
    rows = [{"candidate": "a", "references": ["r", "s"]}, {"candidate": "b", "references": "r"}]
    first, second = table_data(rows, "mine").segments

    assert (first.references, second.references) == (("r", "s"), ("r",))


def test_values_of_numpy_and_pandas_are_plain_values():
    row = {
        "id": np.int64(7),
        "references": np.array(["r"]),
        "candidates": [{"text": "a", "rating": np.float32(0.5), "systems": None}],
        "preferences": pd.NA,
        "day": date(2026, 1, 2),
    }
    (segment,) = table_data([row], "mine").segments

    assert (segment.id, segment.references, segment.candidates[0].rating) == ("7", ("r",), 0.5)
    assert segment.extra == {"day": "2026-01-02"}


@pytest.mark.parametrize(
    ("table", "message"),
    [
        pytest.param(
            [ROWS[0], {"id": "1", "candidates": [{"text": 3}]}],
            "data['mine'], row 2: text of candidate 0 must be text, got 3",
            id="not text",
        ),
        pytest.param(
            [ROWS[0], ROWS[1], ROWS[0]],
            "data['mine'], row 3: duplicate id '0'; the first is number 1",
            id="duplicate id",
        ),
        pytest.param(
            CANDIDATES.assign(rating=["0", "1", "good"]),
            "data['mine'], row 3: rating must be a number, got 'good'",
            id="rating",
        ),
        pytest.param(
            CANDIDATES.assign(rating=[0, 1, float("inf")]),
            "data['mine'], segment 2: rating of candidate 0 must be a finite number, got inf",
            id="infinite",
        ),
        pytest.param(
            pd.DataFrame({"prediction": ["a"]}),
            "or 'candidate' (a row for each candidate); columns are: prediction",
            id="columns",
        ),
        pytest.param([], "data['mine']: the table has no rows", id="empty"),
        pytest.param(["a"], "row 1: a row must be a mapping, got 'a'", id="row"),
        pytest.param({"train": ROWS}, "pass one of its values: 'train'", id="splits"),
        pytest.param(3, "got int", id="no table"),
        pytest.param(
            [{"id": "1", "candidates": [{"text": object()}]}],
            "row 1: cannot be read: object is neither a text nor",
            id="object",
        ),
    ],
)
def test_problems_name_the_row(table, message):
    with pytest.raises(SpecError) as caught:
        table_data(table, "mine")

    assert message in str(caught.value)
    assert "d.jsonl" not in str(caught.value)


def test_a_large_table_is_read_in_blocks_from_a_file_that_goes_away(monkeypatch, tmp_path):
    monkeypatch.setenv("SHAKEPROOF_IN_MEMORY_MB", "1")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    text = "word " * 1000
    rows = [{"id": str(n), "candidates": [{"text": f"{n} {text}"}]} for n in range(300)]
    data_set = table_data(rows, "mine")

    assert isinstance(data_set.segments, LazySegments)
    assert [segment.id for segment in data_set.segments] == [row["id"] for row in rows]
    assert len(list(tmp_path.iterdir())) == 1
    del data_set
    assert not list(tmp_path.iterdir())


def test_problems_of_a_large_table_name_the_row_and_leave_no_file(monkeypatch, tmp_path):
    monkeypatch.setenv("SHAKEPROOF_IN_MEMORY_MB", "1")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    text = "word " * 1000
    rows = [{"id": str(n % 250), "candidates": [{"text": text}]} for n in range(251)]
    with pytest.raises(DataErrors) as caught:
        table_data(rows, "mine")

    assert caught.value.lines == ("data['mine'], row 251: duplicate id '0'; the first is number 1",)
    assert caught.value.without_texts.startswith("data['mine'], row 251: not valid")
    assert not list(tmp_path.iterdir())
