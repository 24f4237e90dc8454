"""Scores and token matrices come back from the cache as stored, and no text can be read in it."""

import math
import sqlite3
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from odd_pairs import PAIRS, SCORES

from shakeproof.metrics.engine import queries
from shakeproof.metrics.engine.cache import Cache, key
from shakeproof.metrics.engine.database import CacheError


@pytest.mark.parametrize("on_disk", [True, False], ids=["file", "memory"])
def test_scores_come_back_exactly(path, on_disk):
    with Cache(path if on_disk else None) as cache:
        cache.put_many("m", PAIRS, SCORES)
        scores, known = cache.get_many("m", PAIRS)

    assert known.all()
    assert scores.tolist() == SCORES.tolist()


def test_a_new_process_finds_the_scores(path):
    with Cache(path) as cache:
        cache.put_many("m", PAIRS, SCORES)
    with Cache(path) as cache:
        scores, known = cache.get_many("m", list(reversed(PAIRS)))

    assert known.all()
    assert scores.tolist() == SCORES.tolist()[::-1]


def test_what_was_never_scored_is_unknown():
    with Cache() as cache:
        cache.put_many("m", PAIRS[:2], SCORES[:2])
        scores, known = cache.get_many("m", PAIRS[1:3])
        _, other = cache.get_many("another", PAIRS)

    assert known.tolist() == [True, False]
    assert scores[0] == -2.5
    assert not other.any()


def test_nothing_asked_is_nothing_known():
    with Cache() as cache:
        scores, known = cache.get_many("m", [])

    assert scores.shape == known.shape == (0,)


def test_a_score_that_is_not_a_number_is_known_all_the_same():
    with Cache() as cache:
        cache.put_many("m", PAIRS[:1], np.array([np.nan]))
        scores, known = cache.get_many("m", PAIRS[:1])

    assert known.all()
    assert np.isnan(scores).all()


def test_the_first_score_of_a_tuple_stays():
    with Cache() as cache:
        cache.put_many("m", PAIRS[:1], np.array([1.0]))
        cache.put_many("m", PAIRS[:1], np.array([2.0]))
        scores, _ = cache.get_many("m", PAIRS[:1])

    assert scores.tolist() == [1.0]


@pytest.mark.parametrize("scanned", [0, 3], ids=["looked up", "read in order"])
def test_more_keys_than_one_query_takes_are_found(scanned, monkeypatch):
    monkeypatch.setattr(queries, "ROWS_PER_LOOKUP", scanned)
    pairs = [(str(n), "r") for n in range(9_001)]
    with Cache() as cache:
        cache.put_many("m", pairs, np.arange(9_001.0))
        scores, known = cache.get_many("m", pairs)

    assert known.all()
    assert scores.tolist() == list(range(9_001))


@pytest.mark.parametrize("count", [1, 40, 90, 100])
def test_few_or_many_of_the_scores_may_be_looked_up(count):
    pairs = [(str(n), "r") for n in range(100)]
    with Cache() as cache:
        cache.put_many("m", pairs[:90], np.arange(90.0))
        cache.put_many("n", pairs, np.zeros(100))
        found = cache.find({"m": pairs[-count:], "unheard-of": pairs[:1]})

    assert found["m"] == {(str(n), "r"): float(n) for n in range(100 - count, 90)}
    assert found["unheard-of"] == {}


def test_scores_of_several_signatures_are_kept_together():
    with Cache() as cache:
        cache.put(PAIRS, {"m": SCORES, "n": -SCORES})
        found = cache.find({"n": PAIRS[:2], "m": PAIRS[1:]})

    assert found == {
        "n": dict(zip(PAIRS[:2], [-0.1, 2.5], strict=True)),
        "m": dict(zip(PAIRS[1:], SCORES[1:].tolist(), strict=True)),
    }


def test_of_several_signatures_all_are_kept_or_none():
    with Cache() as cache:
        with pytest.raises(CacheError):
            cache.put(PAIRS[:1], {"m": np.array([1.0]), "n": np.array([{}])})

        assert cache.info().scores == {}


