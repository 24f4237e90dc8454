"""One tuple that fails costs one score; a scorer that always fails is one error, soon."""

from dataclasses import dataclass, field

import numpy as np
import pytest

from shakeproof.metrics.engine.cache import Cache
from shakeproof.metrics.engine.engine import Engine, MissingScores
from shakeproof.metrics.failures import Failure, RatingFailed
from shakeproof.metrics.formulas import BestReference
from shakeproof.metrics.protocols import Instance, ScoreColumn


@dataclass(frozen=True)
class Fragile:
    """Rates a text by its length; a batch with a bad text fails."""

    bad: frozenset = frozenset()
    hint: bool = False  # says which tuple failed
    timed_out: bool = False
    signature: str = "fragile"
    batches: list = field(default_factory=list, compare=False)

    def score(self, tuples):
        return self.score_column(tuples).scores

    def score_column(self, tuples):
        texts = [texts[0] for texts in tuples]
        self.batches.append(len(texts))
        for position, text in enumerate(texts):
            if text in self.bad:
                raise RatingFailed(
                    Failure("Oops", text),
                    position=position if self.hint else None,
                    timed_out=self.timed_out,
                )
        return ScoreColumn(np.array([float(len(text)) for text in texts]))


TEXTS = ["x" * (n + 1) for n in range(100)]


def fill(scorer, texts=TEXTS, cache=None, **settings):
    """Fill an engine with one block; return it with errors, and the metric with its instances."""
    metric = BestReference(scorer)
    instances = [Instance(text, ("r",)) for text in texts]
    engine = Engine(cache or Cache(), **settings)
    errors = engine.fill([[(metric, instance) for instance in instances]])
    return engine, errors, metric, instances


def expected(bad, texts=TEXTS):
    return [np.nan if text in bad else float(len(text)) for text in texts]


@pytest.mark.parametrize("hint", [True, False], ids=["position known", "position unknown"])
@pytest.mark.parametrize(
    "numbers",
    [
        pytest.param([37], id="one"),
        pytest.param([0], id="the first"),
        pytest.param([99], id="the last"),
        pytest.param([0, 24, 49, 74, 98], id="most that are tried alone"),
        pytest.param(range(20, 60), id="many in a row"),
        pytest.param(range(0, 100, 2), id="every other"),
    ],
)
def test_only_the_tuples_that_fail_have_no_score(numbers, hint):
    bad = frozenset(TEXTS[number] for number in numbers)
    engine, errors, metric, instances = fill(Fragile(bad, hint))

    assert errors == {}
    np.testing.assert_equal(engine.read(metric, instances).tolist(), expected(bad))
    failed = next(instance for instance in instances if instance.candidate in bad)
    assert engine.failure(metric, failed) == Failure("Oops", failed.candidate)


@pytest.mark.parametrize(("hint", "most"), [(True, 5), (False, 17)])
def test_the_one_that_fails_is_found_with_few_batches(hint, most):
    scorer = Fragile(frozenset([TEXTS[37]]), hint)
    fill(scorer)

    assert len(scorer.batches) <= most


def test_a_scorer_that_always_fails_is_given_up_after_five_tuples():
    scorer = Fragile(frozenset(TEXTS))
    engine, errors, metric, instances = fill(scorer)

    assert errors == {"fragile": "Oops: x"}
    assert scorer.batches == [100, 1, 1, 1, 1, 1]
    with pytest.raises(MissingScores, match=r"^Oops: x+ \(100 of 100 scores"):
        engine.read(metric, instances)


def test_a_scorer_that_always_takes_too_long_is_given_up_after_two_tuples():
    scorer = Fragile(frozenset(TEXTS), timed_out=True)
    _, errors, *_ = fill(scorer)

    assert errors == {"fragile": "Oops: x"}
    assert scorer.batches == [100, 1, 1]


def test_a_scorer_that_fails_on_each_of_few_tuples_is_an_error():
    _, errors, *_ = fill(Fragile(frozenset(TEXTS)), TEXTS[:2])

    assert errors == {"fragile": "Oops: x"}


def test_scorers_of_a_model_that_fails_are_given_up_one_after_the_other():
    @dataclass(frozen=True)
    class Layer:
        number: int
        batches: list
        group: str = "model"

        @property
        def signature(self):
            return f"layer {self.number}"

        def score(self, tuples):
            raise AssertionError("scorers of a group are scored together")

        def score_together(self, scorers, tuples):
            self.batches.append((len(scorers), len(tuples)))
            raise OSError("no weights")

    batches = []
    metrics = [BestReference(Layer(number, batches)) for number in range(3)]
    instances = [Instance(text, ("r",)) for text in TEXTS]
    errors = Engine(Cache()).fill([[(m, one) for one in instances for m in metrics]])

    assert set(errors.values()) == {"OSError: no weights"}
    assert batches == [(3, 100), (1, 100), *[(1, 1)] * 5, (1, 100), (1, 100)]


