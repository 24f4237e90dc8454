"""Progress in notebooks, with and without the libraries that draw a bar."""

import sys
from io import StringIO
from types import SimpleNamespace

import pytest

from shakeproof.metrics.engine.engine import Progress
from shakeproof.scoring import notebook_progress as notebook
from shakeproof.scoring.progress import preparing

SCORING = Progress("bertscore|model:x, chrf", 30, 120, 3.0)


class ZMQInteractiveShell:
    """The shell of a kernel, by its name."""


@pytest.fixture
def kernel(monkeypatch):
    """Make this process look like the kernel of a notebook."""
    shell = SimpleNamespace(get_ipython=ZMQInteractiveShell)
    monkeypatch.setitem(sys.modules, "IPython", shell)


def libraries(monkeypatch, *installed):
    monkeypatch.setattr(notebook, "find_spec", lambda name: name if name in installed else None)


def test_outside_a_notebook_nothing_is_shown(monkeypatch):
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: None))
    with notebook.notebook_progress() as progress:
        assert progress is None

    monkeypatch.delitem(sys.modules, "IPython")
    assert not notebook.in_notebook()


def test_a_terminal_of_ipython_is_no_notebook(monkeypatch):
    class TerminalInteractiveShell:
        pass

    shell = SimpleNamespace(get_ipython=TerminalInteractiveShell)
    monkeypatch.setitem(sys.modules, "IPython", shell)

    assert not notebook.in_notebook()


def test_a_notebook_with_widgets_has_a_bar(kernel, monkeypatch):
    tqdm = pytest.importorskip("tqdm").tqdm
    libraries(monkeypatch, "tqdm", "ipywidgets")
    drawn = StringIO()
    monkeypatch.setattr(notebook, "make_bar", lambda: tqdm(file=drawn, mininterval=0))
    with notebook.notebook_progress() as progress:
        progress(preparing())
        progress(SCORING)

    assert "bertscore model:x and 1 more" in drawn.getvalue()
    assert "30/120" in drawn.getvalue()


def test_the_bar_appears_late_and_disappears(kernel):
    pytest.importorskip("tqdm")
    with notebook.make_bar() as bar:
        assert (bar.delay, bar.leave) == (1.0, False)


@pytest.mark.parametrize("installed", [(), ("tqdm",)], ids=["nothing", "tqdm without widgets"])
def test_a_notebook_without_widgets_has_lines(kernel, monkeypatch, capsys, installed):
    libraries(monkeypatch, *installed)
    monkeypatch.setattr("shakeproof.scoring.progress.PAUSE", 0.0)
    with notebook.notebook_progress() as progress:
        progress(SCORING)

    line = "shakeproof: 1 s, bertscore model:x and 1 more: 30 of 120 scores, 10 a second"
    assert line in capsys.readouterr().err
