"""The notebook of docs/ runs, and its outputs are the stored ones."""

import re
from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat")
notebooks = pytest.importorskip("notebooks", reason="nbclient is not installed")

PATH = Path(__file__).parent.parent / "docs" / "notebook.ipynb"
NUMBER = re.compile(r"\d+(?:\.\d+)?")
NAME = re.compile(r"chart-[0-9a-f]{12}")  # of a chart: a hash of all its numbers


def outputs(notebook):
    """Yield the texts that the cells show."""
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            shown = output.get("data") or {"text": output["text"]}
            yield from (NAME.sub("chart", shown[kind]) for kind in sorted(shown))


@pytest.mark.slow
@pytest.mark.filterwarnings("default")  # of Jupyter's own packages
def test_the_notebook_shows_the_stored_numbers(tmp_path):
    stored = list(outputs(nbformat.read(PATH, as_version=4)))
    executed = list(outputs(notebooks.execute(PATH, tmp_path)))

    assert len(stored) > 8
    assert len(executed) == len(stored)
    for new, old in zip(executed, stored, strict=True):
        assert NUMBER.sub("0", new) == NUMBER.sub("0", old)
        numbers = [list(map(float, NUMBER.findall(text))) for text in (new, old)]
        assert numbers[0] == pytest.approx(numbers[1], rel=1e-3, abs=2e-3)
    assert (tmp_path / "report.html").is_file()


def test_the_notebook_is_small_and_complete():
    cells = nbformat.read(PATH, as_version=4).cells
    code = [cell for cell in cells if cell.cell_type == "code"]

    assert PATH.stat().st_size < 100_000
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    assert not [cell for cell in code[:-1] if not cell.outputs]
