"""Data that are passed to a run instead of those of the checklist."""

import json

import pytest

import shakeproof
from shakeproof.errors import SpecError
from shakeproof.expectations import ScoreChange

ROWS = [
    {
        "id": str(number),
        "references": [f"bus {number} is late"],
        "candidates": [{"text": f"bus {number} is not on time"}, {"text": f"late bus {number}"}],
    }
    for number in range(40)
]


def built(data, **settings):
    check = shakeproof.check(
        "capitals do not matter",
        ScoreChange(at_most=0.2),
        perturb=shakeproof.Perturb("upper-case", "candidate"),
    )
    return shakeproof.checklist(
        [check], data=data, metrics={"chrf": "chrf"}, language="en", **settings
    )


def estimate(run):
    return run.results[0].estimate


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    """The run on the same segments in a file."""
    path = tmp_path_factory.mktemp("data") / "buses.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in ROWS), encoding="utf-8")
    return shakeproof.run(built(str(path)))


@pytest.mark.parametrize(
    ("written", "given"),
    [
        pytest.param("mine", {"mine": ROWS}, id="by name"),
        pytest.param("mine", ROWS, id="the only data"),
        pytest.param({"buses": "mine"}, {"buses": ROWS}, id="by group"),
        pytest.param({"buses": "mine"}, {"mine": ROWS}, id="name of a group's data"),
        pytest.param(ROWS[:31], ROWS, id="instead of segments in the checklist"),
    ],
)
def test_a_table_is_used_instead(written, given, expected):
    run = shakeproof.run(built(written), data=given)

    assert estimate(run) == estimate(expected)
    assert run.checklists[0].data[0].segments == 40
    assert run.checklists[0].data[0].sha256 == expected.checklists[0].data[0].sha256


def test_a_frame_is_used_instead_of_a_path_and_judged_again(expected):
    pd = pytest.importorskip("pandas")
    run = shakeproof.run(built("mine"), data={"mine": pd.DataFrame(ROWS)})

    assert estimate(run) == estimate(expected)
    assert run.settings["data"] == ["mine: a table in memory"]
    assert run.judge("capitals do not matter", at_most=50.0).results[0].outcome == "passed"


def test_a_frame_becomes_a_part_of_a_checklist_built_with_it(expected):
    pd = pytest.importorskip("pandas")
    made = built(pd.DataFrame(ROWS))

    assert estimate(shakeproof.run(made)) == estimate(expected)
    assert "bus 7 is late" in made.text


def test_tables_by_group_belong_to_the_run():
    with pytest.raises(SpecError, match="must be a path or a name; pass tables"):
        built({"a": ROWS})


def test_a_path_is_used_instead_of_the_only_data(tmp_path, expected):
    path = tmp_path / "other.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in ROWS), encoding="utf-8")

    assert estimate(shakeproof.run(built("mine"), data=path)) == estimate(expected)


def test_a_large_table_is_run_as_a_large_file(monkeypatch, expected):
    long = [{**row, "note": "x" * 40_000} for row in ROWS]
    monkeypatch.setenv("SHAKEPROOF_IN_MEMORY_MB", "1")

    assert estimate(shakeproof.run(built("mine"), data=long)) == estimate(expected)


def test_texts_of_a_table_stay_out_of_a_run_without_texts():
    assert "on time" not in shakeproof.run(built("mine"), data=ROWS, texts=False).model_dump_json()


@pytest.mark.parametrize(
    ("written", "given", "message"),
    [
        pytest.param("mine", {"min": ROWS}, "unknown data set or group .* 'min'", id="name"),
        pytest.param({"a": "x", "b": "y"}, ROWS, "several groups, 'a', 'b'; write", id="groups"),
        pytest.param("mine", [{"id": "1"}], "columns are: id", id="columns"),
        pytest.param("mine", 3, r"data\['mine'\]: .*got int", id="no table"),
    ],
)
def test_a_mistake_is_told_in_a_line(written, given, message):
    with pytest.raises(SpecError, match=message) as caught:
        shakeproof.run(built(written), data=given)
    assert "\n" not in str(caught.value)
