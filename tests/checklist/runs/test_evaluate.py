"""What is done with the verdicts of all items of a run: adjusted, packed, explained."""

import numpy as np
from built_results import plain_result

from shakeproof.results import Estimate, Outcome, Verdict
from shakeproof.runs.assemble import with_q
from shakeproof.runs.evaluate import adjusted
from shakeproof.stats.compare import pack_influence, unpack_influence


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


def test_holm_takes_back_a_failure_that_many_checks_could_bring_by_chance():
    found = adjusted([result(0.02), *(result(1.0, Verdict.PASS, Outcome.PASSED),) * 9])

    assert found[0].outcome is Outcome.UNDECIDED
    assert "not after Holm over 10 items" in found[0].message
    assert {one.outcome for one in found[1:]} == {Outcome.PASSED}


def test_holm_keeps_a_failure_beyond_chance():
    found = adjusted([result(1e-6), *(result(1.0, Verdict.PASS, Outcome.PASSED),) * 9])

    assert found[0].outcome is Outcome.FAILED


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


def test_a_compared_metric_that_cannot_be_built_is_named_in_one_line(run_checklist):
    (found,) = run_checklist(COMPARED, offline=True).results

    assert found.outcome is Outcome.ERROR
    assert found.message.startswith("metric 'lost': ")
    assert "\n" not in found.message
