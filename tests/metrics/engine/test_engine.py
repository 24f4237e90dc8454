"""The engine rates each tuple once, in blocks, and keeps what it knows."""

import gc
from dataclasses import dataclass, field

import numpy as np
import pytest

from shakeproof.metrics.engine import memory
from shakeproof.metrics.engine.cache import Cache
from shakeproof.metrics.engine.engine import Engine, MissingScores
from shakeproof.metrics.engine.jobs import Job, blocks
from shakeproof.metrics.formulas import AllReferences, BestReference, Computed, ReferenceFree
from shakeproof.metrics.protocols import Instance, ScoreColumn


@dataclass(frozen=True)
class Lengths:
    """Rates a tuple by its characters, and remembers the tuples."""

    signature: str = "lengths"
    calls: list = field(default_factory=list, compare=False)

    def score(self, tuples):
        self.calls.append(list(tuples))
        return np.array([float(sum(map(len, texts))) for texts in tuples])


@dataclass(frozen=True)
class Layer:
    """One of several that share a pass over the texts."""

    layer: int
    broken: bool = False
    calls: list = field(default_factory=list, compare=False)
    group: str = "model"

    @property
    def signature(self):
        return f"{self.group}-{self.layer}"

    def score(self, tuples):
        raise AssertionError("scorers of a group are scored together")

    def score_together(self, scorers, tuples):
        self.calls.append(([scorer.layer for scorer in scorers], list(tuples)))
        if any(scorer.broken for scorer in scorers):
            raise RuntimeError("no such\nlayer")
        return np.array([[len(texts[0]) * scorer.layer for scorer in scorers] for texts in tuples])


@dataclass(frozen=True)
class Broken:
    signature: str = "broken"
    error: BaseException = field(default_factory=lambda: ValueError("wrong\nmodel"))

    def score(self, tuples):
        raise self.error


def instance(candidate, *references, source=None):
    return Instance(candidate, references or ("ref",), source)


@pytest.fixture
def cache():
    with Cache() as cache:
        yield cache


def test_scores_reach_the_formula_in_the_order_of_the_instances(cache):
    metric = BestReference(Lengths())
    instances = [
        instance("a", "r", "rrr"),
        instance("abc", "r"),
        instance("a", "r", "rrr"),
        instance(""),
    ]
    engine = Engine(cache)
    errors = engine.fill([[(metric, each)] for each in instances])

    assert errors == {}
    assert engine.read(metric, instances).tolist() == [4.0, 4.0, 4.0, 3.0]


def test_no_tuple_is_scored_twice_across_metrics_and_segments(cache):
    scorer = Lengths()
    metrics = [BestReference(scorer), AllReferences(Lengths(calls=scorer.calls))]
    segment = [(metric, instance("a", "r")) for metric in metrics]
    engine = Engine(cache)
    engine.fill([segment, segment])
    engine.fill([segment])

    assert scorer.calls == [[("a", "r")]]


def test_the_next_run_scores_only_what_is_new(tmp_path):
    scorer = Lengths()
    metric = BestReference(scorer)
    with Cache(tmp_path / "scores.sqlite") as cache:
        Engine(cache).fill([[(metric, instance("a"))]])
    with Cache(tmp_path / "scores.sqlite") as cache:
        Engine(cache).fill([[(metric, instance("a"))], [(metric, instance("b"))]])

    assert scorer.calls == [[("a", "ref")], [("b", "ref")]]


def test_missing_counts_unique_tuples_and_scores_nothing(cache):
    scorer = Lengths()
    segments = [
        [(BestReference(scorer), instance("a", "r", "s"))],
        [(BestReference(scorer), instance("a", "s"))],
    ]
    engine = Engine(cache, block_characters=1)

    assert engine.missing(segments) == 2
    assert scorer.calls == []
    engine.fill(segments)
    assert engine.missing(segments) == 0


def test_scorers_of_one_group_are_scored_together(cache):
    calls = []
    metrics = [BestReference(Layer(layer, calls=calls)) for layer in (1, 2, 3)]
    engine = Engine(cache)
    engine.fill([[(metric, instance("abc")) for metric in metrics]])

    assert calls == [([1, 2, 3], [("abc", "ref")])]
    assert [engine.read(metric, [instance("abc")])[0] for metric in metrics] == [3, 6, 9]


def test_scorers_of_different_groups_are_scored_apart(cache):
    calls = []
    metrics = [BestReference(Layer(1, calls=calls, group=name)) for name in "ab"]
    Engine(cache).fill([[(metric, instance("abc")) for metric in metrics]])

    assert len(calls) == 2


