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
# The packages of the checklist, lowest first; a package imports only what stands before it, and
# those of one line nothing of each other.
LAYERS = (
    ("errors",),
    ("files", "results", "validation"),
    ("text",),
    ("data",),
    ("stats",),
    ("expectations",),
    ("spec",),
    ("plan",),
    ("scoring",),
    ("evidence",),
    ("runs",),
    ("api", "cli", "plugin", "studies"),
)
# The exceptions, with their reason.
MAY_ALSO_IMPORT = {
    "shakeproof.cli": ("shakeproof.studies",),  # `study` and `tune-layer` are commands
    "shakeproof.files": ("shakeproof.errors",),
}
# The edges of the checklist; only they hand a run to the reports.
MAY_RENDER = (
    "shakeproof.plugin.summary",
    "shakeproof.cli",
    "shakeproof.api.notebook_run",
    "shakeproof.api.mlflow_log",
)
# Who imports the front of the package: for its version.
FRONT_USERS = {"shakeproof.cli.main", "shakeproof.runs.assemble"}
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


def test_results_import_nothing_else_of_ours():
    own = ("shakeproof.results",)
    results = {name for name in FILES if within(name, own)}

    assert not breaches(results, of=("shakeproof",), but=own)


def layer_of(name: str) -> int | None:
    """Return the position of the layer of a module; None for the front and other folders."""
    parts = name.split(".")
    package = parts[1] if parts[0] == "shakeproof" and len(parts) > 1 else ""
    return next((at for at, names in enumerate(LAYERS) if package in names), None)


def test_every_package_of_the_checklist_has_a_layer():
    named = {name for names in LAYERS for name in names}
    packages = {name.split(".")[1] for name in modules_of("checklist") if "." in name}

    assert packages - named == {"__main__"}


def test_packages_of_the_checklist_import_to_the_left_only():
    upwards = {}
    for name in modules_of("checklist"):
        own = ".".join(name.split(".")[:2])
        layer = layer_of(name)
        allowed = (own, *MAY_ALSO_IMPORT.get(own, ()))
        upwards[name] = {
            imported
            for imported in IMPORTS[name]
            if layer is not None
            and (other := layer_of(imported)) is not None
            and other >= layer
            and not within(imported, allowed)
        }

    assert not {name: wrong for name, wrong in upwards.items() if wrong}


def test_nothing_of_the_program_imports_its_front():
    fronts = {name for name in FILES if "shakeproof" in IMPORTS[name]}

    assert fronts <= FRONT_USERS


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
