"""The state of a score cache is found without changing anything."""

import sqlite3
from pathlib import Path

import numpy as np
import pytest

from shakeproof.metrics.engine.cache import Cache
from shakeproof.metrics.engine.cache_state import find_cache_state
from shakeproof.metrics.engine.database import VERSION


def fill(path):
    """Store three scores of two scorers."""
    with Cache(path) as cache:
        cache.put_many("m", [("a", "b"), ("a", "c")], np.array([0.5, 0.25]))
        cache.put_many("n", [("a", "b")], np.array([1.0]))


def change(path, statement):
    """Execute a statement on the file."""
    connection = sqlite3.connect(path)
    connection.execute(statement)
    connection.commit()
    connection.close()


def test_scores_of_all_scorers_are_counted(path):
    fill(path)
    state = find_cache_state(path)

    assert (state.exists, state.writable, state.scores, state.problem) == (True, True, 3, "")
    assert state.bytes >= path.stat().st_size


def test_a_cache_that_does_not_exist_is_not_created(path):
    state = find_cache_state(path)

    assert (state.exists, state.writable, state.scores, state.problem) == (False, True, 0, "")
    assert not path.parent.exists()


def test_a_cache_below_a_file_cannot_be_created(tmp_path):
    (tmp_path / "file").touch()

    assert not find_cache_state(tmp_path / "file" / "scores.sqlite").writable


def test_a_damaged_cache_is_left_as_it_is(path):
    fill(path)
    path.write_bytes(b"no database" * 500)
    state = find_cache_state(path)

    assert state.problem == "file is not a database"
    assert path.read_bytes() == b"no database" * 500
    assert [file.name for file in path.parent.iterdir()] == [path.name]


@pytest.mark.parametrize(
    ("statement", "problem"),
    [
        pytest.param("PRAGMA application_id = 1", "another program", id="another program"),
        pytest.param(f"PRAGMA user_version = {VERSION + 1}", "newer shakeproof", id="newer"),
    ],
)
def test_a_database_that_is_not_of_this_version_is_a_problem(path, statement, problem):
    fill(path)
    change(path, statement)

    assert problem in find_cache_state(path).problem


def test_a_folder_that_may_not_be_looked_into_is_a_problem(path, monkeypatch):
    def refuse(_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "exists", refuse)
    state = find_cache_state(path)

    assert (state.writable, state.problem) == (False, "permission denied")


def test_a_folder_in_place_of_the_cache_is_a_problem(path):
    path.mkdir(parents=True)

    assert find_cache_state(path).problem
