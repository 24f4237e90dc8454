"""What a model cuts off is counted by its tokenizer alone, as the model itself would count."""

import numpy as np
import pytest

from shakeproof.metrics.models import truncation
from shakeproof.metrics.models.encoder import load_encoder
from shakeproof.metrics.models.files import ModelFiles
from shakeproof.metrics.models.runtime import ModelRuntime
from shakeproof.metrics.models.tokenizer_files import count_overflow, read_token_limit
from shakeproof.metrics.models.truncation import TextTruncation, overflow_scorer
from shakeproof.metrics.protocols import Instance

IN_FILES = ["bert", "distilbert", "electra", "modernbert", "mpnet", "roberta", "xlm-roberta"]
NOT_IN_FILES = ["albert", "byt5", "canine", "gpt2", "xlm", "xlnet"]
TEXTS = [
    "",
    "   ",
    "hello",
    "a " * 509,
    "a " * 510,
    "a " * 511,
    " a" * 512,
    "word " * 2_000,
    "\U0001f600" * 600,
    "שלום עולם " * 90,
    "ab \ud800 c" * 100,
    "[SEP] <s> </s> [CLS] " * 200,
]


@pytest.mark.parametrize("kind", IN_FILES)
def test_files_tell_what_the_live_model_cuts_off(tiny, kind):
    model_files = tiny(kind)
    encoder = load_encoder(model_files, "cpu", "float32")

    assert read_token_limit(model_files) == encoder.limit
    assert count_overflow(model_files, TEXTS) == encoder.count_overflow(TEXTS)


@pytest.mark.model
def test_minilms_files_tell_what_it_cuts_off(minilm_files):
    assert count_overflow(minilm_files, TEXTS) == load_encoder(
        minilm_files, "cpu", "float32"
    ).count_overflow(TEXTS)


@pytest.mark.parametrize("kind", IN_FILES)
def test_counting_loads_no_model_where_the_files_tell(tiny, kind, monkeypatch):
    def refused(*_):
        raise AssertionError("no model is needed")

    monkeypatch.setattr(truncation, "load_encoder", refused)
    found = overflow_scorer(ModelRuntime(tiny(kind), "cpu")).score([("a " * 600,), ("b",)])

    assert found[0] > 80
    assert found[1] == 0


@pytest.mark.parametrize("kind", NOT_IN_FILES)
def test_the_live_model_is_asked_where_the_files_do_not_tell(tiny, kind):
    model_files = tiny(kind)
    found = overflow_scorer(ModelRuntime(model_files, "cpu")).score(
        [("a " * 9_000,), ("b",), ("",)]
    )

    assert count_overflow(model_files, ["a"]) is None
    assert found.tolist() == load_encoder(model_files, "cpu", "float32").count_overflow(
        ["a " * 9_000, "b", ""]
    )


@pytest.mark.parametrize("missing", ["tokenizer.json", "tokenizer_config.json"])
def test_a_folder_without_the_files_tells_nothing(tiny, tmp_path, missing):
    folder = tmp_path / missing
    folder.mkdir()
    for file in tiny("bert").folder.iterdir():
        if file.name != missing:
            (folder / file.name).symlink_to(file)

    assert count_overflow(ModelFiles("bare", folder), ["a"]) is None


def test_a_text_alone_is_counted_by_one_scorer(tiny):
    counter = TextTruncation(overflow_scorer(ModelRuntime(tiny("bert"), "cpu")))
    instance = Instance("a " * 600)
    ((scorer, texts),) = counter.needs(instance)

    assert counter.signature == scorer.signature
    assert counter.requires == frozenset()
    assert counter.combine(instance, scorer.score([texts]).tolist()) == 90
    assert np.isfinite(scorer.score([("",)])).all()