@given(
    first=st.lists(st.text(max_size=3), max_size=4),
    second=st.lists(st.text(max_size=3), max_size=4),
)
def test_only_equal_tuples_share_a_key(first, second):
    assert (key(tuple(first)) == key(tuple(second))) == (first == second)


def test_a_lone_surrogate_has_a_key():
    assert key(("\ud800",)) != key(("\ufffd",))


def test_no_text_is_stored_in_clear(path):
    with Cache(path) as cache:
        cache.put_many("m", [("a very secret sentence", "another secret")], np.array([0.5]))

    for file in path.parent.iterdir():
        assert b"secret" not in file.read_bytes()


def test_token_matrices_come_back_by_signature_and_texts(path):
    with Cache(path) as cache:
        cache.put_matrices("m", {("a", "b"): b"matrix", ("\ud800", ""): b""})
    with Cache(path) as cache:
        known = cache.find_matrices("m", [("a", "b"), ("\ud800", ""), ("b", "a")])
        cache.clear()

        assert known == {("a", "b"): b"matrix", ("\ud800", ""): b""}
        assert cache.find_matrices("n", [("a", "b")]) == {}
        assert cache.find_matrices("m", [("a", "b")]) == {}


def test_a_token_matrix_cannot_be_read_without_its_texts(path):
    with Cache(path) as cache:
        cache.put_matrices("m", {("secret", "words"): b'{"candidate": ["secret"]}'})

    stored = b"".join(file.read_bytes() for file in path.parent.iterdir())
    assert b"secret" not in stored
    assert b"candidate" not in stored


def test_a_cache_of_an_earlier_version_has_room_for_token_matrices(path):
    with Cache(path):
        pass
    with sqlite3.connect(path) as connection:
        connection.execute("DROP TABLE matrices")
    with Cache(path) as cache:
        cache.put_matrices("m", {("a", "b"): b"matrix"})

        assert cache.find_matrices("m", [("a", "b")]) == {("a", "b"): b"matrix"}


def test_info_counts_scores_and_bytes(path):
    with Cache(path) as cache:
        cache.put_many("m", PAIRS, SCORES)
        cache.put_many("n", PAIRS[:1], SCORES[:1])
        info = cache.info()

    assert info.path == path
    assert info.scores == {"m": 5, "n": 1}
    assert info.bytes > 0


def test_clear_forgets_and_shrinks(path):
    pairs = [(str(n), "r") for n in range(20_000)]
    with Cache(path) as cache:
        cache.put_many("m", pairs, np.zeros(20_000))
    before = path.stat().st_size
    with Cache(path) as cache:
        cache.clear()
        info = cache.info()

    assert info.scores == {}
    assert path.stat().st_size < before / 10


def test_merge_takes_over_what_is_unknown(path, tmp_path):
    with Cache(tmp_path / "other.sqlite") as other:
        other.put_many("m", PAIRS[:2], np.array([7.0, np.nan]))
        other.put_many("n", PAIRS[:1], np.array([8.0]))
    with Cache(path) as cache:
        cache.put_many("m", PAIRS[:1], np.array([1.0]))
        cache.merge(tmp_path / "other.sqlite")
        scores, known = cache.get_many("m", PAIRS[:2])

        assert known.all()
        assert scores[0] == 1.0
        assert math.isnan(scores[1])
        assert cache.info().scores == {"m": 2, "n": 1}


def test_merging_a_missing_file_is_refused(path):
    with Cache(path) as cache, pytest.raises(CacheError, match="no score cache 'nowhere'"):
        cache.merge(Path("nowhere"))


def test_keys_are_forgotten_once_there_are_many(monkeypatch):
    monkeypatch.setattr("shakeproof.metrics.engine.cache.MAX_KEYS", 2)
    tuples = [("a", "b"), ("c", "d"), ("e", "f")]
    with Cache() as cache:
        cache.put_many("one", tuples, np.array([0.1, 0.2, 0.3]))
        first, again = (cache.get_many("one", tuples)[0].tolist() for _ in range(2))

        assert not cache._keys
    assert first == again == [0.1, 0.2, 0.3]
