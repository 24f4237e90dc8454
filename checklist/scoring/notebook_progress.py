"""Progress in a notebook: a bar of tqdm where it can be drawn, else a line now and then."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from shakeproof.scoring.progress import FIRST, UNKNOWN, Display, Live, short

if TYPE_CHECKING:
    from shakeproof.metrics.engine.engine import Progress

KERNEL = "ZMQInteractiveShell"  # the shell of Jupyter's kernel
BAR_LIBRARIES = ("tqdm", "ipywidgets")


@contextmanager
def notebook_progress() -> Iterator[Callable[[Progress], None] | None]:
    """Return what shows progress in a notebook; None elsewhere, where `run` prints nothing."""
    if not in_notebook():
        yield None
    elif all(map(find_spec, BAR_LIBRARIES)):
        with make_bar() as bar:
            yield Bar(bar)
    else:
        with Live(Display(Output(), rewriting=False)) as live:
            yield live


def in_notebook() -> bool:
    """Return whether this process is the kernel of a notebook; IPython is not imported for that."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return type(shell).__name__ == KERNEL


def make_bar() -> Any:  # noqa: ANN401 - a bar of tqdm, which has no types
    """Return a bar that appears after a second and disappears at the end."""
    from tqdm.auto import tqdm

    return tqdm(desc="shakeproof", unit=" scores", delay=FIRST, leave=False)


@dataclass(frozen=True, slots=True)
class Bar:
    """Shows progress on a bar."""

    bar: Any

    def __call__(self, progress: Progress) -> None:
        """Set the bar to the number of scores that are done."""
        if progress.total == UNKNOWN:
            return
        self.bar.total = progress.total
        self.bar.set_description(short(progress.what), refresh=False)
        self.bar.update(progress.done - self.bar.n)


class Output:
    """The output of the cell, to which lines are written."""

    def ensure_newline(self) -> None:
        """Every line begins anew."""

    def rewrite(self, line: str, *, erase: bool) -> None:
        """Write a line; none is replaced."""
        self.write_line(line)

    def write_line(self, line: str) -> None:
        """Write a line to standard error, as commands do."""
        sys.stderr.write(f"{line}\n")
        sys.stderr.flush()