@pytest.mark.parametrize(
    ("scores", "reason"),
    [
        pytest.param(np.array(["0.5"]), "returned no number: '0.5'", id="texts"),
        pytest.param(np.array([True]), "returned no number: True", id="truth values"),
        pytest.param([None], "returned no number: None", id="nothing"),
    ],
)
def test_a_scorer_that_returns_no_numbers_is_an_error(scores, reason):
    @dataclass(frozen=True)
    class Wrong:
        signature: str = "wrong"

        def score(self, tuples):
            return scores

    _, errors, *_ = fill(Wrong(), TEXTS[:1])

    assert errors == {"wrong": reason}


def test_missing_scores_are_tried_again_in_the_next_run_and_others_are_not(tmp_path):
    bad = frozenset(TEXTS[:8])
    again = Fragile(bad)
    with Cache(tmp_path / "scores.sqlite") as cache:
        fill(Fragile(bad), cache=cache)
    with Cache(tmp_path / "scores.sqlite") as cache:
        engine, errors, metric, instances = fill(again, cache=cache)

        assert errors == {}  # it worked before, so what fails is single texts
        np.testing.assert_equal(engine.read(metric, instances).tolist(), expected(bad))
    assert again.batches[0] == 8
    with Cache(tmp_path / "scores.sqlite") as cache:
        engine, _, metric, instances = fill(Fragile(), cache=cache)

        assert engine.read(metric, instances).tolist() == expected(())


def test_a_tuple_that_failed_is_not_tried_again_in_the_same_run():
    scorer = Fragile(frozenset([TEXTS[3]]))
    engine, _, metric, instances = fill(scorer)
    scorer.batches.clear()
    engine.fill([[(metric, instance) for instance in instances]])

    assert engine.missing([[(metric, instance) for instance in instances]]) == 0
    assert scorer.batches == []


def test_another_process_of_the_run_does_not_try_again_what_failed(tmp_path):
    bad = frozenset(TEXTS[:8])
    path, other = tmp_path / "scores.sqlite", Fragile(bad)
    with Cache(path) as cache, Cache(path) as same_file:
        second = Engine(same_file)  # begun before the first one scores, as workers of xdist are
        fill(Fragile(bad), cache=cache)
        metric, instances = BestReference(other), [Instance(text, ("r",)) for text in TEXTS]
        errors = second.fill([[(metric, instance) for instance in instances]])

        assert errors == {}
        assert other.batches == []
        np.testing.assert_equal(second.read(metric, instances).tolist(), expected(bad))
        assert second.failure(metric, instances[0]) == Failure("Oops")  # no text in the file


def test_another_process_of_the_run_does_not_wait_for_a_scorer_that_takes_too_long(tmp_path):
    path, other = tmp_path / "scores.sqlite", Fragile(frozenset(TEXTS), timed_out=True)
    with Cache(path) as cache, Cache(path) as same_file:
        second = Engine(same_file)
        fill(Fragile(frozenset(TEXTS), timed_out=True), cache=cache)
        errors = second.fill([[(BestReference(other), Instance(text, ("r",))) for text in TEXTS]])

        assert errors == {"fragile": "Oops"}
        assert other.batches == []


def test_scores_that_are_not_finite_are_known_in_the_next_run(tmp_path):
    @dataclass(frozen=True)
    class Undefined(Fragile):
        def score_column(self, tuples):
            column = super().score_column(tuples)
            column.scores[0], column.scores[1] = np.nan, np.inf
            return ScoreColumn(column.scores, {0: Failure("returned nan")})

    again = Undefined()
    with Cache(tmp_path / "scores.sqlite") as cache:
        fill(Undefined(), cache=cache)
    with Cache(tmp_path / "scores.sqlite") as cache:
        engine, _, metric, instances = fill(again, cache=cache)

        assert again.batches == []
        assert engine.failure(metric, instances[0]) == Failure("returned nan")
        assert engine.failure(metric, instances[1]) == Failure("returned inf")


def test_a_formula_that_raises_for_one_instance_has_no_number_for_it():
    @dataclass(frozen=True)
    class Inverse:
        scorer: Fragile
        signature: str = "inverse"
        requires: frozenset = frozenset()

        def needs(self, instance):
            return [(self.scorer, (instance.candidate,))]

        def combine(self, instance, scores):
            return 1 / (scores[0] - 1)

    metric, instances = Inverse(Fragile()), [Instance("a"), Instance("bb")]
    engine = Engine(Cache())
    engine.fill([[(metric, instance) for instance in instances]])

    np.testing.assert_equal(engine.read(metric, instances).tolist(), [np.nan, 1.0])
    failure = engine.failure(metric, instances[0])
    assert failure.reason == "ZeroDivisionError: float division by zero"
    assert "in combine" in failure.traceback