def test_one_pass_serves_a_group_that_needs_other_pairs_of_the_same_texts(cache):
    calls = []
    deep, shallow = (BestReference(Layer(layer, calls=calls)) for layer in (6, 1))
    rated = instance("abc", "r", source="s")
    Engine(cache).fill([[(deep, rated), (ReferenceFree(deep), rated), (shallow, rated)]])

    assert calls == [([6, 1], [("abc", "r"), ("abc", "s")])]


def test_a_scorer_of_a_group_that_has_most_scores_already_does_not_repeat_them(cache):
    calls = []
    deep, shallow = (BestReference(Layer(layer, calls=calls)) for layer in (6, 1))
    instances = [instance(str(n), f"r{n}") for n in range(10)]
    engine = Engine(cache)
    engine.fill([[(deep, each)] for each in instances[:9]])
    calls.clear()
    engine.fill([[(metric, each) for each in instances for metric in (deep, shallow)]])

    assert sorted((layers, len(tuples)) for layers, tuples in calls) == [([1], 10), ([6], 1)]


def test_a_scorer_that_fails_leaves_the_others_alone(cache):
    good, bad = BestReference(Lengths()), BestReference(Broken())
    engine = Engine(cache)
    errors = engine.fill(
        [
            [(bad, instance("a")), (good, instance("a"))],
            [(bad, instance("b")), (good, instance("b"))],
        ]
    )

    assert errors == {"broken": "ValueError: wrong model"}
    assert engine.read(good, [instance("b")]).tolist() == [4.0]
    with pytest.raises(
        MissingScores, match=r"^ValueError: wrong model \(1 of 1 scores of 'broken'"
    ):
        engine.read(bad, [instance("a")])


def test_a_scorer_that_fails_leaves_its_group_alone(cache):
    calls = []
    good, bad = (BestReference(Layer(layer, broken=layer > 6, calls=calls)) for layer in (1, 7))
    engine = Engine(cache)
    errors = engine.fill([[(good, instance("abc")), (bad, instance("abc"))]])

    assert errors == {"model-7": "RuntimeError: no such layer"}
    assert engine.read(good, [instance("abc")]).tolist() == [3.0]


def test_a_scorer_that_failed_five_times_in_a_row_is_not_tried_again_in_later_blocks(cache):
    calls = []
    bad = BestReference(Layer(7, broken=True, calls=calls))
    Engine(cache, block_characters=1).fill([[(bad, instance(name))] for name in "abcdefghij"])

    assert len(calls) == 5


def test_a_scorer_that_returns_too_few_scores_fails(cache):
    @dataclass(frozen=True)
    class Forgetful(Lengths):
        def score(self, tuples):
            return super().score(tuples)[1:]

    errors = Engine(cache).fill([[(BestReference(Forgetful()), instance("a", "r", "s"))]])

    assert errors == {
        "lengths": "ValueError: 1 scores came back for 2 tuples of texts; each needs one"
    }


def test_no_score_is_looked_up_twice(counting_cache):
    metrics = [BestReference(Layer(layer)) for layer in (1, 2)]
    instances = [instance("abc", "r", "s"), instance("d")]
    with counting_cache() as cache:
        engine = Engine(cache)
        engine.fill([[(metric, each) for metric in metrics for each in instances]])
        engine.fill([[(metric, each) for metric in metrics for each in instances]])
        found = [engine.read(metric, instances).tolist() for metric in metrics]

    assert found == [[3, 1], [6, 2]]
    assert cache.lookups.total() == 6


def test_what_memory_has_no_room_for_is_looked_up_again(monkeypatch, counting_cache):
    monkeypatch.setattr(memory, "MAX_SCORES", 3)
    metric = BestReference(Lengths())
    instances = [instance("a" * n) for n in range(8)]
    with counting_cache() as cache:
        engine = Engine(cache, block_characters=8)
        engine.fill([[(metric, each)] for each in instances])
        filled = cache.lookups.total()
        found = engine.read(metric, instances)

    assert found.tolist() == [n + 3.0 for n in range(8)]
    assert filled < cache.lookups.total() < filled + len(instances)


def test_the_first_score_of_a_tuple_is_remembered_too(cache):
    """A scorer of a group may rate a tuple again; the score in the cache counts."""
    calls = []
    deep, shallow = (BestReference(Layer(layer, calls=calls)) for layer in (6, 1))
    instances = [instance(str(n), "r") for n in range(4)]
    cache.put_many("model-6", [("0", "r")], np.array([-5.0]))
    engine = Engine(cache)
    engine.fill([[(metric, each) for each in instances for metric in (deep, shallow)]])

    assert [(layers, len(tuples)) for layers, tuples in calls] == [([1, 6], 4)]
    assert engine.read(deep, instances).tolist() == Engine(cache).read(deep, instances).tolist()
    assert engine.read(deep, instances[:1]).tolist() == [-5.0]


