"""The commands: what they print and write, and how they report mistakes."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from shakeproof import __version__
from shakeproof.cli.main import COMMANDS, main
from shakeproof.cli.perturb import marked_edits
from shakeproof.cli.starters import CHECKLIST
from shakeproof.cli.terminal import table, width
from shakeproof.errors import SpecError
from shakeproof.files import write_text
from shakeproof.metrics.asking import Usage
from shakeproof.metrics.engine.cache import Cache
from shakeproof.metrics.engine.stored_usage import Counter
from shakeproof.spec.read import load
from shakeproof.spec.schema import checklist_schema

pytestmark = pytest.mark.usefixtures("folder")

GOOD = """\
data: d.jsonl
metrics: {chrf: {chrf: {}}}
checks:
  - check: capitals do not matter
    perturb: {upper-case: {on: candidate}}
    expect: {score_change: {at_most: 0.2}}
"""
SEGMENT = {"id": "1", "references": ["r"], "candidates": [{"text": "a", "rating": 1}]}
NAMES = [
    "init",
    "validate",
    "list",
    "perturb",
    "plan",
    "score",
    "mutants",
    "gallery",
    "report",
    "compare",
    "baseline",
    "rank",
    "study",
    "tune-layer",
    "schema",
    "cache",
    "data",
    "import",
    "export",
    "doctor",
]


def test_the_command_and_the_module_are_one():
    for command in ([str(Path(sys.executable).with_name("shakeproof"))], ["-m", "shakeproof"]):
        full = command if command[0] != "-m" else [sys.executable, *command]
        shown = subprocess.run([*full, "--version"], capture_output=True, text=True, check=True)

        assert shown.stdout == f"shakeproof {__version__}\n"


@pytest.mark.parametrize("name", NAMES)
def test_every_command_has_help_with_an_example(name, capsys):
    with pytest.raises(SystemExit) as exit_info:
        main([name, "--help"])

    assert exit_info.value.code == 0
    assert f"  shakeproof {name} " in capsys.readouterr().out.partition("example:\n")[2] + " "


def test_all_commands_are_tried_above():
    assert len(COMMANDS) == len(NAMES)


def test_starting_up_imports_nothing_heavy():
    heavy = "{'numpy', 'pydantic', 'ruamel', 'torch', 'transformers', 'scipy', 'pandas', 'pytest'}"
    code = f"import sys, shakeproof.cli.main; print({heavy} & sys.modules.keys())"

    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert shown.stdout == "set()\n"


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        pytest.param(["validate", "x.yaml"], "x.yaml: no such file", id="no checklist"),
        pytest.param(["validate"], "no *.checklist.yaml in .; shakeproof init", id="none found"),
        pytest.param(["report", "run.json"], "run.json: no such file", id="no run"),
        pytest.param(["compare", "a.json", "b.json"], "a.json: no such file", id="no runs"),
        pytest.param(["gallery", "-o", "no/x.html"], "no/x.html: cannot be written", id="no place"),
        pytest.param(
            ["perturb", "copy-reference", "x"],
            "'copy-reference' needs the references; give it with --reference TEXT",
            id="no reference",
        ),
        pytest.param(
            ["perturb", "visual", "--tokenizer", "./no", "x"],
            "no model './no': neither a folder",
            id="no tokenizer",
        ),
        pytest.param(["cache", "info"], ".shakeproof/scores.sqlite: no score cache", id="no cache"),
        pytest.param(
            ["perturb", "vissual", "x"],
            "unknown perturbation 'vissual'; did you mean 'visual'?",
            id="unknown family",
        ),
        pytest.param(
            ["perturb", "visual", "--level", "3", "x"],
            "levels of 'visual' must be numbers above 0 and up to 1, got 3",
            id="level out of range",
        ),
        pytest.param(
            ["perturb", "upper-case", "--level", "1", "x"],
            "'upper-case' is on or off and takes no level",
            id="level of a switch",
        ),
        pytest.param(
            ["perturb", "copy-input", "x"],
            "'copy-input' needs the source; give it with --source TEXT",
            id="no source",
        ),
        pytest.param(["schema", "-o", "no/x.json"], "no/x.json: cannot be written", id="no folder"),
        pytest.param(
            ["import", "csv", "x.csv", "-o", "y.jsonl"], "x.csv: no such file", id="no table"
        ),
    ],
)
def test_a_mistake_is_one_line_exit_code_2_and_nothing_written(
    written_files, capsys, arguments, line
):
    code = main(arguments)
    out, err = capsys.readouterr()

    assert code == 2
    assert out == ""
    assert err.startswith(line)
    assert err.count("\n") == 1
    assert written_files() == set()


def test_validate_counts_what_is_there(folder, capsys):
    (folder / "a.checklist.yaml").write_text(GOOD)
    (folder / "d.jsonl").write_text(json.dumps(SEGMENT))

    assert main(["validate", "a.checklist.yaml"]) == 0
    assert capsys.readouterr().out == (
        "a.checklist.yaml: 1 metric, 1 check, 1 item, 1 segment; no mistakes\n"
    )


def test_validate_reports_the_mistakes_of_all_files_and_of_their_data(folder, capsys):
    (folder / "a.checklist.yaml").write_text(GOOD.replace("chrf: {}", "chrff: {}"))
    (folder / "sub").mkdir()
    (folder / "sub" / "b.checklist.yml").write_text(GOOD)
    (folder / "sub" / "d.jsonl").write_text("oops\n")
    (folder / "c.checklist.yaml").write_text(GOOD.replace("d.jsonl", "sample"))

    assert main(["validate"]) == 2
    out, err = capsys.readouterr()
    assert err.splitlines() == [
        "a.checklist.yaml:2:18: unknown metric kind 'chrff'; did you mean 'chrf'?",
        "sub/d.jsonl:1: not JSON: expecting value at column 1",
    ]
    assert out.startswith("c.checklist.yaml: 1 metric, 1 check, 1 item, ")


def test_validate_without_data_reads_none(folder, capsys):
    (folder / "a.checklist.yaml").write_text(GOOD)

    assert main(["validate", "--no-data", "a.checklist.yaml"]) == 0
    assert capsys.readouterr().out == "a.checklist.yaml: 1 metric, 1 check, 1 item; no mistakes\n"


def test_validate_reports_what_the_data_lack(folder, capsys):
    (folder / "a.checklist.yaml").write_text(GOOD)
    (folder / "d.jsonl").write_text(json.dumps({**SEGMENT, "references": []}))

    assert main(["validate", "a.checklist.yaml"]) == 2
    assert "metric 'chrf' needs references" in capsys.readouterr().err


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


def test_schema_goes_to_standard_output_or_a_file(folder, capsys):
    assert main(["schema"]) == 0
    shown = capsys.readouterr().out
    assert main(["schema", "-o", "s.json"]) == 0

    assert (folder / "s.json").read_text(encoding="utf-8") == shown
    assert json.loads(shown) == checklist_schema()
    assert len(shown) < 100_000
    assert "# yaml-language-server: $schema=s.json" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("topic", "names"),
    [
        ("metrics", ["bertscore", "chrf", "parascore", "python", "stored"]),
        ("expectations", ["copy_penalty", "correlation_drop", "score_change"]),
        ("data", ["sample", "sts-captions"]),
    ],
)
def test_list_names_everything(capsys, topic, names):
    assert main(["list", topic]) == 0
    shown = capsys.readouterr().out

    firsts = {line.split(" ")[0] for line in shown.split("\n")}
    assert set(names) <= firsts
    assert max(map(width, shown.split("\n"))) <= 80


@pytest.mark.parametrize(
    ("before", "after", "shown"),
    [
        pytest.param("abc", "abc", "abc", id="nothing"),
        pytest.param("", "", "", id="empty"),
        pytest.param("abc", "axc", "a[-b-]{+x+}c", id="replaced"),
        pytest.param("abc", "ac", "a[-b-]c", id="removed"),
        pytest.param("ac", "abc", "a{+b+}c", id="added"),
    ],
)
def test_edits_are_marked(before, after, shown):
    assert marked_edits(before, after, colour=False) == shown


def test_edits_are_coloured_if_colours_are_used():
    assert marked_edits("abc", "axc", colour=True) == "a\x1b[9;31mb\x1b[0m\x1b[1;32mx\x1b[0mc"


def test_validate_survives_every_broken_file(capsys):
    broken = sorted((Path(__file__).parents[1] / "spec" / "broken").glob("*.yaml"))

    assert main(["validate", "--run-code", *map(str, broken)]) == 2
    assert capsys.readouterr().out == ""


def test_a_signature_is_shown_in_one_line_however_narrow_the_terminal(folder, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    signature = "chrf|" + "setting:value|" * 20
    with Cache(folder / "scores.sqlite") as cache:
        cache.put_many(signature, [("a", "b")], np.array([1.0]))
    main(["cache", "info", "--file", "scores.sqlite"])

    assert f"1       {signature}\n" in capsys.readouterr().out


def test_the_cache_is_shown_and_emptied(folder, capsys):
    with Cache(folder / "scores.sqlite") as cache:
        cache.put_many("chrf|v:1", [("a", "b"), ("a", "c")], np.array([1.0, 2.0]))

    assert main(["cache", "info", "--file", "scores.sqlite"]) == 0
    assert "2       chrf|v:1" in capsys.readouterr().out
    assert main(["cache", "clear", "--file", "scores.sqlite"]) == 0
    assert capsys.readouterr().out.startswith("deleted 2 scores")
    with Cache(folder / "scores.sqlite") as cache:
        assert cache.info().scores == {}


def test_the_cache_shows_what_answers_cost(folder, capsys):
    with Cache(folder / "scores.sqlite") as cache:
        cache.put_answers(
            {("a",): 4.0}, [Counter("run", "judge|v:1", "m", True, Usage(1, 1200, 9))]
        )
    main(["cache", "info", "--file", "scores.sqlite"])

    shown = "1 call with 1,200 + 9 tokens answered by 'm': judge|v:1"
    assert shown in capsys.readouterr().out


def test_a_closed_pipe_is_no_error():
    code = "import sys; from shakeproof.cli.main import main; sys.exit(main(['list', 'metrics']))"
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    process.stdout.close()

    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait() == 0


def test_a_terminal_of_another_encoding_is_no_error():
    shown = subprocess.run(
        [sys.executable, "-m", "shakeproof", "perturb", "visual", "--level", "1", "agreement"],
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        check=True,
    )

    assert b"\\u" in shown.stdout


def test_a_failing_write_leaves_the_old_file_and_no_other(folder, written_files, monkeypatch):
    (folder / "old.txt").write_text("old")
    monkeypatch.setattr(Path, "replace", refuse)

    with pytest.raises(SpecError, match="cannot be written: disk full"):
        write_text(folder / "old.txt", "new")

    assert written_files() == {"old.txt"}
    assert (folder / "old.txt").read_text() == "old"


def refuse(*_):
    raise OSError(28, "Disk full")


def test_tables_line_up_also_with_wide_characters():
    shown = table(("a", "b"), [("界", "x"), ("é", "y")])

    assert [width(line) for line in shown.split("\n")] == [5, 5, 5]
