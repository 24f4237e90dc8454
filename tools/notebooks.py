"""Execute the notebooks of docs/ and store their outputs; `make docs` calls this."""

from __future__ import annotations

import tempfile
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode

DOCS = Path(__file__).parent.parent / "docs"
SECONDS = 120  # that a cell may take


def execute(path: Path, folder: Path) -> NotebookNode:
    """Execute a notebook in a folder; an error of a cell is raised.

    What cells write to standard error, such as progress, is not kept: it depends on the machine.
    """
    notebook = nbformat.read(path, as_version=4)
    resources = {"metadata": {"path": str(folder)}}
    client = NotebookClient(
        notebook, timeout=SECONDS, resources=resources, record_timing=False, kernel_name="python3"
    )
    client.execute()
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = [output for output in cell.outputs if output.get("name") != "stderr"]
    return notebook


def main() -> None:
    """Execute each notebook in a temporary folder, and write it with its outputs."""
    for path in sorted(DOCS.glob("*.ipynb")):
        with tempfile.TemporaryDirectory() as folder:
            notebook = execute(path, Path(folder))
        notebook.metadata = {"kernelspec": notebook.metadata["kernelspec"]}
        nbformat.write(notebook, path)


if __name__ == "__main__":
    main()
