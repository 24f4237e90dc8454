"""A page that shows what every family of perturbations does to a text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from shakeproof.reports.html import fill
from shakeproof.reports.wording.anchors import anchor
from shakeproof.reports.wording.marking import Span, marked


@dataclass(frozen=True, slots=True)
class Shown:
    """An example text before and after, at levels that all have this effect."""

    levels: tuple[str, ...]  # empty for a family that is on or off
    before: str
    after: str

    @property
    def name(self) -> str:
        """Name the levels."""
        return f"level {' and '.join(self.levels)}" if self.levels else "on"

    @property
    def spans(self) -> tuple[Span, ...]:
        """Mark the edits."""
        return marked(self.before, self.after)


@dataclass(frozen=True, slots=True)
class Entry:
    """A family and what it declares about itself."""

    name: str
    summary: str
    level: str  # what one means
    facts: tuple[str, ...]  # such as "keeps the meaning"
    beside: tuple[tuple[str, str], ...]  # texts that the family borrows from: name and text
    shown: tuple[Shown, ...]

    @property
    def anchor(self) -> str:
        """Give the address of the entry within the page."""
        return anchor(self.name, "family")


@dataclass(frozen=True, slots=True)
class Group:
    """Families of one kind."""

    name: str
    about: str
    entries: tuple[Entry, ...]


def render_gallery(groups: Sequence[Group]) -> str:
    """Show all families as one self-contained page."""
    return fill("gallery.html.j2", groups=groups, count=sum(len(one.entries) for one in groups))
