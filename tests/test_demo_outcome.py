"""How `make demo` ends: failed checks are findings, everything else is a broken set-up."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parent.parent / ".ci" / "demo_outcome.py"


def run_script(folder, code, outcomes):
    """Run the script as after a pytest that ended with `code` and wrote `outcomes`, or no run."""
    if outcomes is not None:
        results = [{"outcome": outcome} for outcome in outcomes]
        (folder / "run.json").write_text(json.dumps({"results": results}), encoding="utf-8")
        (folder / "report.html").touch()
    command = [sys.executable, SCRIPT, str(code), "run.json", "report.html"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("code", "outcomes", "message"),
    [
        pytest.param(0, ["passed", "undecided", "known failure"], "no check failed.", id="none"),
        pytest.param(1, ["passed", "failed"], "1 check failed", id="one"),
        pytest.param(1, ["failed", "unexpected pass"], "2 checks failed", id="two"),
    ],
)
def test_failed_checks_are_findings(tmp_path, code, outcomes, message):
    done = run_script(tmp_path, code, outcomes)

    assert done.returncode == 0
    assert f"The checklists ran: {message}" in done.stdout
    assert "report.html" in done.stdout


@pytest.mark.parametrize(
    ("code", "outcomes", "message"),
    [
        pytest.param(1, None, "pytest ended with exit code 1", id="no run written"),
        pytest.param(4, None, "pytest ended with exit code 4", id="usage error"),
        pytest.param(2, ["passed"], "pytest ended with exit code 2", id="interrupted"),
        pytest.param(1, ["passed", "error"], "1 of 2 checks ended in an error", id="an error"),
        pytest.param(
            10, ["failed", "error"], "1 of 2 checks ended in an error", id="code of errors"
        ),
        pytest.param(0, [], "0 of 0 checks", id="no check"),
    ],
)
def test_anything_else_is_a_broken_set_up(tmp_path, code, outcomes, message):
    done = run_script(tmp_path, code, outcomes)

    assert done.returncode == 1
    assert f"The demo is broken: {message}" in done.stderr
