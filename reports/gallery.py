"""A page that shows what every family of perturbations does to a text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from shakeproof.reports.html import fill
from shakeproof.reports.wording.marking import Span, mark_edits
from shakeproof.reports.wording.names import anchor
from shakeproof.results import TextSpan


@dataclass(frozen=True, slots=True)
class PerturbedText:
    """An example text before and after, at levels that all have this effect."""

    levels: tuple[str, ...]  # empty for a family that is on or off
    before: str
    after: str
    spans: tuple[TextSpan, ...] = ()  # how `before` became `after`

    @property
    def name(self) -> str:
        """Name the levels."""
        return f"level {' and '.join(self.levels)}" if self.levels else "on"

    @property
    def marked(self) -> tuple[Span, ...]:
        """Return the text with its edits marked."""
        return mark_edits(self.before, self.after, self.spans)


@dataclass(frozen=True, slots=True)
class FamilyEntry:
    """A family and what it declares about itself."""

    name: str
    summary: str
    level: str  # what a level means
    facts: tuple[str, ...]  # such as "keeps the meaning"
    context: tuple[tuple[str, str], ...]  # texts that the family takes from: name and text
    examples: tuple[PerturbedText, ...]

    @property
    def anchor(self) -> str:
        """Return the address of the entry within the page."""
        return anchor(self.name, "family")


@dataclass(frozen=True, slots=True)
class FamilyGroup:
    """Families of one kind."""

    name: str
    about: str
    families: tuple[FamilyEntry, ...]


def render_gallery(groups: Sequence[FamilyGroup]) -> str:
    """Render all families as one self-contained page."""
    count = sum(len(group.families) for group in groups)
    return fill("gallery.html.j2", groups=groups, count=count)
