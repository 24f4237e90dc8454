"""What is done with the verdicts of all items of a run: adjusted, packed, explained."""

import re

import numpy as np
import pytest
from built_results import plain_result

from shakeproof.expectations import CorrelationDrop
from shakeproof.results import Estimate, Outcome, Part, Verdict
from shakeproof.runs.assemble import with_q
from shakeproof.runs.evaluate import describe
from shakeproof.stats.compare import pack_influence, unpack_influence
from shakeproof.stats.verdicts import Assessment, Judgement


def result(p, verdict=Verdict.FAIL, outcome=Outcome.FAILED):
    return plain_result(
        "m",
        "c",
        outcome,
        condition=p,
        estimate=Estimate(value=0.3, low=0.21, high=0.4),
        verdict=verdict,
        message="change 0.3 > 0.2 allowed",
        p=p,
    )


def test_q_values_leave_out_known_failures_and_warnings():
    found = with_q([result(0.01), result(0.02), result(0.01, outcome=Outcome.KNOWN_FAILURE)])

    assert [one.q for one in found] == [0.02, 0.02, None]


def test_influence_survives_packing_missing_values_included():
    influence = np.array([0.5, np.nan, -2.25, 0.0])

    np.testing.assert_array_equal(unpack_influence(pack_influence(influence)), influence)


def test_no_influence_packs_to_nothing():
    assert pack_influence(np.empty(0)) == ""
    assert len(unpack_influence("")) == 0


COMPARED = """\
data: sample
language: en
metrics:
  chrf: chrf
  lost: {bertscore: {model: ./no-such-folder}}
checks:
  - check: more robust than what cannot be had
    metrics: [chrf]
    perturb: {visual: {on: reference, levels: [0.3]}}
    expect: {more_robust_than: {metric: lost}}
"""


def test_a_compared_metric_that_raises_is_named(run_checklist, tmp_path):
    (tmp_path / "lost.py").write_text("def score(a, b):\n    raise RuntimeError('no weights')\n")
    text = COMPARED.replace("{bertscore: {model: ./no-such-folder}}", "{python: lost:score}")
    (found,) = run_checklist(text, limit=40).results

    assert found.outcome is Outcome.ERROR
    assert found.message.startswith("metric 'lost': RuntimeError: no weights")


def test_a_compared_metric_that_cannot_be_built_is_named_in_one_line(run_checklist):
    (found,) = run_checklist(COMPARED, offline=True).results

    assert found.outcome is Outcome.ERROR
    assert found.message.startswith("metric 'lost': ")
    assert "\n" not in found.message


UNDECIDED = """\
data: sample
language: en
seed: 7
metrics: {chrf: chrf}
checks:
  - check: agreement survives look-alike letters
    perturb: {visual: {on: reference, levels: [0.3]}}
    expect: {correlation_drop: {coefficient: wmt-kendall, at_most: LIMIT}}
"""


@pytest.mark.parametrize(
    ("limit", "outcome", "leaning", "first_words"),
    [
        pytest.param("0.02", "undecided", "probably fails", "probably too sensitive: ", id="fails"),
        pytest.param("0.06", "undecided", "probably passes", "probably fine: ", id="passes"),
        pytest.param("0.5", "passed", "", "", id="decided"),
    ],
)
def test_a_message_tells_the_leaning_and_both_numbers(
    run_checklist, limit, outcome, leaning, first_words
):
    (found,) = run_checklist(UNDECIDED.replace("LIMIT", limit), limit=60).results

    assert (found.outcome, found.leaning) == (outcome, leaning)
    assert re.match(rf"{first_words}0\.\d+ → 0\.\d+, drop 0\.\d+ \[", found.message)
    assert len(found.message) < 160


def test_the_numbers_of_all_groups_do_not_stand_beside_the_estimate_of_one():
    drop = Estimate(value=0.1, low=0.05, high=0.15, segments=100)
    parts = [Part(name=name, estimate=drop) for name in ("clean", "perturbed")]
    judgement = Judgement(Verdict.FAIL, "kk-en: drop 0.100 [0.050, 0.150] > 0.02 allowed")
    assessment = Assessment(drop, tuple(parts), judgement, np.empty(0))

    assert describe(assessment, CorrelationDrop(at_most=0.02, each="group")) == judgement.message
    assert describe(assessment, CorrelationDrop(at_most=0.02)).startswith("0.100 → 0.100, kk-en")
