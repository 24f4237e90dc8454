"""`shakeproof init`: checklists and CI files to start with, and nothing overwritten."""

import json

import pytest

from shakeproof.cli.main import main
from shakeproof.cli.starters import CHECKLIST
from shakeproof.spec.read import load

pytestmark = pytest.mark.usefixtures("folder")


def test_init_writes_a_checklist_that_is_valid(folder, written_files, capsys):
    assert main(["init", "checks", "--ci", "github", "--ci", "gitlab"]) == 0

    assert written_files() == {
        "checks/starter.checklist.yaml",
        "checks/checklist.schema.json",
        ".github/workflows/shakeproof.yml",
        ".github/workflows/shakeproof-comment.yml",
        ".gitlab-ci.yml",
    }
    assert len(load(folder / "checks" / "starter.checklist.yaml").checks) == 4
    assert "run it: pytest checks/starter.checklist.yaml" in capsys.readouterr().out


def test_init_points_editors_to_the_schema(folder):
    main(["init"])
    first, second, *_ = (folder / "starter.checklist.yaml").read_text().split("\n")

    assert first == "# yaml-language-server: $schema=checklist.schema.json"
    assert second == "# $schema: checklist.schema.json"
    assert json.loads((folder / "checklist.schema.json").read_text())["title"]


@pytest.mark.parametrize(
    ("there", "arguments"),
    [
        ("starter.checklist.yaml", []),
        (".github/workflows/shakeproof-comment.yml", ["--ci", "github"]),
    ],
)
def test_init_overwrites_nothing_and_then_writes_nothing(
    folder, written_files, capsys, there, arguments
):
    (folder / there).parent.mkdir(parents=True, exist_ok=True)
    (folder / there).write_text("mine")

    assert main(["init", *arguments]) == 2
    assert capsys.readouterr().err == f"{there}: exists already; nothing was written\n"
    assert written_files() == {there}
    assert (folder / there).read_text() == "mine"


@pytest.mark.parametrize("there", ["starter.checklist.yaml", "noise.checklist.yml"])
def test_init_adds_a_workflow_to_a_folder_that_has_a_checklist(
    folder, written_files, capsys, there
):
    (folder / there).write_text("mine")

    assert main(["init", "--ci", "gitlab"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"{there} exists already; left as it is",
        ".gitlab-ci.yml written",
        "run it: pytest .",
        "next: commit these files, and a baseline that later runs are compared with:",
        "  pytest --shakeproof-json=run.json",
        "  shakeproof baseline update run.json",
    ]
    assert written_files() == {there, ".gitlab-ci.yml"}
    assert (folder / there).read_text() == "mine"


def test_init_writes_a_checklist_that_is_named_beside_others(folder, written_files):
    (folder / "noise.checklist.yaml").write_text("mine")

    assert main(["init", "--name", "new", "--ci", "gitlab"]) == 0
    assert {"new.checklist.yaml", ".gitlab-ci.yml"} < written_files()


def test_init_with_a_checklist_and_a_workflow_writes_nothing(folder, written_files, capsys):
    there = {"starter.checklist.yaml", ".github/workflows/shakeproof.yml"}
    for name in there:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("mine")

    assert main(["init", "--ci", "gitlab", "--ci", "github"]) == 2
    assert capsys.readouterr().err == (
        ".github/workflows/shakeproof.yml: exists already; nothing was written\n"
    )
    assert written_files() == there


def test_init_writes_a_file_to_include_where_gitlab_has_a_file_already(
    folder, written_files, capsys
):
    (folder / ".gitlab-ci.yml").write_text("mine")

    assert main(["init", "--ci", "gitlab"]) == 0
    assert ".gitlab/shakeproof.gitlab-ci.yml" in written_files()
    assert (folder / ".gitlab-ci.yml").read_text() == "mine"
    line = "add this line to .gitlab-ci.yml: include: .gitlab/shakeproof.gitlab-ci.yml"
    assert line in capsys.readouterr().out.splitlines()


def test_init_writes_the_demo_that_is_part_of_the_package(folder, written_files, capsys):
    assert main(["init", "--demo"]) == 0

    assert written_files() == {"noise.checklist.yaml", "paraphrases.checklist.yaml"}
    assert [load(folder / name).title for name in sorted(written_files())]
    assert capsys.readouterr().out.splitlines()[-1] == (
        "run it: pytest . --shakeproof-report=report.html --shakeproof-json=run.json"
    )


def test_the_demo_has_no_other_name(folder, written_files, capsys):
    assert main(["init", "--demo", "--name", "mine"]) == 2
    assert "--demo takes no --name" in capsys.readouterr().err
    assert not written_files()


def test_init_writes_the_checklist_for_judges(folder, capsys):
    assert main(["init", "--judge"]) == 0
    assert [path.name for path in folder.iterdir()] == ["judge-bias.checklist.yaml"]
    assert "run it: pytest judge-bias.checklist.yaml" in capsys.readouterr().out
    assert main(["validate", "judge-bias.checklist.yaml"]) == 0
    assert main(["init", "--judge", "--name", "mine"]) == 2
    assert "--judge takes no --name" in capsys.readouterr().err


def test_the_starter_has_no_stray_braces():
    assert "{{" not in CHECKLIST.format(modeline="#")
