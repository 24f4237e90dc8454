"""A baseline that is read and renewed: the better numbers stay, and texts are left out."""

import pytest
from baseline_runs import CASED, CHECKLIST, WORSE, by_check

from shakeproof.errors import SpecError
from shakeproof.results import Run
from shakeproof.runs.baseline import Baseline, read_baseline, renewed


def test_the_ratchet_moves_up_and_not_down(run):
    good, worse = run(), run(WORSE)
    value = by_check(good)["agreement"].estimate.value

    up, down = renewed(Baseline("b", worse), good), renewed(Baseline("b", good), worse)

    assert by_check(up)["agreement"].estimate.value == value
    assert by_check(down)["agreement"].estimate.value == value
    assert up.checklists[0].metrics == good.checklists[0].metrics


def test_a_baseline_keeps_what_did_not_run_and_no_texts(run):
    both = run(CASED, CHECKLIST.replace("at_most: 3", "at_most: 0.1"))
    assert by_check(both)["capitals do not matter"].examples
    one = both.model_copy(update={"results": both.results[:1]})

    stored = renewed(Baseline("b", renewed(None, both)), one)

    assert len(stored.results) == 2
    assert not any(result.examples for result in stored.results)
    assert Run.model_validate_json(stored.model_dump_json()) == stored


def test_other_data_replace_all_that_the_baseline_knew_of_the_checklist(run):
    whole = run()
    part = run(limit=50)
    stored = renewed(Baseline("b", whole), part.model_copy(update={"results": part.results[:1]}))

    assert [one.check for one in stored.results] == ["agreement"]


def test_what_a_checklist_asks_otherwise_now_is_forgotten_though_it_did_not_run(run):
    before = run()
    after = run(text=CHECKLIST.replace("pearson,", "pearson, tie: 0.1,"))
    only = after.model_copy(update={"results": after.results[1:]})

    stored = renewed(Baseline("b", before), only)

    assert [one.check for one in stored.results] == ["capitals do not matter"]


def test_a_baseline_that_is_no_run_is_told_in_one_line(tmp_path):
    path = tmp_path / "b.json"
    path.write_text("{}")
    with pytest.raises(SpecError, match="not a run: no schema_version"):
        read_baseline(path)
