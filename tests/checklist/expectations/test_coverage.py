"""Every expectation says how its verdicts are simulated, and the worst ones are, in small."""

from dataclasses import replace

import pytest

from shakeproof.expectations import EXPECTATIONS, Evaluation
from shakeproof.stats.estimate import resample

SETS, DRAWS = 200, 500
PROMISE, ERROR = 0.025, 0.011  # of a share of 2.5 % of 200 data sets


def test_every_expectation_has_a_population_or_no_sampling_error(simulation):
    populations, _ = simulation

    assert {*populations.QUESTIONS, *populations.WITHOUT_SAMPLING} == set(EXPECTATIONS)


def test_only_what_is_judged_without_a_statistic_has_no_sampling_error(simulation):
    populations, _ = simulation
    sampled = {Evaluation.STATISTIC, Evaluation.STORED_RUN}

    assert {name for name in EXPECTATIONS if EXPECTATIONS[name].evaluation in sampled} == set(
        populations.QUESTIONS
    )


@pytest.mark.parametrize(
    ("name", "number"),
    [
        pytest.param("correlation_drop", 0, id="sums of their own"),
        pytest.param("correlation_drop", 1, id="ranks among all"),
        pytest.param("correlation_drop", 6, id="draws as new data"),
        pytest.param("prefers_original", 0, id="shares"),
    ],
)
def test_many_data_sets_at_once_have_the_intervals_of_each(name, number, simulation):
    populations, coverage = simulation
    population = populations.made_populations(300)["in documents"]
    claim = populations.questions(population, name)[number].claims[0]
    data_sets = coverage.Draws(population, 40)
    together = [*coverage.estimates(claim.statistic, data_sets, 3, DRAWS, 0)]
    alone = [
        resample([claim.statistic], observed, draws=DRAWS, floor=30)[0].estimate
        for observed in data_sets.generate(3, 0)
    ]

    assert [(one.low, one.high) for one in together] == [
        pytest.approx((one.low, one.high), rel=1e-6) for one in alone
    ]


@pytest.mark.parametrize(
    ("name", "number", "population", "units"),
    [
        pytest.param("prefers_original", 0, "near the end", 200, id="shares near 1"),
        pytest.param("prefers_original", 0, "even", 30, id="shares of candidates"),
        pytest.param("segments_behave", 1, "alike", 60, id="margins in spreads"),
        pytest.param("score_change", 1, "skewed", 60, id="skewed means"),
        pytest.param("stable", 1, "few candidates", 60, id="skewed squares"),
        pytest.param("correlation_drop", 0, "in documents", 30, id="drops in documents"),
        pytest.param("correlation_drop", 3, "tied", 40, id="tied pairs"),
        pytest.param("correlation_drop", 3, "alike", 36, id="pairs that hardly ever change"),
        pytest.param("correlation", 3, "even", 100, id="systems that agree almost wholly"),
        pytest.param("correlation", 7, "close systems", 60, id="p-values of systems"),
        pytest.param("retention", 0, "few candidates", 60, id="few segments that matter most"),
    ],
)
def test_verdicts_are_wrong_one_time_in_forty(name, number, population, units, simulation):
    populations, coverage = simulation
    question = populations.questions(populations.made_populations(600)[population], name)[number]
    errors = coverage.measure(question, units, SETS, DRAWS)

    assert errors.undecided < 0.1
    assert errors.worse <= PROMISE + 3 * ERROR


def test_finished_cells_are_kept_for_the_same_settings_only(simulation, tmp_path):
    _, coverage = simulation
    cell, errors = coverage.Cell("correlation", "", "even", 30), coverage.Errors(0.02, 0.01, 0, 50)
    options = coverage.Options("", sets=50, draws=99, seed=1, finished=tmp_path / "cells.jsonl")
    coverage.write_finished(cell, errors, options)

    assert coverage.measure_all([cell], options, jobs=1) == {cell: errors}
    assert coverage.read_finished(replace(options, draws=100)) == {}
    assert coverage.read_finished(replace(options, sets=51)) == {}, "measured on fewer data sets"
    assert coverage.read_finished(replace(options, sets=49)) == {cell: errors}


def test_long_tails_have_a_table_of_their_own(simulation):
    _, coverage = simulation
    usual, tailed = (coverage.Cell("score_change", "", name, 30) for name in ("even", "tails"))
    errors = {usual: coverage.Errors(0.02, 0.01, 0, 50), tailed: coverage.Errors(0.0, 0.09, 0, 50)}
    options = coverage.Options("", sets=50, draws=99, seed=1, sizes=(30,))
    text = coverage.write_tables(errors, {"even": "made", "tails": "long tails"}, options)

    assert "| `score_change` | - / 2.0 | even, n = 30 |" in text
    assert "| `score_change` | 9.0 | tails, n = 30 |" in text
