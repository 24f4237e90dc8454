"""--shakeproof-no-texts: no output of a run contains words of its data, whatever metrics do."""

from __future__ import annotations

from pathlib import Path

from torture.campaign import Report, Setting
from torture.programs import PYTEST, run

ROOT = Path(__file__).parents[2]
CASES = "tests/checklist/plugin/test_no_texts.py"


def no_texts(setting: Setting) -> Report:
    """Run the matrix of the tests, in full."""
    base = f"--basetemp={setting.folder / 'base'}"
    env = {"SHAKEPROOF_ALL_OUTPUTS": "1"}
    ended = run((*PYTEST, "-q", base, CASES), ROOT, seconds=900, env=env)
    broken = [f"exit code {ended.code}: {ended.last_line}"] if ended.code else []
    return Report(f"metrics and families that speak: {ended.last_line}", tuple(broken))
