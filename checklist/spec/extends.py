"""`extends`: what a checklist takes over from other files."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from types import NoneType
from typing import Any

from shakeproof.errors import SpecError, SpecErrors
from shakeproof.files import MB, Limit, expand_home, read_text, shown_path
from shakeproof.metrics.files import is_file, is_there
from shakeproof.spec.positions import MAX_VALUES, TOO_MANY, Document, read_yaml
from shakeproof.spec.written import Text, entries, list_of
from shakeproof.validation import Trail, shown

EXTENDS = "extends"
TOP: Trail = (EXTENDS,)
EXAMPLE = "extends: base.yaml or extends: [models.yaml, data.yaml]"
USER_KEYS = "x-"  # keys that begin so are for the user, such as for anchors
NOT_TAKEN = frozenset({EXTENDS, "checklist", "checks"})  # what a file says about itself
BY_NAME = ("metrics", "families")  # mappings whose entries are taken over one by one
MAX_FILE = Limit("SHAKEPROOF_MAX_CHECKLIST_MB", 1, "MB")  # a checklist has a few kB
MAX_BASES = 20  # files that one checklist extends, directly or not


def extends_type() -> Any:  # noqa: ANN401 - a type
    """Return the type of `extends`: one path, or several."""
    return Text | list_of(Text) | None


def parse_document(text: str, path: Path) -> Document:
    """Read the text of a checklist file as plain values."""
    return replace(read_yaml(text, shown_path(path)), path=path)


def with_bases(document: Document) -> Document:
    """Return a document with what it takes over; a mistake in `extends` raises `SpecErrors`."""
    return _with_bases(document, (_identity(document.path),), {})


def _with_bases(
    document: Document, above: tuple[Path, ...], known: dict[Path, Document]
) -> Document:
    """Add the bases of a document; `above` are the files that lead to it, each extending the next.

    `known` has the files that were read before, so that each is read once.
    """
    if not isinstance(document.content, dict) or document.content.get(EXTENDS) is None:
        return document
    bases = []
    for name, trail in _names(document):
        path = Path(os.path.normpath(document.path.parent / expand_home(name)))
        resolved = _identity(path)
        if resolved in above:
            circle = " → ".join(file.name for file in (*above[above.index(resolved) :], resolved))
            raise _mistake(document, trail, f"a checklist cannot extend itself: {circle}")
        if resolved not in known:
            base = _read_base(document, trail, path)
            known[resolved] = base  # counted before its own bases are read
            if problem := _exceeded(known.values()):
                raise _mistake(document, trail, problem)
            known[resolved] = _with_bases(base, (*above, resolved), known)
        bases.append(known[resolved])
    return _taken_over(document, bases)


def _exceeded(bases: Collection[Document]) -> str:
    """Return the limit that all files which are extended exceed together, or nothing."""
    if len(bases) > MAX_BASES:
        return f"more than {MAX_BASES} files are extended"
    if sum(len(base.values) for base in bases) > MAX_VALUES:
        return f"the files that are extended have {TOO_MANY}"
    if sum(base.path.stat().st_size for base in bases) > MAX_FILE.value() * MB:
        return str(MAX_FILE.error("the files that are extended"))
    return ""


def _identity(path: Path) -> Path:
    """Return the same path for a file however it is named."""
    return Path(os.path.realpath(path))  # Path.resolve raises for links that lead to themselves


def _names(document: Document) -> Iterator[tuple[str, Trail]]:
    """Yield the paths under `extends`, each with its trail."""
    value = document.content[EXTENDS]
    if value == []:
        raise _mistake(document, TOP, f"extends is empty; write {EXAMPLE}")
    for name, trail in entries(value, TOP):
        if not isinstance(name, str) or not name.strip() or "\0" in name:
            raise _mistake(document, trail, f"extends must be a path, got {shown(name)}")
        yield name, trail


def _read_base(document: Document, trail: Trail, path: Path) -> Document:
    """Read a file that a document extends; its mistakes name it, a missing one its name."""
    if is_there(path) and not is_file(path):
        raise _mistake(document, trail, f"{shown_path(path)}: is no file that can be extended")
    try:
        base = parse_document(read_text(path, megabytes=MAX_FILE), path)
    except SpecErrors:
        raise
    except SpecError as error:
        raise _mistake(document, trail, str(error)) from None
    if not isinstance(base.content, dict):
        message = f"a file to extend must be a mapping, got {shown(base.content)}"
        raise _mistake(base, (), message)
    return base


def _mistake(document: Document, trail: Trail, message: str) -> SpecErrors:
    return SpecErrors([document.located(trail, document.position(trail), message)])


def _taken_over(document: Document, bases: Sequence[Document]) -> Document:
    """Put the values of a document over those of its bases, of which the last one wins."""
    content: dict[str, Any] = {}
    sources: dict[Trail, Document] = {}
    for layer in (*bases, document):
        for key, value in layer.content.items():
            if layer is not document and (key in NOT_TAKEN or key.startswith(USER_KEYS)):
                continue
            named = value or {} if key in BY_NAME and isinstance(value, dict | NoneType) else None
            earlier = content.get(key)
            if named is None or not isinstance(earlier, dict):
                sources = {trail: other for trail, other in sources.items() if trail[0] != key}
                content[key] = value
            else:
                content[key] = {**earlier, **named}
            trails: list[Trail] = [(key,), *((key, name) for name in named or ())]
            sources |= dict.fromkeys(trails, layer)
    taken = {trail: layer for trail, layer in sources.items() if layer is not document}
    return replace(document, content=content, taken=taken)
