"""Collects the mistakes of one checklist while it is read, to report them all at once."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, TypeVar

from pydantic import BaseModel

from shakeproof.errors import SpecErrors
from shakeproof.spec.positions import Document, Position
from shakeproof.spec.written import Written, name_problem
from shakeproof.validation import Problem, Trail, name_of, shown, validate

MAX_REPORTED = 50

W = TypeVar("W", bound=Written)
M = TypeVar("M", bound=BaseModel)


class Mistake(NamedTuple):
    """A mistake at a value or key of the document."""

    position: Position
    message: str
    trail: Trail


@dataclass(slots=True)
class Diagnostics:
    """A document, and the mistakes that were found in it so far."""

    document: Document
    mistakes: list[Mistake] = field(default_factory=list)
    wrong: set[Trail] = field(default_factory=set)

    def add(self, trail: Trail, message: str, *, key: bool = False) -> None:
        """Record a mistake at a value, or at its key."""
        position = self.document.position(trail, key=key)
        self.mistakes.append(Mistake(position, message, trail))
        self.wrong.add(trail)

    def mark_wrong(self, trail: Trail) -> None:
        """Count a value as wrong whose mistake is reported elsewhere."""
        self.wrong.add(trail)

    def is_wrong(self, trail: Trail) -> bool:
        """Return whether a value has a mistake, or is missing because its key is misspelt."""
        return trail in self.wrong

    def any_inside(self, trail: Trail) -> bool:
        """Return whether there is a mistake at a value or anywhere inside it."""
        return any(wrong[: len(trail)] == trail for wrong in self.wrong)

    def check_name(self, what: str, name: str, trail: Trail, *, key: bool = False) -> None:
        """Record a name that cannot be a part of a pytest node id."""
        if problem := name_problem(what, name):
            self.add(trail, problem, key=key)

    def line(self, trail: Trail) -> int:
        """Return the line of a key, or of the nearest thing around it."""
        return self.document.position(trail, key=True).line

    def base(self, trail: Trail) -> Path | None:
        """Return the file that a value was taken over from; None if the document itself has it."""
        source = self.document.source(trail)
        return None if source is self.document else source.path

    def mapping(self, value: object, trail: Trail, example: str) -> dict[str, object] | None:
        """Return a value that is a mapping; anything else is a mistake."""
        if isinstance(value, dict):
            return value
        name = name_of(trail) if trail else "a checklist"
        self.add(trail, f"{name} must be a mapping, got {shown(value)}; write {example}")
        return None

    def model(self, model: type[M], value: object, trail: Trail) -> M | None:
        """Make a model of a value, or record all its problems."""
        made, problems = validate(model, value)
        self.add_problems(problems, trail)
        return made

    def written(self, model: type[W], value: dict[str, object], trail: Trail) -> W:
        """Read a mapping; wrong values are recorded and left out, so that reading can go on."""
        made, problems = validate(model, value)
        if made is not None:
            return made
        self.add_problems(problems, trail)
        wrong = {problem.trail[0] for problem in problems if problem.trail}
        right = {key: inner for key, inner in value.items() if key not in wrong}
        return validate(model, right)[0] or model()

    def add_problems(self, problems: list[Problem], trail: Trail) -> None:
        """Record the problems of the value at `trail`."""
        for problem in problems:
            whole = bool(trail) and not problem.trail  # the mapping as such, not one of its values
            message = f"{name_of(trail)}: {problem.message}" if whole else problem.message
            self.add((*trail, *problem.trail), message, key=problem.key or whole)
            if problem.meant is not None:
                self.mark_wrong((*trail, *problem.trail[:-1], problem.meant))

    def raise_mistakes(self) -> None:
        """Raise all mistakes, in the order of the file and then of its bases, if there are any."""
        ordered = sorted(self.mistakes, key=self._order)
        mistakes = {self._line(mistake): mistake for mistake in ordered}
        lines = list(mistakes)
        if len(lines) > MAX_REPORTED:
            more = f"and {len(lines) - MAX_REPORTED} more"
            first = mistakes[lines[MAX_REPORTED]]
            lines[MAX_REPORTED:] = [self._line(first._replace(message=more))]
        if lines:
            raise SpecErrors(lines)

    def _order(self, mistake: Mistake) -> tuple[bool, str, Mistake]:
        source = self.document.source(mistake.trail)
        return source is not self.document, source.file, mistake

    def _line(self, mistake: Mistake) -> str:
        return self.document.located(mistake.trail, mistake.position, mistake.message)
