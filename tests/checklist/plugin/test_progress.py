"""Progress of long scoring: what is shown, how often, and in which terminal."""

import io
import re
import sys
import time

import pytest

from shakeproof.cli.score import stderr_display
from shakeproof.metrics.engine.engine import Progress
from shakeproof.plugin.xdist_progress import WorkerProgress, read_progress
from shakeproof.scoring import progress
from shakeproof.scoring.progress import Display, Live, line

DEEP = "bertscore|minilm|layer:6|f1, bertscore|minilm|layer:1|f1"
SLOW = """\
import time
def score(candidate, reference):
    time.sleep(0.004)
    return float(len(candidate))
"""


class Terminal:
    """A terminal that keeps what is written."""

    def __init__(self):
        self.written = []

    def ensure_newline(self):
        self.written.append("newline")

    def rewrite(self, text, *, erase):
        self.written.append(f"again {text}")

    def write_line(self, text):
        self.written.append(text)


@pytest.fixture
def clock(monkeypatch):
    """A clock that the test sets."""
    now = [1000.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    return now


@pytest.mark.parametrize(
    ("done", "total", "seconds", "elapsed", "expected"),
    [
        pytest.param(
            1200, 5000, 12.0, 14.0, "14 s, 1,200 of 5,000 scores, 3,800 left, 100 a second", id="on"
        ),
        pytest.param(0, 5000, 0.0, 20.0, "20 s, 0 of 5,000 scores, 5,000 left", id="begun"),
        pytest.param(9, None, 3.0, 300.0, "5 min, 9, 3 a second", id="no total"),
        pytest.param(
            6000, 5000, 60.0, 60.0, "1 min, 6,000 of 5,000 scores, 0 left, 100 a", id="over"
        ),
    ],
)
def test_a_line_says_what_is_scored_how_much_is_left_and_how_fast(
    done, total, seconds, elapsed, expected
):
    first, _, rest = expected.partition(", ")
    shown = line(Progress(DEEP, done, total, seconds), elapsed)

    assert shown.startswith(f"shakeproof: {first}, bertscore minilm and 1 more: {rest}")


def show(view, clock, *times):
    for now in times:
        clock[0] = 1000.0 + now
        view.show(Progress("chrf|v:1", int(now), 100, now))
    view.close()


def test_a_file_gets_a_line_every_ten_seconds(clock):
    terminal = Terminal()
    show(Display(terminal, rewriting=False), clock, 0, 1, 9.9, 10, 15, 21)

    assert terminal.written == [
        "newline",
        "shakeproof: 10 s, chrf v:1: 10 of 100 scores, 90 left, 1 a second",
        "shakeproof: 21 s, chrf v:1: 21 of 100 scores, 79 left, 1 a second",
    ]


def test_a_terminal_has_one_line_rewritten_and_left_behind_at_the_end(clock):
    terminal = Terminal()
    show(Display(terminal, rewriting=True), clock, 0, 0.1, 0.5, 0.7, 1)

    assert [text.partition(":")[0] for text in terminal.written] == [
        "newline",
        "again shakeproof",
        "again shakeproof",
        "",
    ]


def test_quick_work_shows_nothing(clock):
    terminal = Terminal()
    show(Display(terminal, rewriting=False), clock, 0, 1, 2)

    assert terminal.written == []


def test_a_block_that_takes_long_is_shown_again_and_again(monkeypatch):
    monkeypatch.setattr(progress, "PAUSE", 0.02)
    monkeypatch.setattr(progress, "BLINK", 0.01)
    terminal = Terminal()
    with Live(Display(terminal, rewriting=False)) as live:
        live(Progress("chrf|v:1", 0, 100, 0.0))
        wait_for(lambda: len(terminal.written) > 3)
    after = len(terminal.written)
    live(Progress("chrf|v:1", 50, 100, 1.0))  # such as from a later search: not shown
    time.sleep(0.05)

    assert len(terminal.written) <= after + 1


def wait_for(condition):
    end = time.monotonic() + 20
    while not condition() and time.monotonic() < end:
        time.sleep(0.01)

    assert condition()


def test_a_worker_writes_its_progress_to_a_file_and_deletes_it(tmp_path):
    path = tmp_path / "progress.json"
    first = Progress("chrf|v:1", 1, 2, 3.0)
    with WorkerProgress(path) as worker_progress:
        worker_progress(first)
        assert read_progress(path) == first
        worker_progress(Progress("chrf|v:1", 2, 2, 3.0))  # too soon to be written
        assert read_progress(path) == first

    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("content", ["", "{", "[1]", '{"what": 1}'])
def test_a_file_without_progress_is_none(tmp_path, content):
    (tmp_path / "p").write_text(content)

    assert read_progress(tmp_path / "p") is None
    assert read_progress(tmp_path / "absent") is None


@pytest.fixture
def slow(project, monkeypatch):
    """A project that takes a second to score, and a terminal that is shown more than usual."""
    monkeypatch.setattr(progress, "PAUSE", 0.1)
    monkeypatch.setattr(progress, "BLINK", 0.05)
    project.makefile(".py", slow=SLOW)
    project.write(project.capitals.replace("mine:cased", "slow:score"))
    return project


LINE = r"shakeproof: 1 s, python slow:score.*: \d+ of \d+ scores, \d+ left"


def test_long_scoring_is_shown_in_the_terminal_of_pytest(slow):
    shown = slow.runpytest().outlines

    assert [line for line in shown if re.match(LINE, line)]
    assert not [line for line in slow.runpytest("-q").outlines if "left" in line]


@pytest.mark.slow
def test_the_progress_of_workers_is_shown_in_the_terminal_of_the_session(slow):
    pytest.importorskip("xdist")
    shown = slow.runpytest("-n2", "-p", "no:hypothesispytest", "-p", "no:anyio").outlines

    assert [line for line in shown if re.match(LINE, line)]


def test_the_command_shows_progress_on_standard_error(monkeypatch, clock):
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    show(stderr_display(), clock, 0, 10)

    assert (
        stream.getvalue() == "shakeproof: 10 s, chrf v:1: 10 of 100 scores, 90 left, 1 a second\n"
    )
