"""Progress of long scoring: what is shown, how often, and in which terminal."""

import io
import re
import sys
import time

import pytest
from waiting import wait_until

from shakeproof.cli.score import stderr_display
from shakeproof.metrics.engine.engine import Progress
from shakeproof.plugin.xdist_progress import WorkerProgress, read_progress
from shakeproof.scoring import progress
from shakeproof.scoring.progress import Display, Live, line, preparing

DEEP = "bertscore|model:minilm|layer:6|f1, bertscore|model:minilm|layer:1|f1"
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
    ("what", "done", "total", "seconds", "expected"),
    [
        pytest.param(
            DEEP,
            1200,
            5000,
            12.0,
            "bertscore model:minilm and 1 more: 1,200 of 5,000 scores, 100 a second,"
            " about 38 s left",
            id="on",
        ),
        pytest.param(
            DEEP,
            0,
            5000,
            0.0,
            "bertscore model:minilm and 1 more: loading the model, then 5,000 scores to do",
            id="a model begins",
        ),
        pytest.param("chrf|v:1", 0, 5000, 0.0, "chrf v:1: 5,000 scores to do", id="chrF begins"),
        pytest.param("chrf|v:1", 9, None, 3.0, "chrf v:1: 9 scores, 3 a second", id="no total"),
        pytest.param(
            "chrf|v:1", 6000, 5000, 60.0, "chrf v:1: 6,000 of 5,000 scores, 100 a second", id="over"
        ),
    ],
)
def test_a_line_says_what_is_scored_how_fast_and_how_long_it_will_take(
    what, done, total, seconds, expected
):
    assert line(Progress(what, done, total, seconds), 14.0) == f"shakeproof: 14 s, {expected}"


def test_a_line_says_how_many_workers_rate():
    shown = line(Progress("chrf|v:1", 10, 100, 1.0, workers=4), 1.0)

    assert shown.endswith("10 of 100 scores, 10 a second with 4 workers, about 9 s left")


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
        "shakeproof: 10 s, chrf v:1: 10 of 100 scores, 1 a second, about 2 min left",
        "shakeproof: 21 s, chrf v:1: 21 of 100 scores, 1 a second, about 1 min left",
    ]


@pytest.mark.parametrize("rewriting", [False, True])
def test_preparation_is_shown_within_two_seconds_and_the_begin_of_scoring_at_once(clock, rewriting):
    terminal = Terminal()
    view = Display(terminal, rewriting=rewriting)
    for seconds, shown in [(0, preparing()), (1, preparing()), (1.1, Progress(DEEP, 0, 9, 0.0))]:
        clock[0] = 1000.0 + seconds
        view.show(shown)

    assert [text.removeprefix("again ") for text in terminal.written] == [
        "newline",
        "shakeproof: 1 s, perturbing texts and reading cached scores",
        line(Progress(DEEP, 0, 9, 0.0), 1.1),
    ]


def test_preparation_that_takes_no_time_is_not_shown(clock):
    terminal = Terminal()
    view = Display(terminal, rewriting=False)
    view.show(preparing())
    clock[0] += 0.4
    view.show(Progress("chrf|v:1", 0, 9, 0.0))
    view.close()

    assert terminal.written == []


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
        wait_until(lambda: len(terminal.written) > 3)
    after = len(terminal.written)
    live(Progress("chrf|v:1", 50, 100, 1.0))  # such as from a later search: not shown
    time.sleep(0.05)

    assert len(terminal.written) <= after + 1


def test_a_worker_writes_its_progress_to_a_file_and_deletes_it(tmp_path):
    path = tmp_path / "progress.json"
    first = Progress("chrf|v:1", 1, 2, 3.0)
    with WorkerProgress(path) as worker_progress:
        worker_progress(first)
        assert read_progress(path) == first
        worker_progress(Progress("chrf|v:1", 2, 2, 3.0))  # too soon to be written
        assert read_progress(path) == first
        other = Progress("bleu|v:1", 0, 2, 3.0)  # other work is never too soon
        worker_progress(other)
        assert read_progress(path) == other

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


LINE = r"shakeproof: \d+ s, python slow:score.*( \d+ of)? \d+ scores (to do|.* a second)"


def test_long_scoring_is_shown_in_the_terminal_of_pytest(slow):
    shown = slow.runpytest().outlines

    assert [line for line in shown if re.match(LINE, line)]
    assert not [line for line in slow.runpytest("-q").outlines if " left" in line]


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
        stream.getvalue()
        == "shakeproof: 10 s, chrf v:1: 10 of 100 scores, 1 a second, about 2 min left\n"
    )
