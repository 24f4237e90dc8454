"""Models are found in the cache of the hub by their files."""

import json

from shakeproof.metrics.models.hub_cache import CachedModel, cached_encoders


def add_model(cache, name, config, weights=b"", commit="c1"):
    """Write a snapshot as the library of the hub does: links to blobs."""
    snapshot = cache / f"models--{name.replace('/', '--')}" / "snapshots" / commit
    snapshot.mkdir(parents=True)
    (snapshot / "config.json").write_text(config, encoding="utf-8")
    if weights:
        blob = snapshot.parents[1] / "blob"
        blob.write_bytes(weights)
        (snapshot / "model.safetensors").symlink_to(blob)


CONFIG = json.dumps({"num_hidden_layers": 12})


def test_models_with_weights_are_listed_with_the_size_of_their_files(tmp_path):
    add_model(tmp_path, "org/one", CONFIG, b"12345")
    add_model(tmp_path, "roberta-large", CONFIG, b"1")
    size = len(CONFIG)

    assert cached_encoders(tmp_path) == [
        CachedModel("org/one", size + 5),
        CachedModel("roberta-large", size + 1),
    ]


def test_what_cannot_be_scored_with_is_not_listed(tmp_path):
    add_model(tmp_path, "no-weights", CONFIG)
    add_model(tmp_path, "no-layers", "{}", b"1")
    add_model(tmp_path, "no-json", "<html>", b"1")
    add_model(tmp_path, "a-list", "[]", b"1")
    (tmp_path / "datasets--org--data").mkdir()

    assert cached_encoders(tmp_path) == []


def test_a_model_with_two_snapshots_is_listed_once(tmp_path):
    add_model(tmp_path, "one", CONFIG, b"1", commit="c1")
    add_model(tmp_path, "one", CONFIG, b"1", commit="c2")

    assert [model.name for model in cached_encoders(tmp_path)] == ["one"]


def test_a_cache_that_does_not_exist_has_no_models(tmp_path):
    assert cached_encoders(tmp_path / "nowhere") == []
