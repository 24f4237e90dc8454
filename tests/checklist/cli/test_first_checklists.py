"""The checklists that a newcomer meets first: every check catches some broken metric."""

import re
from pathlib import Path

import pytest

from shakeproof.cli.main import main
from shakeproof.cli.starters import CHECKLIST

README = Path(__file__).parents[3] / "README.md"
SAMPLES = Path(__file__).parents[3] / "checklist" / "samples"


def readme_checklist():
    """Return the first checklist of the README."""
    return re.search(r"^```yaml\n(.+?)^```$", README.read_text("utf-8"), re.DOTALL | re.MULTILINE)[
        1
    ]


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    """A score cache that both checklists share."""
    return tmp_path_factory.mktemp("cache") / "scores.sqlite"


def test_the_checklist_of_the_readme_has_ten_lines():
    assert len(readme_checklist().splitlines()) == 10


@pytest.mark.model
@pytest.mark.captions
@pytest.mark.parametrize(
    "text", [readme_checklist(), CHECKLIST.format(modeline="#")], ids=["README", "init"]
)
def test_no_check_is_vacuous(text, cache, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("first.checklist.yaml").write_text(text, encoding="utf-8")
    arguments = ("--metric", "deep", "--limit", "60", "--cache", str(cache), "--offline")

    assert main(["mutants", "first.checklist.yaml", *arguments]) == 0, capsys.readouterr().out