def test_the_collector_is_as_it_was(cache):
    engine = Engine(cache)
    metric = BestReference(Lengths())
    engine.fill([[(metric, instance("a"))]])
    with pytest.raises(MissingScores):
        engine.read(metric, [instance("b")])

    assert gc.isenabled()


def test_reading_what_was_never_scored_says_so(cache):
    with pytest.raises(MissingScores, match="never scored"):
        Engine(cache).read(BestReference(Lengths()), [instance("a")])


def test_an_interrupted_run_keeps_the_blocks_before(cache):
    scorer = Lengths()
    good, killed = BestReference(scorer), BestReference(Broken(error=KeyboardInterrupt()))
    engine = Engine(cache, block_characters=1)
    with pytest.raises(KeyboardInterrupt):
        engine.fill([[(good, instance("a"))], [(good, instance("b")), (killed, instance("b"))]])

    assert engine.missing([[(good, instance("a"))]]) == 0


def test_a_metric_without_scorers_needs_no_cache(cache):
    metric = Computed("constant", frozenset(), lambda instance: 7.0)
    engine = Engine(cache)

    assert engine.fill([[(metric, instance("a"))]]) == {}
    assert engine.read(metric, [instance("a"), instance("b")]).tolist() == [7.0, 7.0]
    assert cache.info().scores == {}


def test_nothing_to_rate_is_an_empty_vector(cache):
    engine = Engine(cache)

    assert engine.fill([]) == {}
    assert engine.read(BestReference(Lengths()), []).shape == (0,)


def test_a_score_that_is_not_a_number_is_handed_on(cache):
    @dataclass(frozen=True)
    class Undefined(Lengths):
        def score(self, tuples):
            return np.full(len(tuples), np.nan)

    metric = BestReference(Undefined())
    engine = Engine(cache)
    engine.fill([[(metric, instance("a"))]])

    assert np.isnan(engine.read(metric, [instance("a")])).all()


def test_one_reference_whose_score_is_not_a_number_spoils_the_others():
    metric = BestReference(Lengths())

    assert np.isnan(metric.combine(instance("a", "r", "s"), [1.0, np.nan]))
    assert np.isnan(metric.combine(instance("a", "r", "s"), [np.nan, 1.0]))


def test_progress_names_the_scorer_and_counts_up_to_the_total(cache):
    reports = []
    metric = BestReference(Lengths())
    segments = [[(metric, instance("a"))], [(metric, instance("b", "r", "s"))]]
    engine = Engine(cache, progress=reports.append, block_characters=1)
    engine.fill(segments, total=engine.missing(segments))

    assert [(each.what, each.done, each.total) for each in reports] == [
        ("lengths", 0, 3),
        ("lengths", 1, 3),
        ("lengths", 1, 3),
        ("lengths", 3, 3),
    ]
    assert reports[-1].rate > 0


def test_progress_does_not_count_what_a_group_rates_again(cache):
    reports = []
    deep, shallow = (BestReference(Layer(layer)) for layer in (6, 1))
    instances = [instance(str(n), f"r{n}") for n in range(4)]
    engine = Engine(cache, progress=reports.append)
    engine.fill([[(deep, instances[0])]])
    work = [[(metric, each) for each in instances for metric in (deep, shallow)]]
    engine.fill(work, total=engine.missing(work))

    assert (reports[-1].done, reports[-1].total) == (7, 7)


def test_blocks_hold_whole_segments_up_to_a_number_of_characters():
    metric = BestReference(Lengths())
    segments = [[(metric, Instance("x" * size, ("r",), "s"))] for size in (3, 3, 50, 3)]

    assert [len(block) for block in blocks(segments, 10)] == [2, 1, 1]


def test_a_text_that_recurs_in_a_segment_counts_once_towards_its_block():
    metric = BestReference(Lengths())
    segment = [(metric, instance("x" * 8, "r"))] * 5

    assert [len(block) for block in blocks([segment, segment], 18)] == [10]


def test_another_executor_may_run_the_jobs(cache):
    seen = []

    def execute(job: Job):
        seen.append(job)
        return [ScoreColumn(np.zeros(len(job.tuples)))]

    metric = BestReference(Lengths())
    engine = Engine(cache, execute=execute)
    engine.fill([[(metric, instance("a"))]])

    assert seen == [Job((metric.scorer,), (("a", "ref"),))]
    assert engine.read(metric, [instance("a")]).tolist() == [0.0]
