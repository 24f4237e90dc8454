"""Where the mistakes of one file are written down while it is read."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict

from shakeproof.errors import SpecErrors
from shakeproof.spec.positions import Document, Place, located
from shakeproof.validation import Finding, Trail, name_of, shown, validate

UNFIT = ("::", "[", "\n")
MOST = 50  # mistakes told at once


def entries(raw: object, trail: Trail) -> list[tuple[Any, Trail]]:
    """Take one value, or a list of them, apart into values with their trails."""
    if not isinstance(raw, list):
        return [(raw, trail)]
    return [(one, (*trail, position)) for position, one in enumerate(raw)]


def unfit(what: str, name: str) -> str:
    """Say why a name would not work as a part of a pytest node id; nothing if it would."""
    bad = next((part for part in UNFIT if part in name), None)
    if bad is not None:
        return f"the name of a {what} may not hold {bad!r}, got {shown(name)}"
    if name != name.strip() or not name:
        return f"the name of a {what} may not begin or end blank"
    return ""


class Written(BaseModel):
    """A mapping as it stands in the file; every key may be left out, to be asked for by name."""

    model_config = ConfigDict(frozen=True, extra="forbid")


W = TypeVar("W", bound=Written)
M = TypeVar("M", bound=BaseModel)


@dataclass(slots=True)
class Notebook:
    """A document, and what was found wrong with it so far."""

    document: Document
    mistakes: list[tuple[Place, str]] = field(default_factory=list)
    trails: set[Trail] = field(default_factory=set)

    def note(self, trail: Trail, message: str, *, key: bool = False) -> None:
        """Write down a mistake at a value, or at its key."""
        self.mistakes.append((self.document.place(trail, key=key), message))
        self.trails.add(trail)

    def excuse(self, trail: Trail) -> None:
        """Take a value as wrong whose mistake is told elsewhere."""
        self.trails.add(trail)

    def blamed(self, trail: Trail) -> bool:
        """Say whether a value has a mistake or a misspelt key; its absence is then no news."""
        return trail in self.trails

    def within(self, trail: Trail) -> bool:
        """Say whether there is a mistake at a value or anywhere inside it."""
        return any(one[: len(trail)] == trail for one in self.trails)

    def check_name(self, what: str, name: str, trail: Trail, *, key: bool = False) -> None:
        """Note a name that would not work as a part of a pytest node id."""
        if problem := unfit(what, name):
            self.note(trail, problem, key=key)

    def line(self, trail: Trail) -> int:
        """Say on which line something stands."""
        return self.document.place(trail, key=True).line

    def mapping(self, value: object, trail: Trail, example: str) -> dict[str, object] | None:
        """Take a value as a mapping; anything else is a mistake."""
        if isinstance(value, dict):
            return value
        name = name_of(trail) if trail else "a checklist"
        self.note(trail, f"{name} must be a mapping, got {shown(value)}; write {example}")
        return None

    def model(self, model: type[M], value: object, trail: Trail) -> M | None:
        """Make a model of a value, or note all that is wrong with it."""
        return self._validated(model, value, trail)[0]

    def written(self, model: type[W], value: dict[str, object], trail: Trail) -> W:
        """Read a mapping; what is wrong is noted and left out, so that reading goes on."""
        made, wrong = self._validated(model, value, trail)
        if made is not None:
            return made
        bad = {one.trail[0] for one in wrong if one.trail}
        return validate(model, {k: v for k, v in value.items() if k not in bad})[0] or model()

    def _validated(
        self, model: type[M], value: object, trail: Trail
    ) -> tuple[M | None, list[Finding]]:
        made, wrong = validate(model, value)
        for one in wrong:
            whole = not one.trail and trail  # the mapping as such, not one of its values
            message = f"{name_of(trail)}: {one.message}" if whole else one.message
            self.note((*trail, *one.trail), message, key=one.key or bool(whole))
            if one.meant is not None:
                self.excuse((*trail, *one.trail[:-1], one.meant))
        return made, wrong

    def close(self) -> None:
        """Raise all mistakes, in the order of the file."""
        if not self.mistakes:
            return
        found = list(dict.fromkeys(sorted(self.mistakes)))
        lines = [located(self.document.file, place, words) for place, words in found[:MOST]]
        if len(found) > MOST:
            place = found[MOST][0]
            lines.append(located(self.document.file, place, f"and {len(found) - MOST} more"))
        raise SpecErrors(lines)
