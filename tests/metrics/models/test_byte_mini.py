"""byte-mini: found by name, checked, small, and hardly touched by noise."""

import json
import math
import shutil
from pathlib import Path

import numpy as np
import pytest

from shakeproof.metrics.bertscore.scorer import BertScoreOptions, BertScorer
from shakeproof.metrics.models.files import (
    BYTE_MINI_FOLDER,
    BYTE_MINI_SHA256,
    ModelNotFound,
    find_model,
    layer_count,
    weights_sha256,
)
from shakeproof.metrics.models.layers import resolve_layer
from shakeproof.metrics.models.runtime import ModelRuntime
from shakeproof.metrics.models.truncation import overflow_scorer
from shakeproof.metrics.settings import Settings

ROOT = Path(__file__).parents[3]
MEGABYTE = 1_000_000
ATTACKS = ("visual", "intrude", "disemvowel", "keyboard-typo", "phonetic")
SEGMENTS = 60  # of each pair
TEXT = "The mayor opened the new bridge on Monday."
DAMAGED = "Thẽ m@yor op3ned teh nеw brdge 0n Mondey."  # noqa: RUF001  # a look-alike
OTHER = "Shares fell sharply after the bank's report."


def scorer(layer="last"):
    model_files = find_model("byte-mini", offline=True)
    return BertScorer(ModelRuntime(model_files, "cpu"), resolve_layer(layer, model_files))


def kendall(scores, preferences):
    right = sum(scores[better] > scores[worse] for better, worse in preferences)
    return right, len(preferences)


def test_it_is_found_by_name_and_is_what_it_says():
    model_files = find_model("byte-mini", offline=True)

    assert weights_sha256(model_files) == BYTE_MINI_SHA256
    assert model_files.title == "byte-mini"
    assert layer_count(model_files) == 3


def test_weights_that_were_changed_are_refused_in_one_line(tmp_path):
    folder = tmp_path / "byte-mini"
    shutil.copytree(BYTE_MINI_FOLDER, folder)
    with (folder / "model.safetensors").open("ab") as stream:
        stream.write(b"\0")

    message = "the weights of 'byte-mini' in .* but the official ones have"
    with pytest.raises(ModelNotFound, match=message) as caught:
        find_model("byte-mini", folder=tmp_path)
    assert "\n" not in str(caught.value)


def test_an_install_without_the_weights_says_so(monkeypatch, tmp_path):
    monkeypatch.setattr("shakeproof.metrics.models.files.BYTE_MINI_FOLDER", tmp_path)

    with pytest.raises(ModelNotFound, match="no model 'byte-mini'"):
        find_model("byte-mini", offline=True)


def test_the_weights_take_less_than_eight_megabytes():
    assert sum(path.stat().st_size for path in BYTE_MINI_FOLDER.iterdir()) < 8 * MEGABYTE


def test_all_that_is_shipped_takes_less_than_twelve_megabytes():
    folders = (ROOT / name for name in ("checklist", "metrics", "perturbations", "reports"))
    files = (path for folder in folders for path in folder.rglob("*") if path.suffix != ".pyc")

    assert sum(path.stat().st_size for path in files if path.is_file()) < 12 * MEGABYTE


def test_its_card_names_the_weights_that_are_shipped():
    assert BYTE_MINI_SHA256 in (ROOT / "docs" / "byte-mini.md").read_text(encoding="utf-8")


def test_its_files_hold_no_code_and_no_foreign_classes():
    config = json.loads((BYTE_MINI_FOLDER / "config.json").read_text(encoding="utf-8"))

    assert config["architectures"] == ["BertModel"]
    assert "auto_map" not in config
    assert sorted(path.name for path in BYTE_MINI_FOLDER.iterdir()) == [
        "config.json",
        "model.safetensors",
        "tokenizer_config.json",
    ]


