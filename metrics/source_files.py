"""The source files that a user's function depends on: found, hashed, and never run."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Sequence
from hashlib import sha256
from importlib.machinery import ModuleSpec
from pathlib import Path
from threading import Lock

from shakeproof.metrics.files import is_file

_PARSING = Lock()


def parse_file(file: Path) -> ast.Module:
    """Parse a module, in one thread at a time: two that parse at once confuse Python 3.11."""
    with _PARSING:
        return ast.parse(file.read_bytes())


def hash_sources(file: Path, folders: Sequence[Path]) -> str:
    """Hash a module together with the modules of the user that it imports, directly or not.

    These are looked for beside the module that imports them, and in `folders`. A module that
    imports none has the hash of its file.
    """
    files = [file.resolve()]
    for importing in files:  # grows while it is read
        imported = _imported_files(importing, folders)
        files += [path for path in dict.fromkeys(imported) if path not in files]
    own, *others = (sha256(path.read_bytes()).hexdigest() for path in files)
    return sha256("".join([own, *sorted(others)]).encode()).hexdigest() if others else own


def _imported_files(file: Path, folders: Sequence[Path]) -> Iterator[Path]:
    try:
        tree = parse_file(file)
    except (SyntaxError, ValueError):  # importing it will say so
        return
    for name, level in _imports(tree):
        beside = [file.parents[level - 1]] if level else [file.parent, *folders]
        for folder in beside:
            if found := list(_module_files(folder, name)):
                yield from found
                break


def _imports(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Yield the dotted names that a module imports, each with the dots before it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, 0) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            for alias in node.names:  # a module of a package, or a name in a module
                yield f"{module}.{alias.name}".strip("."), node.level


def _module_files(folder: Path, name: str) -> Iterator[Path]:
    """Yield the files that importing a dotted name from a folder runs, packages included."""
    path = folder
    for part in name.split("."):
        path = path / part
        for file in (path.with_name(f"{part}.py"), path / "__init__.py"):
            if is_file(file):
                yield file.resolve()


def find_module(name: str) -> ModuleSpec | None:
    """Find a module on sys.path without importing the packages that it is in."""
    spec, path = None, None
    parts = name.split(".")
    for number in range(1, len(parts) + 1):
        spec = _find(".".join(parts[:number]), path)
        if spec is None:
            return None
        locations = spec.submodule_search_locations
        # Reading the places of a namespace package looks up its parent among imported modules.
        path = list(getattr(locations, "_path", locations) or ())
    return spec


def _find(name: str, path: list[str] | None) -> ModuleSpec | None:
    if name in sys.modules:
        return sys.modules[name].__spec__
    finders = [finder for finder in sys.meta_path if hasattr(finder, "find_spec")]
    return next(filter(None, (finder.find_spec(name, path) for finder in finders)), None)
