"""The checklists that a newcomer meets first: every check catches some broken metric."""

import re
from pathlib import Path

import pytest

from shakeproof.cli.init import DEMO, JUDGE
from shakeproof.cli.main import main
from shakeproof.cli.starters import CHECKLIST
from shakeproof.spec.read import load

README = Path(__file__).parents[3] / "README.md"
SAMPLES = Path(__file__).parents[3] / "checklist" / "samples"


def readme_checklist():
    """Return the first checklist of the README."""
    return re.search(r"^```yaml\n(.+?)^```$", README.read_text("utf-8"), re.DOTALL | re.MULTILINE)[
        1
    ]


def test_make_and_init_know_every_checklist_of_the_demo():
    makefile = (SAMPLES.parents[1] / "Makefile").read_text("utf-8")
    demo = re.search(r"^DEMO := (.+)$", makefile, re.MULTILINE)[1].split()
    files = sorted(path.name for path in SAMPLES.glob("*.checklist.yaml"))

    assert demo == [f"checklist/samples/{file}" for file in DEMO]
    assert sorted([*DEMO, *JUDGE]) == files


def test_equal_names_of_the_demo_are_equal_metrics():
    noise, copying = (load(SAMPLES / file).metrics for file in DEMO)

    for name in ("deep", "bytes", "chrf"):
        assert noise[name].options == copying[name].options


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