@pytest.mark.model
@pytest.mark.parametrize("layer", ["first", "last", "mean", "mean-embedding", 0, 2])
def test_every_layer_sees_that_damage_is_not_another_meaning(layer):
    same, damaged, other = scorer(layer).score([(TEXT, TEXT), (DAMAGED, TEXT), (OTHER, TEXT)])

    assert same == pytest.approx(1, abs=1e-5)
    assert same > damaged > other


@pytest.mark.model
def test_damage_costs_less_than_half_of_what_another_meaning_costs():
    damaged, other = scorer().score([(DAMAGED, TEXT), (OTHER, TEXT)])

    assert 1 - damaged < 0.5 * (1 - other)


@pytest.mark.model
def test_it_is_named_in_a_checklist_like_any_model():
    metric = BertScoreOptions(model="byte-mini", layer="last").build({}, Settings(offline=True))

    assert "model:byte-mini" in metric.signature
    assert "layer:3/3" in metric.signature


@pytest.mark.model
def test_a_score_depends_on_its_texts_alone():
    pairs = [(DAMAGED, TEXT), (OTHER, TEXT), (TEXT, "x"), ("🙂", TEXT)]
    together = scorer().score(pairs)
    alone = [scorer().score([pair])[0] for pair in pairs]

    np.testing.assert_allclose(together, alone, atol=1e-5)
    np.testing.assert_array_equal(together, scorer().score(pairs))


@pytest.mark.model
@pytest.mark.parametrize(
    ("candidate", "reference"),
    [
        pytest.param("🙂👩‍👩‍👧", "🙂", id="emoji"),
        pytest.param("long " * 2000, "long " * 2000, id="10,000 characters"),
        pytest.param("שלום עולם", "שלום, עולם!", id="right to left"),
        pytest.param("\ud800", "a", id="lone surrogate"),
        pytest.param("漢字", "汉字", id="no Latin"),
    ],
)
def test_any_text_has_a_score(candidate, reference):
    found = scorer().score([(candidate, reference)])[0]

    assert math.isfinite(found)
    assert -1 <= found <= 1 + 1e-6


@pytest.mark.model
def test_an_empty_text_scores_nothing():
    assert scorer().score([("", TEXT), (TEXT, " ")]).tolist() == [0, 0]


@pytest.mark.model
def test_what_is_beyond_its_positions_is_counted_not_hidden():
    counted = overflow_scorer(scorer().runtime).score([("a" * 3000,)])[0]

    assert counted == 3001 - 2048


def agreement(segments, reference_of):
    """Compute the WMT Kendall of byte-mini with people, for some choice of references."""
    pairs = [(c["text"], reference_of(s)) for s in segments for c in s["candidates"]]
    scores = iter(scorer().score(pairs).tolist())
    counts = [
        kendall([next(scores) for _ in segment["candidates"]], segment["preferences"])
        for segment in segments
    ]
    right, all_ = map(sum, zip(*counts, strict=True))
    return (2 * right - all_) / all_


@pytest.fixture(scope="module")
def segments(shared):
    found = []
    for pair in ("gu-en", "kk-en"):
        with (shared / "data" / f"wmt19-{pair}.jsonl").open(encoding="utf-8") as lines:
            read = (json.loads(line) for line in lines)
            judged = (segment for segment in read if segment["preferences"])
            found += [segment for segment, _ in zip(judged, range(SEGMENTS), strict=False)]
    return found


@pytest.fixture(scope="module")
def clean(segments):
    return agreement(segments, lambda segment: segment["references"][0])


@pytest.mark.model
@pytest.mark.realdata
@pytest.mark.slow
@pytest.mark.parametrize("attack", ATTACKS)
def test_the_attacks_of_vu_et_al_leave_most_of_its_agreement_with_people(segments, clean, attack):
    attacked = agreement(
        segments, lambda segment: segment["perturbed"]["references"][attack]["0.3"][0]
    )

    assert attacked > 0.85 * clean
