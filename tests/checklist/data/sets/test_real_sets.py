"""Public data sets, converted from snapshots of their repositories: texts, counts, statistics."""

import json
import os
import subprocess
from collections import Counter
from pathlib import Path

import pytest

import shakeproof
from shakeproof.cli.data_starters import data_starter
from shakeproof.data.imports.summedits import read_summedits
from shakeproof.data.loading import load_data
from shakeproof.data.sets.catalogue import SETS, collections
from shakeproof.data.sets.get import get_set
from shakeproof.data.sets.records import files_of
from shakeproof.metrics.settings import Settings
from shakeproof.plan.items import make_plan
from shakeproof.spec.read import parse

pytestmark = [pytest.mark.realdata, pytest.mark.slow]

VARIABLE = "SHAKEPROOF_SNAPSHOTS"
INCOMPLETE = {"summedits"}  # two large files, billsum and shakespeare, are not in the snapshots


@pytest.fixture(scope="module")
def clones(tmp_path_factory):
    """The files of all sets, out of git directories OWNER+NAME/repo, or the folder of clones."""
    named = os.environ.get(VARIABLE)
    if not named:
        pytest.skip(f"no snapshots of the public repositories; {VARIABLE} names their folder")
    files = {file.repository: [] for name in SETS for file in files_of(name)}
    for file in (file for name in SETS for file in files_of(name)):
        files[file.repository].append(file.path)
    folder = tmp_path_factory.mktemp("clones")
    for repository, paths in files.items():
        git = Path(named, repository.replace("/", "+"), "repo")
        if not git.is_dir():
            return Path(named)
        unpack(git, paths, folder / repository.split("/")[1])
    return folder


def unpack(git, paths, folder):
    asked = "".join(f"HEAD:{path}\n" for path in paths).encode()
    command = ["git", f"--git-dir={git}", "cat-file", "--batch"]
    content = subprocess.run(command, input=asked, capture_output=True, check=True).stdout
    for path in paths:
        header, _, content = content.partition(b"\n")
        if header.endswith(b" missing"):
            continue
        size = int(header.split()[-1])
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content[:size])
        content = content[size + 1 :]


@pytest.fixture(scope="module")
def here(clones, tmp_path_factory):
    """A folder into which all sets were brought."""
    folder = tmp_path_factory.mktemp("data")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SHAKEPROOF_DATA", str(folder))
        for name in SETS.keys() - INCOMPLETE:
            get_set(name, copy=clones, progress=lambda _file, _size: None)
        yield folder


def rows(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


@pytest.mark.parametrize(
    "name",
    [
        "twitter-para",
        "bq-para",
        "wmt19-gu-en",
        "wmt19-kk-en",
        "wmt21-flores-hi-bn",
        "wmt21-flores-xh-zu",
    ],
)
def test_the_segments_are_those_of_the_shared_file(here, shared, name):
    assert rows(here / f"{name}.jsonl") == rows(shared / "data" / f"{name}.jsonl")


@pytest.mark.parametrize("name", sorted(SETS.keys() - INCOMPLETE))
def test_the_number_of_segments_is_as_listed(here, name):
    assert len(load_data(name, folder=Path()).segments) == SETS[name].segments


@pytest.mark.parametrize(
    ("name", "candidates", "ratings", "preferences"),
    [
        ("wmt19-lt-en", 9_778, 0, 21_862),  # as many as in Vu et al., Table 2
        ("wmt19", 25_081, 0, 51_700),
        ("summeval", 1_600, 1_600, 0),  # 100 articles, 16 systems
        ("demetr", 70_000, 0, 31_305),  # "31K examples"
        ("llmbar", 838, 0, 419),
        ("evalbiasbench", 160, 0, 80),
    ],
)
def test_the_judgements_are_as_many_as_published(here, name, candidates, ratings, preferences):
    segments = load_data(name, folder=Path()).segments
    listed = [candidate for segment in segments for candidate in segment.candidates]

    assert len(listed) == candidates
    assert sum(candidate.rating is not None for candidate in listed) == ratings
    assert sum(len(segment.preferences) for segment in segments) == preferences


def test_the_parts_of_the_sets_are_as_many_as_published(here):
    demetr = Counter(row["group"] for row in rows(here / "demetr.jsonl"))
    llmbar = Counter(row["group"] for row in rows(here / "llmbar.jsonl"))

    assert (len(demetr), set(demetr.values())) == (35, {1000})
    assert llmbar == {"Natural": 100, "Neighbor": 134, "GPTInst": 92, "GPTOut": 47, "Manual": 46}


def test_the_domains_of_summedits_that_are_in_the_snapshots_are_as_large_as_published(clones):
    domains = Counter(row["group"] for row in read_summedits(clones / "factualNLG/data/summedits"))

    assert domains == {
        "ectsum": 668,
        "news": 819,
        "podcast": 500,
        "qmsumm": 431,
        "sales_call": 520,
        "sales_email": 613,
        "samsum": 664,
        "scitldr": 466,
    }


@pytest.mark.parametrize("name", sorted({*SETS, *collections()} - INCOMPLETE))
def test_the_first_checklist_of_a_set_finds_all_it_needs_in_the_data(here, tmp_path, name):
    plan = make_plan(
        parse(data_starter(name), tmp_path / "c.checklist.yaml"), Settings(offline=True), limit=50
    )

    assert plan.items
    assert not plan.failures


JUDGES = """\
data: llmbar
metrics: {gpt4: {stored: GPT-4 Vanilla}, chatgpt: {stored: ChatGPT Vanilla}}
checks:
  - check: the better answer wins in both orders
    expect: {prefers_better: {at_least: 0.8}}
"""


def test_judges_are_as_right_as_the_release_of_llmbar_says(here, tmp_path):
    """`correct_both` of the release: the right answer in both orders."""
    (tmp_path / "j.checklist.yaml").write_text(JUDGES)

    run = shakeproof.run(tmp_path / "j.checklist.yaml")

    shares = {
        result.metric: {
            part.group: part.estimate.value for part in result.parts if part.name == "share"
        }
        for result in run.results
    }
    assert shares["gpt4"] == pytest.approx(
        {
            "Natural": 93 / 100,
            "Neighbor": 101 / 134,
            "GPTInst": 77 / 92,
            "GPTOut": 35 / 47,
            "Manual": 33 / 46,
        }
    )
    assert shares["chatgpt"] == pytest.approx(
        {
            "Natural": 67 / 100,
            "Neighbor": 7 / 134,
            "GPTInst": 7 / 92,
            "GPTOut": 10 / 47,
            "Manual": 5 / 46,
        }
    )
