"""Imports point one way: read off the syntax trees, so that imports inside functions count too."""

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = {
    "checklist": "shakeproof",
    "metrics": "shakeproof.metrics",
    "perturbations": "shakeproof.perturbations",
    "reports": "shakeproof.reports",
}
# What a folder may import of ours: whole packages or single modules.
MAY_IMPORT = {
    "metrics": ("shakeproof.metrics",),
    "perturbations": ("shakeproof.perturbations",),
    "reports": ("shakeproof.reports", "shakeproof.results"),
}
# The edges of the checklist; only they hand a run to the reports.
MAY_RENDER = ("shakeproof.plugin.summary", "shakeproof.cli")
# Where models are loaded; everything else works without these libraries.
MAY_LOAD_MODELS = ("shakeproof.metrics.models",)
MODEL_LIBRARIES = ("torch", "transformers")


def module_name(path: Path) -> str:
    """Return the name under which a file of ours is imported."""
    folder, *parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join([PACKAGES[folder], *parts]).removesuffix(".__init__")


FILES = {module_name(path): path for folder in PACKAGES for path in (ROOT / folder).rglob("*.py")}


def imports(source: str, path: Path) -> set[str]:
    """Return the absolute names of all modules that the source of a file imports."""
    return {name for node in ast.walk(ast.parse(source)) for name in imported(node, path)}


def imported(node: ast.AST, path: Path) -> Iterator[str]:
    """Yield the modules that one node imports; `from package import module` names the module."""
    match node:
        case ast.Import(names=names):
            yield from (alias.name for alias in names)
        case ast.ImportFrom(module=module, names=names, level=level):
            origin = absolute(module, level, path)
            modules = (f"{origin}.{alias.name}" for alias in names)
            yield from (module if module in FILES else origin for module in modules)
        case ast.Call(func=func, args=[ast.Constant(value=str(name)), *_]):
            if getattr(func, "attr", getattr(func, "id", "")) in ("import_module", "__import__"):
                yield name


def absolute(module: str | None, level: int, path: Path) -> str:
    """Resolve an import, relative if `level` is above zero, against the place of its file."""
    if level == 0:
        return module or ""
    folder, *parts = path.relative_to(ROOT).parts
    package = ".".join([PACKAGES.get(folder, folder), *parts[:-1]]).split(".")
    above = package[: len(package) - (level - 1)]
    return ".".join([*above, module] if module else above)


def within(name: str, trees: tuple[str, ...]) -> bool:
    """Tell whether a module is one of `trees` or lies below one."""
    return any(name == tree or name.startswith(f"{tree}.") for tree in trees)


IMPORTS = {name: imports(path.read_text("utf-8"), path) for name, path in FILES.items()}


def breaches(names: Iterable[str], *, of: tuple[str, ...], but: tuple[str, ...] = ()) -> dict:
    """Return, for each module of ours that imports `of` (save `but`), what it imports of it."""
    found = {
        name: {i for i in IMPORTS[name] if within(i, of) and not within(i, but)} for name in names
    }
    return {name: forbidden for name, forbidden in found.items() if forbidden}


def modules_of(folder: str) -> set[str]:
    """Return the names of all modules of a folder."""
    return {name for name, path in FILES.items() if path.is_relative_to(ROOT / folder)}


@pytest.mark.parametrize("folder", PACKAGES)
def test_every_folder_is_looked_at(folder):
    assert modules_of(folder) > {PACKAGES[folder]}


@pytest.mark.parametrize(
    ("source", "names"),
    [
        pytest.param("def f():\n import torch.nn", {"torch.nn"}, id="inside a function"),
        pytest.param("from shakeproof import results", {"shakeproof.results"}, id="a module"),
        pytest.param("from shakeproof.results import Run", {"shakeproof.results"}, id="a name"),
        pytest.param("from . import protocols", {"shakeproof.metrics.protocols"}, id="beside"),
        pytest.param("from ..results import Run", {"shakeproof.results"}, id="above"),
        pytest.param("import_module('torch')", {"torch"}, id="by a call"),
        pytest.param("importlib.import_module('torch')", {"torch"}, id="by a method call"),
    ],
)
def test_every_form_of_import_is_seen(source, names):
    assert imports(source, ROOT / "metrics" / "engine.py") == names


@pytest.mark.parametrize("folder", MAY_IMPORT)
def test_a_folder_imports_only_what_lies_below_it(folder):
    assert not breaches(modules_of(folder), of=("shakeproof",), but=MAY_IMPORT[folder])


def test_results_import_nothing_of_ours():
    assert not breaches(["shakeproof.results"], of=("shakeproof",))


def test_only_the_edges_of_the_checklist_know_the_reports():
    inner = {name for name in modules_of("checklist") if not within(name, MAY_RENDER)}

    assert not breaches(inner, of=("shakeproof.reports",))


def test_model_libraries_are_imported_only_where_models_are_loaded():
    others = {name for name in FILES if not within(name, MAY_LOAD_MODELS)}

    assert not breaches(others, of=MODEL_LIBRARIES)


def test_the_program_never_imports_a_folder_by_its_own_name():
    assert not breaches(FILES, of=tuple(PACKAGES))


@pytest.mark.parametrize("folder", ["tests", "benchmarks"])
def test_nothing_around_the_program_imports_a_folder_by_its_own_name(folder):
    files = (ROOT / folder).rglob("*.py")
    found = {path.name: imports(path.read_text("utf-8"), path) for path in files}

    assert not {name for name in found if any(within(i, tuple(PACKAGES)) for i in found[name])}
