"""What is known of the public data sets, and where they are kept."""

from pathlib import Path

import pytest

from shakeproof.cli.data_starters import data_starter
from shakeproof.data.sets import download
from shakeproof.data.sets.catalogue import SETS, collections
from shakeproof.data.sets.convert import CONVERTERS
from shakeproof.data.sets.folder import data_folder
from shakeproof.data.sets.records import files_of
from shakeproof.spec.read import parse


@pytest.mark.parametrize("name", [*SETS, *collections()])
def test_the_first_checklist_of_every_set_is_valid(tmp_path, name):
    checklist = parse(data_starter(name), tmp_path / "c.checklist.yaml")

    assert checklist.data == {"": name}
    assert checklist.checks


@pytest.mark.parametrize(
    ("variables", "place"),
    [
        ({"SHAKEPROOF_DATA": "/own"}, Path("/own")),
        ({"XDG_CACHE_HOME": "/cache"}, Path("/cache/shakeproof/data")),
        ({}, Path.home() / ".cache/shakeproof/data"),
    ],
)
def test_the_folder_is_the_users_cache(monkeypatch, variables, place):
    for name in ("SHAKEPROOF_DATA", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)

    assert data_folder() == place


def test_every_set_has_files_at_a_commit_and_a_converter():
    for name, record in SETS.items():
        files = files_of(name)

        assert files
        assert all(len(file.commit) == 40 for file in files)
        assert record.collection or name in CONVERTERS
        assert all(
            (kind, len(digest)) in (("sha256", 64), ("git", 40))
            for kind, digest in (file.digest.split(":") for file in files)
        )
    assert download.BASE_URL.startswith("https://")
