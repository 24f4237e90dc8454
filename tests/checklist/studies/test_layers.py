"""The layer that agrees best with people, and the parts of a study that need a model."""

import json
from pathlib import Path

import pytest

from shakeproof.cli.main import main
from shakeproof.errors import SpecError
from shakeproof.metrics.engine.cache import Cache
from shakeproof.metrics.settings import Settings
from shakeproof.runs.config import RunConfig
from shakeproof.runs.driver import run_checklists
from shakeproof.studies import FOLDER, STUDIES, Study
from shakeproof.studies.available import prepare_study
from shakeproof.studies.layers import compare_layers, layer_checklist

pytestmark = pytest.mark.usefixtures("working_folder")

TEXTS = ("The cat sat on the mat.", "A cat was sitting on the mat.", "Dogs bark at night.")
RATINGS = (1.0, 0.7, 0.0)


def write(path, segments=3, *, ratings=True, preferences=False):
    rows = []
    for number in range(segments):
        candidates = [
            {"text": f"{text} {number}", **({"rating": rating} if ratings else {})}
            for text, rating in zip(TEXTS, RATINGS, strict=True)
        ]
        row = {"id": f"{number}", "references": [f"{TEXTS[0]} {number}"], "candidates": candidates}
        rows.append(row | ({"preferences": [[0, 1], [1, 2]]} if preferences else {}))
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def coefficient(*files, **more):
    (check,) = layer_checklist(files, "minilm", Settings(), **more).checks
    return check.expect.coefficient


@pytest.mark.model
def test_the_coefficient_goes_by_what_the_data_have(working_folder):
    rated = write(working_folder / "a.jsonl", preferences=True)
    preferred = write(working_folder / "b.jsonl", ratings=False, preferences=True)

    assert coefficient(rated) == "pearson"
    assert coefficient(preferred) == coefficient(rated, preferred) == "wmt-kendall"
    assert coefficient(rated, rating_gap=0.5) == "wmt-kendall, ratings 0.5 apart"
    assert coefficient(rated, coefficient="spearman") == "spearman"


@pytest.mark.model
def test_every_layer_is_a_metric_and_every_file_a_group(working_folder):
    (working_folder / "sub").mkdir()
    files = [write(working_folder / "a.jsonl"), write(working_folder / "sub" / "a.jsonl")]
    checklist = layer_checklist([*files, write(working_folder / "b.jsonl")], "minilm", Settings())

    assert list(checklist.metrics) == [f"layer-{number}" for number in range(7)]
    assert list(checklist.data) == [*(path.as_posix() for path in files), "b"]


@pytest.mark.model
def test_data_may_be_named(working_folder):
    checklist = layer_checklist([Path("sample")], "minilm", Settings())

    assert dict(checklist.data) == {"sample": "sample"}


def test_the_best_layer_is_shown_with_those_not_significantly_behind(working_folder, capsys):
    write(working_folder / "a.jsonl", 40)
    code = main(["tune-layer", "--data", "a.jsonl", "--model", "minilm", "--limit", "35"])
    lines = capsys.readouterr().out.splitlines()
    values = [float(line.split()[1]) for line in lines[1:8]]
    (best,) = [number for number, line in enumerate(lines[1:8]) if line.endswith("best")]

    assert code == 0
    assert values[best] == max(values)
    assert lines[8] == f"best: layer {best} of minilm, pearson {max(values):.3f}"
    assert all("[" in line for line in lines[1:8])


@pytest.mark.model
def test_layers_come_from_one_pass_for_all(working_folder, monkeypatch):
    from shakeproof.metrics.models.encoder import Encoder

    passes = []
    embed = Encoder.embed
    monkeypatch.setattr(
        Encoder, "embed", lambda self, *given: passes.append(len(given[1])) or embed(self, *given)
    )
    checklist = layer_checklist([write(working_folder / "a.jsonl")], "minilm", Settings())
    with Cache(None) as cache:
        layers = compare_layers(run_checklists([checklist], RunConfig(search=0), cache, command=""))

    assert passes == [7]
    assert [layer.layer for layer in layers] == list(range(7))
    assert all(layer.estimate.low is None for layer in layers)  # three segments have no interval
    assert [layer.behind for layer in layers].count(None) == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(["--data", "a.jsonl", "--model", "minilm"], "a.jsonl: no such", id="file"),
        pytest.param(
            ["--data", "b.jsonl", "--model", "no/such", "--offline"], "no model", id="model"
        ),
        pytest.param(
            ["--data", "c.jsonl", "--model", "minilm"], "needs preferences", id="no judgements"
        ),
    ],
)
@pytest.mark.model
def test_a_mistake_is_one_line(working_folder, capsys, arguments, message):
    write(working_folder / "b.jsonl")
    write(working_folder / "c.jsonl", ratings=False)

    assert main(["tune-layer", *arguments]) == 2
    errors = capsys.readouterr().err.splitlines()
    assert len(errors) == 1
    assert message in errors[0]


@pytest.mark.model
def test_equal_ratings_have_no_best_layer(working_folder):
    path = write(working_folder / "a.jsonl")
    path.write_text(path.read_text("utf-8").replace("0.7", "1.0").replace("0.0", "1.0"), "utf-8")
    checklist = layer_checklist([path], "minilm", Settings())
    with Cache(None) as cache:
        run = run_checklists([checklist], RunConfig(search=0), cache, command="")

    with pytest.raises(SpecError, match="ratings are 1"):
        compare_layers(run)


@pytest.mark.model
def test_figure_5_shows_tokens_that_match_less_and_less_in_later_layers(
    working_folder, run_in_memory
):
    name = "robust-bertscore-figure-5"
    study = Study("robust-bertscore", STUDIES["robust-bertscore"].paper, (name,), quick=1)
    (working_folder / f"{name}.jsonl").write_bytes((FOLDER / f"{name}.jsonl").read_bytes())
    available = prepare_study(study, working_folder, Settings(offline=True), models=["minilm"])
    run = run_in_memory(available, offline=True, search=10)
    facts = [metric.facts for metric in run.checklists[0].metrics]
    first, last = run.results
    (shallow,), (deep,) = first.examples, last.examples

    assert (first.metric, last.metric) == ("figure-5-minilm-first", "figure-5-minilm-last")
    assert shallow.score_before - shallow.score_after < deep.score_before - deep.score_after
    assert deep.matrix_before.candidate == deep.matrix_after.candidate
    assert "possible" in deep.matrix_before.reference
    assert "possible" not in deep.matrix_after.reference
    assert facts[0]["unknown tokens a reference, figure-5"] == 0.0
    assert last.realised.unknown > 0
