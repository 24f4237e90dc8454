"""The expectation no_worse_than_baseline: a metric judged by a run stored beside its checklist."""

import re
from types import SimpleNamespace

import pytest
from baseline_runs import CASED, GOOD, WORSE

from shakeproof.runs.baseline import renewed
from shakeproof.runs.baseline_file import baseline_lines

SINCE = """\
data: sample
language: en
draws: 500
metrics: {mine: {python: {function: "mine:score", version: "VERSION"}}}
checks:
  - check: no worse than before
    expect: {no_worse_than_baseline: {baseline: last.json}}
"""


@pytest.fixture
def since(run, tmp_path):
    """Judge a metric by a run that is stored beside its checklist."""

    def since(metric, stored, text=SINCE):
        folder = tmp_path / str(abs(hash((metric, text))))
        folder.mkdir(exist_ok=True)
        if stored is not None:
            (folder / "last.json").write_text(stored.model_dump_json())
        (found,) = run(metric, text).results
        return found

    return since


def test_an_expectation_finds_nothing_lost_since_the_same_metric_was_stored(run, since):
    found = since(GOOD, run())

    assert found.outcome == "passed"
    assert re.fullmatch(r"(0\.\d+) → \1, unchanged at \1", found.message)
    assert found.estimate.value == 0
    assert [part.name for part in found.parts[:2]] == ["then", "now"]
    assert found.p == 1.0


def test_an_expectation_reads_a_baseline_of_lines(run, since):
    lines = "".join(baseline_lines(renewed(None, run())))
    stored = SimpleNamespace(model_dump_json=lambda: lines)

    assert "unchanged at 0." in since(GOOD, stored).message
    assert since(WORSE, stored).outcome == "failed"


def test_an_expectation_fails_on_a_loss_and_passes_a_gain(run, since):
    worse, better = since(WORSE, run()), since(GOOD, run(WORSE))

    assert worse.outcome == "failed"
    assert re.fullmatch(
        r"0\.\d+ → -0\.\d+, worse by 0\.\S+ \[\S+, \S+\] > 0.005 allowed", worse.message
    )
    assert worse.p < 0.025
    assert better.outcome == "passed"
    assert better.estimate.high < 0


def test_an_expectation_passes_only_where_a_loss_is_ruled_out(run, since):
    found = since(CASED, run())
    lenient = since(CASED, run(), SINCE.replace("last.json", "last.json, tolerance: 0.5"))

    assert (found.outcome, found.estimate.low < 0.005 < found.estimate.high) == ("undecided", True)
    assert found.message.startswith("probably worse than before: 0.")
    assert "], 0.005 allowed; at least " in found.message
    assert lenient.outcome == "passed"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        pytest.param(SINCE, "no run is stored in last.json yet; write one", id="no file"),
        pytest.param(
            SINCE.replace("last.json", "last.json, coefficient: spearman"),
            "last.json has no such correlation of 'mine'",
            id="another coefficient",
        ),
        pytest.param(
            SINCE.replace("last.json", "last.json, tie: 0.5"),
            "not comparable with last.json: other settings of the expectation",
            id="another tie",
        ),
        pytest.param(
            SINCE.replace("draws", "seed: 3\ndraws"),
            "not comparable with last.json: another seed",
            id="another seed",
        ),
    ],
)
def test_an_expectation_with_nothing_to_compare_is_undecided(run, since, text, reason):
    found = since(WORSE, run() if text is not SINCE else None, text)

    assert found.outcome == "undecided"
    assert found.message.startswith(reason)


def test_a_stored_file_that_is_no_run_is_an_error_in_one_line(run, tmp_path):
    folder = tmp_path / str(abs(hash((GOOD, SINCE))))
    folder.mkdir()
    (folder / "last.json").write_text("{}")
    (found,) = run(GOOD, SINCE).results

    assert found.outcome == "error"
    assert "last.json: not a run: no schema_version" in found.message
    assert "\n" not in found.message
