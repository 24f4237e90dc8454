"""A score cache or an output that cannot be written: one clear line, and nothing half-written."""

import sqlite3

import pytest

from shakeproof.metrics.engine import database
from shakeproof.metrics.engine.cache import Cache
from shakeproof.results import ERRORS


@pytest.fixture
def small_disk(monkeypatch):
    """Limit caches to so many pages of 4 kB, as a full disk does."""

    def limit(pages):
        def open_limited(name, open_cache=database._open):
            connection = open_cache(name)
            connection.execute(f"PRAGMA max_page_count = {pages}")
            return connection

        monkeypatch.setattr(database, "_open", open_limited)

    return limit


def lines_with(result, words):
    return [line for line in result.outlines if words in line]


def test_a_disk_that_is_full_during_scoring_is_one_clear_line_for_each_check(project, small_disk):
    project.write()
    small_disk(8)
    result = project.runpytest("--shakeproof-json=run.json", "--tb=long")
    messages = {entry["message"] for entry in project.read_json()["results"]}

    assert result.ret == ERRORS
    assert len(messages) == 1
    assert messages.pop().endswith(
        "database or disk is full; the scores so far are kept: free some disk space and run again"
    )
    assert lines_with(result, "database.py") == lines_with(result, "Traceback") == []


def test_scores_from_before_the_disk_was_full_are_kept(project, small_disk):
    project.write()
    project.runpytest("-k", "uncased")
    path = project.path / ".shakeproof" / "scores.sqlite"
    with Cache(path) as cache:
        before = cache.info().scores
    small_disk(1)
    project.runpytest()

    with Cache(path) as cache:
        assert cache.info().scores == before


def test_a_disk_that_is_full_during_the_search_is_one_clear_line(project, monkeypatch):
    project.write()
    project.runpytest("--shakeproof-search=0")
    monkeypatch.setattr(
        "shakeproof.metrics.engine.cache.insert", raising(sqlite3.OperationalError("disk full"))
    )
    result = project.runpytest("--tb=long")

    assert lines_with(result, "disk full") != []
    assert lines_with(result, "cache.py") == []


def raising(error):
    def function(*_):
        raise error

    return function


def test_a_cache_that_cannot_be_opened_is_one_line_at_collection(project):
    project.write()
    (project.path / "file").touch()
    result = project.runpytest("--shakeproof-cache=file/scores.sqlite")

    assert len(lines_with(result, "cannot use")) == 1
    assert lines_with(result, "database.py") == []


def test_a_cache_of_a_newer_version_is_left_alone(project):
    project.write()
    project.runpytest("-k", "uncased")
    path = project.path / ".shakeproof" / "scores.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 9")
    connection.close()
    result = project.runpytest()
    names = [file.name for file in path.parent.iterdir()]

    assert len(lines_with(result, "is the score cache of a newer shakeproof")) == 1
    assert "name another cache file" in lines_with(result, "newer shakeproof")[0]
    assert not any("damaged" in name for name in names)


def test_a_lock_that_cannot_be_taken_is_one_line(project):
    project.write()
    (project.path / "scores.sqlite.lock").mkdir()
    result = project.runpytest("--shakeproof-cache=scores.sqlite", "--shakeproof-json=run.json")

    assert result.ret == ERRORS
    assert {"cannot lock" in entry["message"] for entry in project.read_json()["results"]} == {True}
    assert lines_with(result, "Traceback") == lines_with(result, "cache.py") == []
