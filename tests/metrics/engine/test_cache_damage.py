"""A score cache whose file is damaged, of another program, or cannot be written."""

import sqlite3

import numpy as np
import pytest
from odd_pairs import PAIRS, SCORES

from shakeproof.metrics.engine.cache import Cache
from shakeproof.metrics.engine.database import CacheError


def renewed(path, pairs):
    """Read and write once more, whatever state the file is in."""
    with Cache(path) as cache:
        cache.get_many("m", pairs)
        cache.put_many("m", pairs, np.ones(len(pairs)))
        return cache.get_many("m", pairs)


def damage(path, how):
    content = path.read_bytes()
    match how:
        case "garbage":
            path.write_bytes(b"not a database at all" * 1000)
        case "header":
            path.write_bytes(b"\0" * 100 + content[100:])
        case "cut":
            path.write_bytes(content[: len(content) // 2])
        case "pages":
            path.write_bytes(content[:4096] + b"\xff" * (len(content) - 4096))


@pytest.mark.parametrize("how", ["garbage", "header", "cut", "pages"])
def test_a_damaged_file_is_set_aside_and_rebuilt(path, how):
    pairs = [(str(n), "r") for n in range(5_000)]
    with Cache(path) as cache:
        cache.put_many("m", pairs, np.zeros(5_000))
    damage(path, how)
    with pytest.warns(UserWarning, match=r"set aside as 'scores\.sqlite\.damaged-1'"):
        scores, known = renewed(path, pairs)

    assert known.all()
    assert scores.all()
    assert path.with_name("scores.sqlite.damaged-1").exists()


def test_damage_while_open_is_repaired_and_a_second_file_set_aside(path):
    path.parent.mkdir()
    path.with_name("scores.sqlite.damaged-1").touch()
    pairs = [(str(n), "r") for n in range(5_000)]
    with Cache(path) as cache:
        cache.put_many("m", pairs, np.zeros(5_000))
    with Cache(path) as cache:
        damage(path, "pages")
        with pytest.warns(UserWarning, match="damaged-2"):
            cache.put_many("m", PAIRS, SCORES)
        _, known = cache.get_many("m", PAIRS)

    assert known.all()


def test_a_file_of_another_layout_is_set_aside(path):
    Cache(path).close()
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 0")
    connection.close()
    with pytest.warns(UserWarning, match="its tables are of version 0"):
        Cache(path).close()

    assert path.exists()


def test_the_database_of_another_program_is_left_alone(tmp_path):
    path = tmp_path / "bookmarks.sqlite"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE bookmarks (name)")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(CacheError, match="another program"):
        Cache(path)

    assert path.read_bytes() == before


def test_an_unusable_path_is_one_clear_line(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(CacheError, match=r"cannot use .* as score cache") as caught:
        Cache(tmp_path / "file" / "scores.sqlite")

    assert "\n" not in str(caught.value)


def test_a_file_that_cannot_be_written_is_one_clear_line(path):
    Cache(path).close()
    with Cache(path) as cache:
        cache._database._connection.execute("PRAGMA query_only = ON")
        with pytest.raises(CacheError, match="readonly database"):
            cache.put_many("m", PAIRS, SCORES)
