"""tools/same_numbers.py finds every number that two runs do not share."""

import copy
import json
from pathlib import Path

import pytest
import same_numbers

ARCHIVE = Path(__file__).parent / "reports" / "archive"
RUN = {
    "schema_version": "shakeproof-run/2",
    "results": [
        {
            "id": "a.checklist.yaml::chrf::noise::visual-0.3",
            "verdict": "pass",
            "outcome": "passed",
            "p": 0.5,
            "estimate": {"value": 0.1, "low": 0.05, "high": 0.2, "draws": 10000},
            "parts": [
                {"name": "clean", "estimate": {"value": 0.3, "low": 0.2, "high": 0.4}},
                {
                    "name": "perturbed",
                    "level": 0.3,
                    "group": "gu-en",
                    "estimate": {"value": 0.2, "low": 0.1, "high": 0.3},
                },
            ],
        },
        {"id": "a.checklist.yaml::chrf::broken::clean", "outcome": "error", "estimate": None},
    ],
}


def changed(*keys, to):
    """Return a copy of the run in which one value of the results is another."""
    run = copy.deepcopy(RUN)
    *path, last = keys
    place = run["results"]
    for key in path:
        place = place[key]
    place[last] = to
    return run


@pytest.fixture
def compare(tmp_path, capsys):
    """Run the program on two runs; return its exit code and what it printed."""

    def compare(new, *options, old=RUN):
        for name, run in (("old.json", old), ("new.json", new)):
            (tmp_path / name).write_text(json.dumps(run), encoding="utf-8")
        paths = [str(tmp_path / name) for name in ("old.json", "new.json")]
        code = same_numbers.main([*paths, *options])
        return code, capsys.readouterr().out

    return compare


def test_a_run_equals_itself(compare):
    code, output = compare(RUN)

    assert code == 0
    assert output.endswith("new.json: 2 results, 10 numbers: all equal\n")


ADDED = {"name": "retention", "level": 0.3, "estimate": {"value": 0.5}}


@pytest.mark.parametrize("path", sorted(ARCHIVE.glob("run-*.json")), ids=lambda path: path.stem)
def test_an_archived_run_of_every_schema_version_is_read(path, capsys):
    assert same_numbers.main([str(path), str(path)]) == 0
    assert "0 numbers" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("run", "place"),
    [
        pytest.param(changed(0, "estimate", "low", to=0.051), "estimate.low", id="bound"),
        pytest.param(changed(0, "estimate", to=None), "estimate.value", id="no estimate"),
        pytest.param(changed(0, "verdict", to="fail"), "verdict", id="verdict"),
        pytest.param(changed(1, "outcome", to="passed"), "outcome", id="outcome"),
        pytest.param(changed(0, "p", to=0.4), "p", id="p"),
        pytest.param(
            changed(0, "parts", 1, "estimate", "value", to=0.25),
            "parts[perturbed, level 0.3, group gu-en].value",
            id="part",
        ),
        pytest.param(
            changed(0, "parts", 1, "group", to="kk-en"),
            "parts[perturbed, level 0.3, group kk-en].value",
            id="part of another group",
        ),
        pytest.param(changed(1, "id", to="another"), "result", id="another result"),
    ],
)
def test_a_difference_is_a_row_and_exit_code_1(compare, run, place):
    code, output = compare(run)

    assert code == 1
    assert f"  {place}  " in output
    assert " differences in " in output


@pytest.mark.parametrize(
    "run",
    [
        pytest.param(changed(0, "estimate", "value", to=0.1 + 1e-12), id="rounding"),
        pytest.param(changed(0, "estimate", "margin", to=3), id="a key of an estimate"),
        pytest.param(changed(0, "parts", 0, "kind", to="clean"), id="a key of a part"),
        pytest.param(changed(0, "reading", to="x"), id="a key of a result"),
        pytest.param({**RUN, "schema_version": "shakeproof-run/3"}, id="a newer schema"),
        pytest.param(changed(0, "parts", to=RUN["results"][0]["parts"][::-1]), id="other order"),
    ],
)
def test_rounding_order_and_unknown_keys_make_no_difference(compare, run):
    assert compare(run)[0] == 0


@pytest.mark.parametrize(
    ("run", "option"),
    [
        pytest.param(changed(0, "outcome", to="failed"), "--ignore=outcome", id="outcome"),
        pytest.param(
            changed(0, "parts", 0, "name", to="unperturbed"),
            "--renamed-part=clean=unperturbed",
            id="renamed part",
        ),
        pytest.param(
            changed(0, "parts", to=[*RUN["results"][0]["parts"], ADDED]),
            "--added-part=retention",
            id="added part",
        ),
        pytest.param(changed(0, "p", to=0.501), "--tolerance=0.01", id="tolerance"),
    ],
)
def test_an_option_allows_a_difference(compare, run, option):
    assert compare(run)[0] == 1
    assert compare(run, option)[0] == 0


def test_parts_of_the_same_name_are_compared_in_their_order(compare):
    first, second = RUN["results"][0]["parts"]
    twice = changed(0, "parts", to=[first, {**second, "name": "clean", "level": None, "group": ""}])
    swapped = changed(0, "parts", to=twice["results"][0]["parts"][::-1])

    assert compare(twice, old=twice)[0] == 0
    assert compare(swapped, old=twice)[0] == 1
