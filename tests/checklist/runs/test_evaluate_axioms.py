"""Axioms that rate texts anew, and thresholds and intervals as the checklist sets them."""

from pathlib import Path

import numpy as np
import pytest

from shakeproof.errors import SpecError
from shakeproof.metrics.settings import Settings
from shakeproof.plan.items import make_plan
from shakeproof.runs.evaluate import short_to_long
from shakeproof.spec.read import parse

HEAD = "data: sample\nlanguage: en\ndraws: 500\n"
MODULE = """\
seen = []

def overlap(candidate, reference):
    ours, theirs = set(candidate.split()), set(reference.split())
    return 2 * len(ours & theirs) / max(1, len(ours) + len(theirs))

def recall(candidate, reference):
    ours, theirs = set(candidate.split()), set(reference.split())
    return len(ours & theirs) / max(1, len(theirs))

def batched(candidates, references, sources):
    width = max(map(len, candidates))
    return [overlap(one, other[0]) + 1e-3 * width for one, other in zip(candidates, references)]

def remembering(candidate, reference):
    seen.append(candidate)
    return overlap(candidate, reference) + 1e-4 * len(seen)

def positional(candidates, references, sources):
    pairs = enumerate(zip(candidates, references))
    return [overlap(one, other[0]) + 1e-4 * at for at, (one, other) in pairs]
"""
AXIOMS = ("symmetry", "batch_independence", "order_independence")


@pytest.fixture
def run(run_checklist, tmp_path):
    """Run a checklist that may use the metrics above."""
    (tmp_path / "axiom_metrics.py").write_text(MODULE)
    return run_checklist


def axioms_of(metric, *axioms):
    checks = [f"  - check: {one}\n    expect: {{{one}: {{}}}}\n" for one in axioms or AXIOMS]
    return f"{HEAD}metrics: {{m: {metric}}}\nchecks:\n{''.join(checks)}"


def python(name, batch=False):
    return f"{{python: {{function: 'axiom_metrics:{name}', batch: {str(batch).lower()}}}}}"


@pytest.mark.parametrize(
    ("metric", "broken"),
    [
        pytest.param(python("overlap"), set(), id="none of them"),
        pytest.param("edit-similarity", set(), id="edit distance"),
        pytest.param(python("recall"), {"symmetry"}, id="recall"),
        pytest.param("chrf", {"symmetry"}, id="a beta of 2"),
        pytest.param(
            python("batched", batch=True), {"batch_independence", "symmetry"}, id="padding"
        ),
        pytest.param(python("remembering"), set(AXIOMS), id="memory"),
        pytest.param(
            python("positional", batch=True),
            {"batch_independence", "order_independence"},
            id="position",
        ),
    ],
)
def test_a_metric_breaks_the_axioms_that_it_should(run, metric, broken):
    found = {one.check: one for one in run(axioms_of(metric)).results}

    assert {name for name, one in found.items() if one.outcome == "failed"} == broken
    assert {one.outcome for one in found.values()} <= {"passed", "failed"}  # never undecided
    for one in found.values():
        assert one.message.endswith(" in 20 scores")
        assert (one.p, one.influence, one.estimate.method) == (None, "", "exact")


def test_texts_are_rated_anew_though_the_cache_knows_them(run, tmp_path):
    cache = tmp_path / "scores.sqlite"
    known = axioms_of(python("overlap"), "batch_independence")
    run(known, cache=cache)
    outcomes = [run(known, cache=cache).results[0].outcome for _ in range(2)]
    (again,) = run(axioms_of(python("remembering"), "batch_independence"), cache=cache).results

    assert outcomes == ["passed", "passed"]
    assert again.outcome == "failed"


def test_the_source_may_be_what_changes_places(run):
    text = axioms_of("edit-similarity-free", "symmetry").replace("{}", "{with: source, texts: 5}")
    (found,) = run(text).results

    assert (found.outcome, found.message) == ("passed", "0 violations in 5 scores")
    assert found.statement == "the score stays the same if candidate and source change places"


def test_a_tolerance_lets_rounding_pass(run):
    text = axioms_of(python("batched", batch=True), "batch_independence")
    (found,) = run(
        text.replace("{batch_independence: {}}", "{batch_independence: {tolerance: 1}}")
    ).results

    assert found.outcome == "passed"


@pytest.mark.model
def test_bertscores_f1_is_symmetric_and_knows_no_company(run, minilm):
    text = axioms_of("{bertscore: {layer: first}}").replace("{}", "{texts: 6}")
    found = run(text, limit=4).results

    assert [one.message for one in found] == ["0 violations in 6 scores"] * 3


def test_few_texts_are_all_rated_and_many_from_the_shortest_to_the_longest():
    lengths = np.array([5, 1, 4, 2, 3, 0])

    assert lengths[short_to_long(lengths, 9)].tolist() == [0, 1, 2, 3, 4, 5]
    assert lengths[short_to_long(lengths, 3)].tolist() == [0, 2, 5]


def test_scores_that_the_data_carry_cannot_be_rated_anew(tmp_path):
    row = '{"id": "%d", "references": ["r"], "candidates": [{"text": "a", "scores": {"S": 1}}]}'
    (tmp_path / "d.jsonl").write_text("\n".join(row % at for at in range(3)))
    text = axioms_of("{stored: S}", "symmetry").replace("sample", "d.jsonl")
    with pytest.raises(SpecError, match="only knows the scores of the data") as refused:
        make_plan(parse(text, tmp_path / "j.checklist.yaml"), Settings())

    assert "\n" not in str(refused.value)


ACCURACY = f"""\
{HEAD}metrics: {{words: word-f1, chrf: chrf}}
checks:
  - check: agreement survives
    perturb: {{visual: {{on: reference, levels: [0.3]}}}}
    expect: {{correlation_drop: {{coefficient: acc-eq, at_most: 0.2}}}}
  - check: words hold up better
    metrics: [words]
    perturb: {{visual: {{on: reference, levels: [0.3]}}}}
    expect: {{more_robust_than: {{coefficient: acc-eq, metric: chrf}}}}
"""


def test_ties_are_set_on_the_development_part_where_there_is_one(run):
    halves, development = (run(f"{more}{ACCURACY}") for more in ("", "development: 0.3\n"))

    assert all("other half of the segments" in one.estimate.note for one in halves.results)
    for one in development.results:
        assert one.estimate.note.startswith("ties within ")
        assert one.estimate.note.endswith(", set on the development part")


def test_the_intervals_of_a_checklist_are_what_it_asks_for(run):
    text = axioms_of("chrf", "correlation").replace("{}", "{at_least: 0}")
    plain, corrected = (run(f"{text}interval: {how}\n").results[0] for how in ("expanded", "bca"))

    assert (plain.estimate.method, corrected.estimate.method) == ("expanded percentile", "BCa")
    assert plain.estimate.value == corrected.estimate.value
    assert plain.estimate.low != corrected.estimate.low


def test_an_interval_of_another_kind_is_refused():
    with pytest.raises(SpecError, match=r"unknown interval 'percentile'"):
        parse(f"{axioms_of('chrf')}interval: percentile\n", Path("j.checklist.yaml"))
