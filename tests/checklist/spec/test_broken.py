"""Every mistake a checklist can hold, and the lines a user then sees."""

from itertools import groupby
from pathlib import Path

import pytest

from shakeproof.errors import SpecError
from shakeproof.spec.read import load

FOLDER = Path(__file__).parent / "broken"
LINES = (FOLDER / "expected.txt").read_text(encoding="utf-8").splitlines()
EXPECTED = {file: list(lines) for file, lines in groupby(LINES, lambda line: line.split(":")[0])}


@pytest.mark.parametrize("file", EXPECTED)
def test_a_broken_checklist_gives_exactly_its_lines(file, monkeypatch):
    monkeypatch.chdir(FOLDER)

    with pytest.raises(SpecError) as caught:
        load(Path(file))

    assert str(caught.value).split("\n") == EXPECTED[file]


def test_every_broken_file_has_expected_lines():
    assert {path.name for path in FOLDER.glob("*.yaml")} == set(EXPECTED)


def test_there_are_many_broken_files():
    assert len(EXPECTED) >= 60
