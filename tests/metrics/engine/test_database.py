"""The folder of the score cache."""

import pytest

from shakeproof.metrics.engine.cache import Cache


@pytest.mark.parametrize(
    ("folder", "exists", "ignored"),
    [
        pytest.param(".shakeproof", False, True, id="a new one with a dot"),
        pytest.param("build", False, False, id="a new one without a dot"),
        pytest.param(".mine", True, False, id="one of the user"),
    ],
)
def test_git_ignores_only_a_hidden_folder_made_for_the_cache(tmp_path, folder, exists, ignored):
    place = tmp_path / folder
    if exists:
        place.mkdir()
    Cache(place / "scores.sqlite").close()

    assert (place / ".gitignore").exists() is ignored
    if ignored:
        assert (place / ".gitignore").read_text() == "*\n"
