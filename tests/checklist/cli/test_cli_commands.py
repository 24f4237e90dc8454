"""All commands: help, fast start, mistakes in one line; and the short commands list and schema."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from shakeproof import __version__
from shakeproof.cli.main import COMMANDS, main
from shakeproof.cli.terminal import width
from shakeproof.spec.schema import checklist_schema

pytestmark = pytest.mark.usefixtures("folder")

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


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(("validate", "{}"), id="validate"),
        pytest.param(("plan", "{}"), id="plan"),
        pytest.param(("compare", "{}", "{}"), id="compare"),
        pytest.param(("baseline", "update", "{}"), id="baseline"),
        pytest.param(("data", "get", "summeval", "--from", "{}"), id="data"),
        pytest.param(("study", "parascore", "--data", "{}"), id="study"),
        pytest.param(("init", "{}"), id="init"),
        pytest.param(("doctor", "--cache", "{}"), id="doctor"),
    ],
)
def test_a_name_that_is_too_long_for_a_file_is_one_line(command, capsys):
    name = "a" * 400
    code = main([part.format(name) for part in command])
    line = capsys.readouterr().err

    assert code == 2
    assert line.count("\n") == 1
    assert name in line


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
