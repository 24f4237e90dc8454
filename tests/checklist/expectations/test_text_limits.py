"""When a single score breaks an expectation."""

import numpy as np
import pytest

from shakeproof.expectations import EXPECTATIONS
from shakeproof.stats.text_limits import TextLimits


def broken(name, rise, *, spread=1.0, **settings):
    limits = EXPECTATIONS[name](**settings).text_limits
    return bool(limits.excess(np.array([rise]), spread if limits.spreads else 1.0)[0] > 0)


@pytest.mark.parametrize(
    ("name", "settings", "breaking", "harmless"),
    [
        pytest.param("score_change", {"at_most": 0.2}, [-0.3, 0.3], [-0.2, 0, 0.1], id="change"),
        pytest.param(
            "score_change",
            {"at_most": 0.2, "signed": True},
            [-0.3, 0.3],
            [-0.2, 0, 0.2],
            id="signed change",
        ),
        pytest.param("score_change", {"at_least": 0.2}, [0], [-0.1, 0.1], id="must change"),
        pytest.param("score_drop", {"at_most": 0.2}, [-0.3], [0.3, 0, -0.2], id="may drop"),
        pytest.param("score_drop", {"at_least": 0.2}, [0, 0.3], [-0.1, -0.3], id="must drop"),
        pytest.param("score_rise", {"at_least": -0.1}, [-0.2], [0, -0.1, 1], id="may not fall far"),
        pytest.param("prefers_original", {"at_least": 0.9}, [0, 0.1], [-0.1], id="preferred"),
        pytest.param("prefers_original", {"at_most": 0.1}, [-0.1], [0, 0.1], id="not preferred"),
        pytest.param("segments_behave", {"at_least": 0.9}, [0, 0.1], [-0.1], id="segments drop"),
        pytest.param(
            "segments_behave",
            {"at_least": 0.9, "scores": "change", "by": 0.2},
            [-0.3, 0.3],
            [0, 0.2],
            id="segments hold still",
        ),
        pytest.param(
            "segments_behave", {"at_most": 0.1, "by": 0.2}, [-0.3], [0, 1, -0.2], id="few drop"
        ),
        pytest.param("same_scores", {"tolerance": 0.01}, [0.02, -0.02], [0.01, 0], id="same"),
        pytest.param("monotone", {}, [0.1], [-0.1], id="falling"),
        pytest.param("monotone", {"direction": "rising"}, [-0.1], [0.1], id="rising"),
        pytest.param("monotone", {"tolerance": 0.2}, [0.3], [0.2, -1], id="falling, roughly"),
        pytest.param("search", {}, [1.1, -1.1], [1, -1, 0], id="search"),
        pytest.param(
            "search", {"scores": "drop", "at_least": 0.2}, [0, -0.1], [-0.3], id="search, a drop"
        ),
    ],
)
def test_one_text_breaks_what_it_alone_would_break(name, settings, breaking, harmless):
    assert [rise for rise in breaking if not broken(name, rise, **settings)] == []
    assert [rise for rise in harmless if broken(name, rise, **settings)] == []


def test_limits_are_in_spreads_unless_raw():
    assert broken("score_change", 0.3, spread=1.0, at_most=0.2)
    assert not broken("score_change", 0.3, spread=2.0, at_most=0.2)
    assert broken("score_change", 0.3, spread=2.0, at_most=0.2, unit="raw")


def test_a_missing_score_breaks_nothing():
    assert not broken("score_change", np.nan, at_most=0.2)


def test_rounding_breaks_nothing_but_is_no_movement_either():
    assert not broken("score_change", 1e-7, at_most=0.0)
    assert broken("score_drop", -1e-7, at_least=0.1)


def test_how_far_beyond_is_in_the_metric_s_own_units():
    far = TextLimits("drop", high=0.5, tie=0.0).excess(np.array([-3.0, -1.0, 2.0]), 2.0)

    np.testing.assert_allclose(far, [2.0, 0.0, -3.0])


@pytest.mark.parametrize(
    "name", ["correlation_drop", "prefers_better", "copy_penalty", "identity", "empty_text"]
)
def test_expectations_about_people_or_whole_texts_say_nothing_of_one_score(name):
    settings = {"at_most": 0.1} if name in ("correlation_drop", "copy_penalty") else {}
    settings |= {"at_least": 0.5} if name == "prefers_better" else {}

    assert EXPECTATIONS[name](**settings).text_limits is None


def test_only_the_copy_penalty_is_about_copies():
    about = {name for name, model in EXPECTATIONS.items() if model.about_copies}

    assert about == {"copy_penalty"}
