"""Scorers that ask a service, run by the engine: stored at once, counted, never in a worker."""

import sqlite3
from contextlib import closing
from dataclasses import dataclass, field

import pytest

from shakeproof.metrics.asking import Answer, Usage
from shakeproof.metrics.engine.cache import Cache
from shakeproof.metrics.engine.database import CacheError
from shakeproof.metrics.engine.engine import Engine, MissingScores
from shakeproof.metrics.engine.executors.recipes import Recipe, find_sources
from shakeproof.metrics.engine.schedule import ASKED_TOGETHER
from shakeproof.metrics.failures import Failure, RatingFailed
from shakeproof.metrics.formulas import BestReference, PairwiseScorer
from shakeproof.metrics.protocols import Instance, column_of
from shakeproof.metrics.settings import Settings


@dataclass(frozen=True)
class Asks:
    """Answers with the length of the first text; ends after so many answers."""

    signature: str = "asks"
    ends_after: int | None = None
    error: BaseException = field(default_factory=KeyboardInterrupt, compare=False)
    asked: list = field(default_factory=list, compare=False)

    def score(self, tuples):
        raise AssertionError("the engine asks")

    def ask(self, tuples, answers):
        self.asked.append(list(tuples))
        scores = []
        for position, texts in enumerate(tuples):
            if position == self.ends_after:
                raise self.error
            if "bad" in texts[0]:
                answers.note_unusable("m", Usage(2, 8, 4))
                scores.append(Failure("no answer"))
                continue
            answers.keep([Answer(position, float(len(texts[0])), "m", 10, 1)])
            scores.append(float(len(texts[0])))
        return column_of(scores)


def rated(*candidates):
    return [Instance(candidate, ("ref",)) for candidate in candidates]


def fill(engine, scorer, instances):
    metric = BestReference(scorer)
    return metric, engine.fill([(metric, instance)] for instance in instances)


def test_answers_are_scores_and_their_cost_is_counted():
    engine = Engine(Cache())
    instances = rated("one", "three", "bad")
    metric, errors = fill(engine, Asks(), instances)

    assert not errors
    assert engine.read(metric, instances[:2]).tolist() == [3.0, 5.0]
    assert engine.failure(metric, instances[2]) == Failure("no answer")
    assert engine.usage() == {"asks": {"m": Usage(4, 28, 6)}}


def test_what_an_interrupted_run_paid_for_is_kept(tmp_path):
    with Cache(tmp_path / "s.sqlite") as cache, pytest.raises(KeyboardInterrupt):
        fill(Engine(cache), Asks(ends_after=2), rated("a", "bb", "ccc"))
    with Cache(tmp_path / "s.sqlite") as cache:
        scorer, engine = Asks(), Engine(cache)
        fill(engine, scorer, rated("a", "bb", "ccc"))

        assert scorer.asked == [[("ccc", "ref")]]
        assert engine.usage() == {"asks": {"m": Usage(3, 30, 3)}}
        assert engine.used() == {"asks": {"m": Usage(1, 10, 1)}}


def test_a_scorer_that_gives_up_is_an_error_even_if_it_worked_before():
    engine = Engine(Cache())
    fill(engine, Asks(), rated("a"))
    failed = RatingFailed(Failure("the server is gone"), permanent=True)
    metric, errors = fill(engine, Asks(ends_after=1, error=failed), rated("a", "bb", "ccc"))

    assert errors == {"asks": "the server is gone"}
    assert engine.read(metric, rated("a", "bb")).tolist() == [1.0, 2.0]
    with pytest.raises(MissingScores, match="the server is gone"):
        engine.read(metric, rated("ccc"))


def test_a_scorer_that_raises_is_asked_once():
    scorer = Asks(ends_after=0, error=ZeroDivisionError("our mistake"))
    _, errors = fill(Engine(Cache()), scorer, rated("a", "bb", "ccc"))

    assert errors == {"asks": "ZeroDivisionError: our mistake"}
    assert len(scorer.asked) == 1


def test_a_cache_that_cannot_be_written_ends_the_run():
    scorer = Asks(ends_after=0, error=CacheError("no space"))
    with pytest.raises(CacheError):
        fill(Engine(Cache()), scorer, rated("a", "bb"))

    assert len(scorer.asked) == 1


def test_another_process_of_the_run_does_not_ask_what_was_given_up(tmp_path):
    with Cache(tmp_path / "s.sqlite") as cache:
        engine, other, scorer = Engine(cache), Engine(cache), Asks()
        failed = RatingFailed(Failure("the server is gone", "a text"), permanent=True)
        fill(engine, Asks(ends_after=1, error=failed), rated("a", "bb"))
        _, errors = fill(other, scorer, rated("a", "bb"))

    assert errors == {"asks": "the server is gone"}
    assert scorer.asked == []


def test_what_a_run_spent_counts_all_its_processes(tmp_path):
    with Cache(tmp_path / "s.sqlite") as cache:
        fill(Engine(cache), Asks(), rated("before"))
        engine, other = Engine(cache), Engine(cache)
        fill(other, Asks(), rated("a", "bb"))

        assert engine._usage.since_start(["asks", "unknown"]) == Usage(2, 20, 2)


def test_questions_of_several_blocks_are_asked_together():
    scorer, count = Asks(), ASKED_TOGETHER + 500
    engine = Engine(Cache(), block_characters=1_000)
    fill(engine, scorer, rated(*(f"number {number:5}" for number in range(count))))

    assert sum(map(len, scorer.asked)) == count
    assert len(scorer.asked) == 2
    assert len(scorer.asked[0]) >= ASKED_TOGETHER


def test_no_worker_gets_a_scorer_that_asks():
    metrics = {
        "asks": BestReference(Asks()),
        "computes": BestReference(PairwiseScorer("pairs", lambda _, __: 0.5)),
    }
    recipe = Recipe(dict.fromkeys(metrics), Settings(), rated("a")[0])

    assert find_sources([(recipe, metrics)]) == {"pairs": (0, "computes")}


def test_merging_adds_usage_once_however_often(tmp_path):
    with Cache(tmp_path / "other.sqlite") as other:
        fill(Engine(other), Asks(), rated("a", "bb"))
    with Cache(tmp_path / "s.sqlite") as cache:
        fill(Engine(cache), Asks(), rated("ccc"))
        for _ in range(2):
            cache.merge(tmp_path / "other.sqlite")

        assert cache.info().usage == {"asks": {"m": Usage(3, 30, 3)}}
        assert cache.info().scores == {"asks": 3}


def test_clearing_a_cache_forgets_what_answers_cost(tmp_path):
    with Cache(tmp_path / "s.sqlite") as cache:
        fill(Engine(cache), Asks(), rated("a"))
        cache.clear()

        assert cache.info().usage == {}


def test_a_cache_of_an_older_version_gets_the_table_when_it_is_opened(tmp_path):
    with Cache(tmp_path / "s.sqlite"):
        pass
    with closing(sqlite3.connect(tmp_path / "s.sqlite")) as connection:
        connection.execute("DROP TABLE usage")
        connection.commit()
    with Cache(tmp_path / "s.sqlite") as cache:
        fill(Engine(cache), Asks(), rated("a"))

        assert cache.info().usage == {"asks": {"m": Usage(1, 10, 1)}}


def test_models_are_those_whose_answers_gave_scores():
    cache = Cache()
    fill(Engine(cache), Asks(), rated("bad"))
    before = cache.scored_models("asks")
    fill(Engine(cache), Asks(), rated("good"))

    assert before == frozenset()
    assert cache.scored_models("asks") == {"m"}
