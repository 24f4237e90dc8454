"""What commands print and write: edits, tables, any terminal, and files written whole."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from shakeproof.cli.perturb import marked_edits
from shakeproof.cli.terminal import table, width
from shakeproof.errors import SpecError
from shakeproof.files import write_text

pytestmark = pytest.mark.usefixtures("folder")


@pytest.mark.parametrize(
    ("before", "after", "shown"),
    [
        pytest.param("abc", "abc", "abc", id="nothing"),
        pytest.param("", "", "", id="empty"),
        pytest.param("abc", "axc", "a[-b-]{+x+}c", id="replaced"),
        pytest.param("abc", "ac", "a[-b-]c", id="removed"),
        pytest.param("ac", "abc", "a{+b+}c", id="added"),
    ],
)
def test_edits_are_marked(before, after, shown):
    assert marked_edits(before, after, colour=False) == shown


def test_edits_are_coloured_if_colours_are_used():
    assert marked_edits("abc", "axc", colour=True) == "a\x1b[9;31mb\x1b[0m\x1b[1;32mx\x1b[0mc"


def test_a_closed_pipe_is_no_error():
    code = "import sys; from shakeproof.cli.main import main; sys.exit(main(['list', 'metrics']))"
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    process.stdout.close()

    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait() == 0


def test_a_terminal_of_another_encoding_is_no_error():
    shown = subprocess.run(
        [sys.executable, "-m", "shakeproof", "perturb", "visual", "--level", "1", "agreement"],
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        check=True,
    )

    assert b"\\u" in shown.stdout


def test_a_failing_write_leaves_the_old_file_and_no_other(folder, written_files, monkeypatch):
    (folder / "old.txt").write_text("old")
    monkeypatch.setattr(Path, "replace", refuse)

    with pytest.raises(SpecError, match="cannot be written: disk full"):
        write_text(folder / "old.txt", "new")

    assert written_files() == {"old.txt"}
    assert (folder / "old.txt").read_text() == "old"


def refuse(*_):
    raise OSError(28, "Disk full")


def test_tables_line_up_also_with_wide_characters():
    shown = table(("a", "b"), [("界", "x"), ("é", "y")])

    assert [width(line) for line in shown.split("\n")] == [5, 5, 5]
