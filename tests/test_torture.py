"""tools/torture: a line for each campaign, and an exit code that tells whether a promise broke."""

import sqlite3
import sys
from random import Random

import pytest
from torture import __main__ as runner
from torture.campaign import Report
from torture.fuzzers import mutated
from torture.programs import TIMED_OUT, run
from torture.projects import half_written, scores_of, segment, write_project

from shakeproof.spec.read import load


@pytest.fixture
def campaigns(monkeypatch, tmp_path):
    """Two campaigns, one of which breaks a promise."""
    reports = {"good": Report("3 kills"), "bad": Report("1 kill", ("1 lost",))}
    chosen = {name: (lambda _, name=name: reports[name], 0) for name in reports}
    monkeypatch.setattr(runner, "CAMPAIGNS", chosen)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))


@pytest.mark.parametrize(("only", "code"), [("good", 0), ("bad", 1)])
def test_the_exit_code_tells_whether_a_promise_broke(campaigns, monkeypatch, capsys, only, code):
    monkeypatch.setattr(sys, "argv", ["torture", "--only", only])

    assert runner.main() == code
    first, *rest = capsys.readouterr().out.splitlines()
    assert first.split()[:2] == [only, "holds" if code == 0 else "BROKEN"]
    assert bool(rest) == bool(code)


def test_a_program_is_measured_and_ended_after_its_time(tmp_path):
    code = "print('x', flush=True); import time; time.sleep(99)"
    ended = run([sys.executable, "-c", code], tmp_path, seconds=2)

    assert (ended.code, ended.last_line) == (TIMED_OUT, "x")
    assert ended.megabytes > 1


def test_a_mutation_depends_on_its_random_stream_alone():
    content = b'{"id": "1", "candidates": [{"text": "a"}]}'

    assert mutated(content, Random(3)) == mutated(content, Random(3))
    assert any(mutated(content, Random(seed)) != content for seed in range(3))


def test_the_project_of_the_campaigns_is_valid(tmp_path):
    write_project(tmp_path, segments=2)

    assert len(load(tmp_path / "c0.checklist.yaml").checks) == 2
    assert segment(3) == segment(3)


def test_a_half_written_output_is_found(tmp_path):
    (tmp_path / "run.json").write_text('{"a": ')
    (tmp_path / "whole.json").write_text("{}")
    (tmp_path / "page.html").write_text("<html>")

    assert sorted(half_written(tmp_path)) == ["page.html", "run.json"]


def test_a_cache_without_tables_is_sound_and_one_of_other_bytes_is_not(tmp_path):
    empty, broken = tmp_path / "empty.sqlite", tmp_path / "broken.sqlite"
    sqlite3.connect(empty).execute("PRAGMA journal_mode = WAL")
    broken.write_bytes(b"no database" * 99)

    assert scores_of(empty) == {}
    with pytest.raises(sqlite3.DatabaseError):
        scores_of(broken)
