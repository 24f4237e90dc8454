"""What the tests of commands share."""

import pytest


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty working folder, with a terminal of 80 columns."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    return tmp_path


@pytest.fixture
def written_files(folder):
    """A function that returns the files in the working folder, by relative path."""
    return lambda: {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
