"""A checklist with everything that it extends, as one file that stands alone."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from shakeproof.data.loading import is_data_name
from shakeproof.files import expand_home
from shakeproof.metrics.files import is_there
from shakeproof.spec.data import are_segments
from shakeproof.spec.extends import EXTENDS
from shakeproof.spec.positions import Document
from shakeproof.spec.variables import escape_variables, expand_variables, has_variables

FUNCTION = re.compile(r"[\w.]+:[\w.]+")
FIRST = "checklist"
LAST = "checks"


def resolved_content(
    document: Document, rootdir: Path | None = None, variables: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """Return the keys of a checklist and of all it extends; paths are relative to its own folder.

    Without `variables`, paths of data that have environment variables stay as they are written.
    """
    content: dict[str, Any] = dict(document.content)
    content.pop(EXTENDS, None)
    to_folder = document.path.parent
    for key, moved in (("metrics", _moved_metric), ("families", _moved_family)):
        if isinstance(content.get(key), dict):
            content[key] = {
                name: moved(entry, _Move(_folder(document, (key, name)), to_folder, rootdir))
                for name, entry in content[key].items()
            }
    if not are_segments(content.get("data")) and "data" in content:
        move = _Move(_folder(document, ("data",)), to_folder, rootdir)
        change = partial(_moved_data, move=move, variables=variables)
        content["data"] = _each_text(content["data"], change)
    ends = {key: content.pop(key) for key in (FIRST, LAST) if key in content}
    return {**_only(ends, FIRST), **content, **_only(ends, LAST)}


def _only(content: Mapping[str, Any], key: str) -> dict[str, Any]:
    return {key: content[key]} if key in content else {}


def _folder(document: Document, trail: tuple[str, ...]) -> Path:
    return document.source(trail).path.parent


@dataclass(frozen=True, slots=True)
class _Move:
    """From the folder of the file that wrote a value to the folder of the file that takes it."""

    from_folder: Path
    to_folder: Path
    rootdir: Path | None

    @property
    def is_none(self) -> bool:
        return self.from_folder.resolve() == self.to_folder.resolve()

    def path(self, text: str) -> str:
        """Write a path from the other folder."""
        if self.is_none or expand_home(text).is_absolute():
            return text
        path = os.path.relpath(self.from_folder.resolve() / text, self.to_folder.resolve())
        return Path(path).as_posix()

    def file_or_function(self, text: str) -> str:
        """Write the path of an existing file, or module:function of one, from the other folder."""
        if self.is_none:
            return text
        if is_there(self.from_folder / text):
            return self.path(text)
        module = text.partition(":")[0].split(".")
        stem = self.from_folder.joinpath(*module)
        files = (stem.with_name(f"{stem.name}.py"), stem / "__init__.py")
        if not FUNCTION.fullmatch(text) or not any(map(is_there, files)):
            return text
        root, folder = (self.rootdir or Path()).resolve(), self.from_folder.resolve()
        below = folder.relative_to(root).parts if folder.is_relative_to(root) else ()
        return ".".join([*below, text]) if all(map(str.isidentifier, below)) else text


def _moved_metric(entry: object, move: _Move) -> object:
    return _each_text(entry, move.file_or_function) if isinstance(entry, dict) else entry


def _moved_family(entry: object, move: _Move) -> object:
    if not isinstance(entry, dict):
        return entry
    moved = {key: entry[key] for key in ("lexicon", "python") if isinstance(entry.get(key), str)}
    return {**entry, **{key: move.file_or_function(text) for key, text in moved.items()}}


def _moved_data(text: str, move: _Move, variables: Mapping[str, str] | None) -> str:
    """Write a path of data from the other folder; a name of data stays as it is."""
    if variables is None and has_variables(text):
        return text
    place = text if variables is None else expand_variables(text, variables)
    is_path = "/" in place or "." in place or is_there(move.from_folder / place)
    moved = move.path(place) if is_path and not is_data_name(place) else place
    return escape_variables(moved)


def _each_text(value: Any, change: Callable[[str], str]) -> Any:  # noqa: ANN401 - YAML
    """Change every text in a value, but no key."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, dict):
        return {key: _each_text(inner, change) for key, inner in value.items()}
    if isinstance(value, list):
        return [_each_text(inner, change) for inner in value]
    return value
