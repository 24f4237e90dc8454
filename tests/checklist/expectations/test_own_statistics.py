"""A statistic that the user writes in Python."""

import numpy as np
import pytest

from shakeproof.expectations import EXPECTATIONS
from shakeproof.expectations.assess import assess
from shakeproof.results import Verdict
from shakeproof.stats.observations import ComparedScores

OWN = """
import numpy as np

class Longest:
    def __init__(self, score_key):
        self.score_key = score_key
    def sums(self, observed):
        scores = observed.scores[self.score_key]
        return np.stack([scores, np.ones(len(scores))], axis=1)
    def value(self, totals):
        return totals[..., 0] / totals[..., 1]

def build(compared):
    return Longest(compared.clean)

def wrong(compared):
    return 3
"""


def test_a_statistic_of_the_user_is_found_in_the_folder_of_the_checklist(tmp_path, observe):
    (tmp_path / "own_statistic.py").write_text(OWN, encoding="utf-8")
    expectation = EXPECTATIONS["python"](statistic="own_statistic:build", label="mean", at_most=1)
    observed = observe({"clean": np.linspace(0, 1, 40)})
    found = assess(expectation.look_in([tmp_path]), ComparedScores("clean"), observed, draws=500)

    assert found.judgement.verdict is Verdict.PASS
    assert found.judgement.message.startswith("mean 0.500 [")


def test_a_statistic_of_the_user_must_have_sums_and_value(tmp_path):
    (tmp_path / "own_mistake.py").write_text(OWN, encoding="utf-8")
    expectation = EXPECTATIONS["python"](statistic="own_mistake:wrong", at_most=1)

    with pytest.raises(ValueError, match="must give an object with sums and value"):
        expectation.look_in([tmp_path]).statistic(ComparedScores("clean"))
