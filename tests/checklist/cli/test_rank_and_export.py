"""Metrics are ranked, and scores are exported to mt-metrics-eval's layout and read again."""

import json

import numpy as np
import pytest

from shakeproof.cli.main import main
from shakeproof.data.imports.mtme import read_folder

SYSTEMS = ("alpha", "beta", "gamma")
CHECKLIST = """\
data: {data}
language: en
metrics:
  good: {{stored: good}}
  poor: {{stored: poor}}
  words: {{word-f1: {{}}}}
  length: {{length: {{}}}}
checks:
  - check: agreement
    metrics: [good]
    expect: {{correlation: {{coefficient: soft-pairwise, by: system, at_least: 0.5}}}}
"""
SOURCE_METRICS = """\
free: {edit-similarity-free: {}}
  either: {parascore: {similarity: words, omega: 0.1}}"""


def segments(count=40, missing=()):
    rng = np.random.default_rng(1)
    for number in range(count):
        quality = np.arange(3) / 2 + rng.normal(size=3)
        noise = rng.normal(size=(2, 3)) * [[0.1], [3.0]]
        candidates = [
            {
                "text": f"word {number} {system}" + " more" * place,
                "rating": float(quality[place]),
                "systems": [system],
                "scores": {
                    "good": float(quality[place] + noise[0, place]),
                    "poor": float(quality[place] + noise[1, place]),
                },
            }
            for place, system in enumerate(SYSTEMS)
            if (number, system) not in missing
        ]
        yield {"id": str(number + 1), "references": [f"word {number}"], "candidates": candidates}


@pytest.fixture
def write(folder):
    """Write data and a checklist for them."""

    def write(rows, data="data.jsonl", name="data.jsonl"):
        text = "".join(json.dumps(row) + "\n" for row in rows)
        (folder / name).write_text(text, encoding="utf-8")
        (folder / "m.checklist.yaml").write_text(CHECKLIST.format(data=data), encoding="utf-8")

    return write


def export(*options):
    return main(["export", "mt-metrics-eval", "m.checklist.yaml", "-o", "out", *options])


def score_lines(folder, name):
    return (folder / "out" / "metric-scores" / name).read_text().splitlines()


def test_metrics_are_listed_by_rank(write, capsys):
    write(segments())

    assert main(["rank", "m.checklist.yaml", "--coefficient", "pearson"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "pearson with people (all candidates)"
    assert lines[2].split()[:2] == ["1", "good"]
    assert lines[2].endswith("poor, words, length") or "poor" in lines[2]
    assert lines[3].split()[0] == "2"


def test_soft_pairwise_ranks_by_system(write, capsys):
    write(segments())

    assert main(["rank", "m.checklist.yaml", "--coefficient", "soft-pairwise"]) == 0
    assert capsys.readouterr().out.startswith("soft-pairwise between systems with people")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        pytest.param(
            ("--coefficient", "soft-pairwise", "--by", "segment"),
            "soft-pairwise compares systems; add by: system",
            id="not by system",
        ),
        pytest.param(("--coefficient", "peerson"), "did you mean 'pearson'", id="misspelt"),
        pytest.param(("--rating-gap", "2"), "rating_gap belongs to wmt-kendall", id="no pairs"),
    ],
)
def test_a_mistaken_coefficient_is_one_line(options, message, write, capsys):
    write(segments())

    assert main(["rank", "m.checklist.yaml", *options]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


def test_ratings_that_are_all_equal_rank_nothing(write, capsys):
    rows = list(segments())
    for row in rows:
        for candidate in row["candidates"]:
            candidate["rating"] = 1.0
    write(rows)

    assert main(["rank", "m.checklist.yaml"]) == 2
    assert capsys.readouterr().err.endswith("no metric can be ranked\n")


def test_scores_are_written_by_system_and_segment(folder, write, capsys):
    rows = list(segments())
    write(rows)

    assert export("--pair", "en-de", "--reference", "refA") == 0
    assert capsys.readouterr().out == "out: 8 files written\n"
    written = score_lines(folder, "en-de/good-refA.seg.score")
    expected = [
        f"{system}\t{row['candidates'][place]['scores']['good']}"
        for place, system in enumerate(SYSTEMS)
        for row in rows
    ]
    assert written == expected
    means = [
        float(line.split("\t")[1]) for line in score_lines(folder, "en-de/good-refA.sys.score")
    ]
    by_system = np.reshape([float(line.split("\t")[1]) for line in written], (3, -1))
    assert means == pytest.approx(by_system.mean(axis=1))


def test_files_name_what_a_metric_compares_with(folder, write, written_files):
    write({**row, "source": "word"} for row in segments())
    path = folder / "m.checklist.yaml"
    path.write_text(path.read_text().replace("length: {length: {}}", SOURCE_METRICS))
    export("--pair", "en-de")

    names = {name.split("/")[-1] for name in written_files() if name.endswith("sys.score")}
    assert names == {
        "good-all.sys.score",
        "poor-all.sys.score",
        "words-all.sys.score",
        "free-src.sys.score",
        "either-all.sys.score",
    }


def test_what_was_exported_is_imported_again(folder, write):
    rows = list(segments())
    write(rows)
    export("--pair", "en-de", "--reference", "refA")
    texts = {
        "sources/en-de.txt": ["x"] * len(rows),
        "references/en-de.refA.txt": [row["references"][0] for row in rows],
        **{
            f"system-outputs/en-de/{system}.txt": [row["candidates"][at]["text"] for row in rows]
            for at, system in enumerate(SYSTEMS)
        },
    }
    for name, lines in texts.items():
        path = folder / "out" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"{line}\n" for line in lines))

    imported = read_folder(folder / "out", "en-de", scores=["good", "poor"])

    assert [[candidate["scores"] for candidate in row["candidates"]] for row in imported] == [
        [candidate["scores"] for candidate in row["candidates"]] for row in rows
    ]


