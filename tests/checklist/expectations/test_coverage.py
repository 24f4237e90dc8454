"""Every expectation says how its verdicts are simulated, and the worst ones are, in small."""


from shakeproof.expectations import EXPECTATIONS, Evaluation

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
