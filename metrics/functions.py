"""Functions named by import path: found without importing, imported at first use."""

from __future__ import annotations

import ast
import importlib
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from hashlib import sha256
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from operator import attrgetter
from pathlib import Path
from traceback import format_exception
from types import CodeType, ModuleType
from typing import Any

from shakeproof.metrics.files import is_file
from shakeproof.metrics.source_files import find_module, hash_sources, parse_file


class FunctionNotFound(ValueError):
    """A function cannot be found; the message is one line and says what to do."""


@dataclass(frozen=True, slots=True)
class Function:
    """A function in a module: in a file of the user's if `file` is set, else on sys.path."""

    module: str
    name: str
    file: Path | None
    sha256: str | None  # of the source file; None if the module has no file

    def __call__(self, *arguments: Any) -> Any:  # noqa: ANN401  # whatever the user's function is
        """Call it, importing its module the first time."""
        return load_function(self)(*arguments)


def function_traceback(error: BaseException, caller: CodeType | None = None) -> str:
    """Write the traceback of an error from the user's function on; "" if it was not raised there.

    The frames that led to the function, or that imported its module, say nothing about the error.
    `caller` is the code that called the function; by default `Function.__call__`.
    """
    caller = caller or Function.__call__.__code__
    step = error.__traceback__
    while step is not None and step.tb_frame.f_code is not caller:
        step = step.tb_next
    while step is not None and _is_ours(step.tb_frame.f_code, caller):
        step = step.tb_next
    return "".join(format_exception(type(error), error, step)).rstrip() if step else ""


def _is_ours(code: CodeType, caller: CodeType) -> bool:
    """Return whether code only imports or calls the user's function."""
    file = code.co_filename
    imports = file in (__file__, importlib.__file__) or file.startswith("<frozen importlib.")
    return code is caller or imports


def find_function(path: str, folders: Iterable[Path]) -> Function:
    """Find `module:function` in the folders, then on sys.path."""
    module, _, name = path.partition(":")
    folders = tuple(folders)
    for folder in folders:
        stem = folder.joinpath(*module.split("."))
        for file in (stem.with_name(f"{stem.name}.py"), stem / "__init__.py"):
            if is_file(file):
                _check_name(file, module, name)
                return Function(module, name, file.resolve(), hash_sources(file, folders))
    return Function(module, name, None, _hash_installed(module))


def _hash_installed(module: str) -> str | None:
    spec = find_module(module)
    if spec is None:
        raise FunctionNotFound(
            f"no module {module!r} beside the checklist, under rootdir or on sys.path"
        )
    return _sha256(Path(spec.origin)) if spec.has_location and spec.origin else None


def _check_name(file: Path, module: str, name: str) -> None:
    """Raise an error for a name that the file does not define, without running the file."""
    try:
        names = _defined(parse_file(file))
    except SyntaxError as error:
        raise FunctionNotFound(f"{file.name}:{error.lineno}: {error.msg}") from None
    first = name.split(".")[0]
    if first not in names and "*" not in names:
        close = get_close_matches(first, names, n=1)  # metrics cannot use the checklist's hints
        hint = f"did you mean {close[0]!r}?" if close else f"it has: {', '.join(sorted(names))}"
        raise FunctionNotFound(f"no {first!r} in module {module!r}; {hint}")


def _defined(tree: ast.Module) -> set[str]:
    """Collect all names that a module binds anywhere, at its top level or deeper."""
    names: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                names.add(name)
            case ast.alias(name=name, asname=alias):
                names.add(alias or name.split(".")[0])
            case ast.Name(id=name, ctx=ast.Store()):
                names.add(name)
    return names


def is_plain_function(function: Function) -> bool:
    """Return whether the user's file defines it with `def`; the file is not run."""
    if function.file is None:
        return False
    top = parse_file(function.file).body
    return any(isinstance(node, ast.FunctionDef) and node.name == function.name for node in top)


def _sha256(file: Path) -> str:
    return sha256(file.read_bytes()).hexdigest()


@cache
def load_function(function: Function) -> Callable[..., Any]:
    """Import the module, once, and take the function out of it."""
    module = import_module(function.module) if function.file is None else run_file(function.file)
    loaded: Callable[..., Any] = attrgetter(function.name)(module)
    return loaded


@cache
def run_file(file: Path) -> ModuleType:
    """Run a file as a module under a unique name, so that two files of one name do not clash."""
    name = f"shakeproof_{sha256(str(file).encode()).hexdigest()[:16]}"
    spec = spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise FunctionNotFound(f"{file.name!r} is not a Python file")
    module = sys.modules[name] = module_from_spec(spec)
    with _importable(file.parent):
        spec.loader.exec_module(module)
    return module


@contextmanager
def _importable(folder: Path) -> Iterator[None]:
    """Let a module import the files beside it while it is being run."""
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))