def test_an_output_that_a_system_lacks_has_no_score(folder, write):
    write(segments(missing={(0, "beta"), (2, "beta")}))
    export("--pair", "en-de")

    lines = [line.split("\t") for line in score_lines(folder, "en-de/words-all.seg.score")]
    assert [number for number, (_, score) in enumerate(lines) if score == "None"] == [40, 42]
    assert len(lines) == 120


def test_groups_are_language_pairs(folder, write, written_files):
    write(segments(35), data="{en-de: a.jsonl, en-ru: b.jsonl}", name="a.jsonl")
    write(segments(45), data="{en-de: a.jsonl, en-ru: b.jsonl}", name="b.jsonl")

    assert export() == 0
    assert len(score_lines(folder, "en-de/good-all.seg.score")) == 105
    assert len(score_lines(folder, "en-ru/good-all.seg.score")) == 135


@pytest.mark.parametrize(
    ("options", "message"),
    [
        pytest.param((), "add --pair, as en-de", id="no pair"),
        pytest.param(("--pair", "en de"), "language pair 'en de' has a space", id="a space"),
        pytest.param(
            ("--pair", "en-de", "--reference", "ref-A"), "names without '-'", id="a hyphen"
        ),
    ],
)
def test_names_that_the_layout_cannot_hold_are_refused(
    options, message, write, capsys, written_files
):
    write(segments())

    assert export(*options) == 2
    assert message in capsys.readouterr().err
    assert not any(name.startswith("out") for name in written_files())


def test_candidates_without_systems_cannot_be_exported(write, capsys, folder):
    rows = list(segments())
    for row in rows:
        for candidate in row["candidates"]:
            del candidate["systems"]
    write(rows)
    path = folder / "m.checklist.yaml"
    path.write_text(path.read_text().replace("coefficient: soft-pairwise, by: system, ", ""))

    assert export("--pair", "en-de") == 2
    assert "the candidates name no systems" in capsys.readouterr().err


def test_a_metric_that_fails_is_named_and_the_others_are_written(folder, write, capsys):
    (folder / "mine.py").write_text("def broken(candidate, reference):\n    raise OSError('no')\n")
    write(segments())
    path = folder / "m.checklist.yaml"
    path.write_text(path.read_text().replace("word-f1: {}", "python: mine:broken"))

    assert export("--pair", "en-de") == 10
    captured = capsys.readouterr()
    assert "metric 'words'" in captured.err
    assert captured.out == "out: 6 files written\n"


def test_metrics_are_ranked_by_the_aspect_that_the_checklist_names(write, folder, capsys):
    rows = list(segments())
    for candidate in (one for row in rows for one in row["candidates"]):
        candidate["ratings"] = {"poor": candidate["scores"]["poor"], "other": 1.0}
    write(rows)
    path = folder / "m.checklist.yaml"
    path.write_text(f"rating: poor\n{path.read_text(encoding='utf-8')}", encoding="utf-8")

    assert main(["rank", "m.checklist.yaml"]) == 0
    header, _, best, *_ = capsys.readouterr().out.splitlines()
    assert header.startswith("pearson for poor with people")
    assert best.split()[:3] == ["1", "poor", "1.000"]
