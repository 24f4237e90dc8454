"""Files of users: limits on what is read, and writing completely or not at all."""

import os
import platform
import signal
import subprocess
import sys
import time

import pytest

from shakeproof.errors import SpecError
from shakeproof.files import ONE_DAY, Limit, read_bytes, write_text
from shakeproof.spec.read import load

LIMIT = Limit("SHAKEPROOF_MAX_TEST_MB", 1, "MB")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_file_above_the_limit_is_refused_with_the_way_to_raise_it(folder, monkeypatch):
    path = folder / "large"
    path.write_bytes(b"x" * 1_000_001)

    with pytest.raises(SpecError) as caught:
        read_bytes(path, megabytes=LIMIT)
    monkeypatch.setenv("SHAKEPROOF_MAX_TEST_MB", "2")

    assert str(caught.value) == (
        "large: more than 1 MB; to read it, set SHAKEPROOF_MAX_TEST_MB to a larger number"
    )
    assert len(read_bytes(path, megabytes=LIMIT)) == 1_000_001


def test_a_file_at_the_limit_is_read(folder):
    (folder / "file").write_bytes(b"x" * 1_000_000)

    assert len(read_bytes(folder / "file", megabytes=LIMIT)) == 1_000_000


@pytest.mark.parametrize("written", ["0", "-1", "1.5", "many"])
def test_a_limit_must_be_a_whole_number(folder, monkeypatch, written):
    monkeypatch.setenv("SHAKEPROOF_MAX_TEST_MB", written)
    (folder / "file").touch()

    with pytest.raises(SpecError, match="SHAKEPROOF_MAX_TEST_MB must be a whole number above 0"):
        read_bytes(folder / "file", megabytes=LIMIT)


@pytest.mark.parametrize(
    "bomb",
    [
        pytest.param(b"# " + b"x" * 50_000_000, id="comment"),
        pytest.param(b"- a\n" * 12_500_000, id="list"),
        pytest.param(b"a: |\n" + b"  y\n" * 1_250_000, id="short lines"),
    ],
)
def test_a_checklist_of_many_megabytes_is_refused_without_being_parsed(folder, monkeypatch, bomb):
    monkeypatch.setattr("shakeproof.spec.read.read_yaml", pytest.fail)
    path = folder / "bomb.checklist.yaml"
    path.write_bytes(bomb)

    with pytest.raises(SpecError, match="more than 1 MB; to read it, set SHAKEPROOF_MAX_CHECKLIST"):
        load(path)


def test_a_long_list_is_refused_before_all_of_it_is_read(folder, monkeypatch):
    monkeypatch.setattr("shakeproof.spec.positions.MAX_VALUES", 100)
    path = folder / "list.checklist.yaml"
    path.write_text("- a\n" * 1000, encoding="utf-8")

    with pytest.raises(SpecError, match=r"list\.checklist\.yaml:200:3: more than \d+ values"):
        load(path)


KILLED_WHILE_WRITING = """
import os, signal, sys
from pathlib import Path
from shakeproof import files
files.Path.replace = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
files.write_text(Path(sys.argv[1]), "half")
"""


def parts(folder):
    return sorted(path.name for path in folder.glob(".*.part"))


def test_the_next_writer_removes_what_a_killed_one_left(folder):
    path = folder / "run.json"
    killed = subprocess.run([sys.executable, "-c", KILLED_WHILE_WRITING, path], check=False)

    assert killed.returncode == -signal.SIGKILL
    assert len(parts(folder)) == 1

    write_text(folder / "report.html", "page")

    assert parts(folder) == []
    assert not path.exists()


def test_temporary_files_of_others_are_left_alone(folder):
    node = platform.node()
    names = [
        f".run.json.shakeproof-{node}-{os.getpid()}.abcdefgh.part",  # a process that is alive
        f".run.json.shakeproof-other{node}-1.abcdefgh.part",  # of another machine
        ".video.mp4.part",
        ".run.json.shakeproof-x.part",
    ]
    for name in names:
        (folder / name).touch()
    write_text(folder / "run.json", "{}")

    assert parts(folder) == sorted(names)


def test_temporary_files_of_another_machine_are_removed_after_a_day(folder):
    part = folder / ".run.json.shakeproof-elsewhere-1.abcdefgh.part"
    part.touch()
    os.utime(part, (0, time.time() - ONE_DAY - 60))
    write_text(folder / "run.json", "{}")

    assert parts(folder) == []


@pytest.mark.skipif(os.name != "posix", reason="needs permissions of POSIX")
def test_a_new_file_has_the_permissions_that_the_user_gives_to_files(folder):
    before = os.umask(0o077)
    try:
        write_text(folder / "run.json", "{}")
    finally:
        os.umask(before)

    assert (folder / "run.json").stat().st_mode & 0o777 == 0o600


@pytest.mark.skipif(os.name != "posix", reason="needs permissions of POSIX")
def test_a_file_that_is_replaced_keeps_its_permissions(folder):
    path = folder / "run.json"
    path.touch()
    path.chmod(0o640)
    write_text(path, "{}")

    assert path.stat().st_mode & 0o777 == 0o640
