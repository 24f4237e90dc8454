"""The pages of docs/ say what the code declares."""

import re
from importlib import import_module
from pathlib import Path

import pytest
import write_docs

from shakeproof.expectations import EXPECTATIONS
from shakeproof.metrics.judges.options import JudgeOptions, JudgePairsOptions

ROOT = Path(__file__).parent.parent
PAGES = sorted((ROOT / "docs").glob("*.md"))
EXAMPLE = ROOT / "docs" / "example"
LINKING = [*PAGES, *ROOT.glob("*.md"), *EXAMPLE.glob("*.md")]
SHOWN_CODE = [*PAGES, *EXAMPLE.glob("*.py")]
STUDIES = ROOT / "checklist" / "studies"


def importable(name):
    """Return whether a dotted name is a module of the program or a name in one."""
    try:
        import_module(name)
    except ImportError:
        module, _, attribute = name.rpartition(".")
        return hasattr(import_module(module), attribute)
    return True


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_the_tables_of_a_page_are_current(path):
    page = path.read_text(encoding="utf-8")

    assert page == write_docs.update_tables(page), "run: make docs"


def test_every_table_is_on_one_page():
    pages = [path.read_text(encoding="utf-8") for path in PAGES]
    names = [name for page in pages for _, name, _ in write_docs.TABLE.findall(page)]

    assert sorted(names) == sorted(write_docs.TABLES)


def test_a_table_is_replaced_between_its_marks():
    old = "before\n<!-- table: axioms -->\nold\n<!-- end of table -->\nafter\n"
    new = write_docs.update_tables(old)

    assert "old" not in new
    assert new.startswith("before\n<!-- table: axioms -->\n| axiom |")
    assert new.endswith(" |\n<!-- end of table -->\nafter\n")


def test_a_bar_in_a_cell_does_not_end_the_cell():
    assert write_docs.table(("a",), [("none|holm",)]) == "| a |\n| --- |\n| none\\|holm |\n"


def test_the_page_about_judges_lists_every_option_with_its_default():
    page = (ROOT / "docs" / "judges.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| (.*?) \|", page.split("\n## ")[2], re.MULTILINE)
    fields = {**JudgeOptions.model_fields, **JudgePairsOptions.model_fields}
    numbers = {name: field.default for name, field in fields.items() if field.default is not None}

    assert {name for name, _ in rows} == fields.keys()
    assert all(
        float(default) == numbers[name] for name, default in rows if default.strip().isdigit()
    )


def test_the_search_page_lists_every_setting_of_the_search():
    page = (ROOT / "docs" / "search.md").read_text(encoding="utf-8")
    rows = re.search(r"^\| setting .*\n\|---.*\n((?:\|.*\n)+)", page, re.MULTILINE)[1]
    first_cells = [row.split("|")[1] for row in rows.splitlines()]
    listed = [name for cell in first_cells for name in re.findall("`(.+?)`", cell)]
    settings = [field.alias or name for name, field in EXPECTATIONS["search"].model_fields.items()]

    assert sorted(listed) == sorted(settings)


@pytest.mark.parametrize("path", LINKING, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_targets_of_links_between_pages_exist(path):
    targets = re.findall(r"\]\((?!https?:|#)([^)#\s]+)", path.read_text(encoding="utf-8"))

    assert not [target for target in targets if not (path.parent / target).exists()]


@pytest.mark.parametrize("path", LINKING, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_files_and_modules_that_a_page_names_exist(path):
    page = path.read_text(encoding="utf-8")
    folders = "checklist|metrics|perturbations|reports|tests|tools|benchmarks|docs"
    files = re.findall(rf"`((?:{folders})/[\w./-]*\w/?)`", page)
    modules = re.findall(r"`(shakeproof(?:\.[a-z_]+)+)", page)

    assert not [name for name in files if not (ROOT / name).exists()]
    assert not [name for name in modules if not importable(name)]


@pytest.mark.parametrize("path", SHOWN_CODE, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_shown_code_imports_what_the_front_of_a_package_offers(path):
    imports = re.findall(
        r"^from (shakeproof[\w.]*) import (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE
    )
    offered = {module: import_module(module) for module, _ in imports}

    assert all(hasattr(module, "__path__") for module in offered.values())
    for module, names in imports:
        assert set(names.split(", ")) <= set(offered[module].__all__)


def test_rows_that_the_page_of_the_studies_names_are_checks_of_a_study():
    text = " ".join((ROOT / "docs" / "studies.md").read_text(encoding="utf-8").split())
    rows = [row.split("::") for row in re.findall(r"`([^`]+::[^`]+)`", text)]
    named = {row[-2].removesuffix(" (…)") for row in rows if len(row) > 2}
    studies = "".join(path.read_text(encoding="utf-8") for path in STUDIES.glob("*.checklist.yaml"))

    assert not [check for check in named if f"- check: {check}" not in studies]
