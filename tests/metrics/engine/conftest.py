"""Where the tests of the score cache keep it."""

import pytest


@pytest.fixture
def path(tmp_path):
    return tmp_path / "folder" / "scores.sqlite"
