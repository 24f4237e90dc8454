"""Unknown tokens as the tokenizer of a metric's model counts them."""

from pathlib import Path

import pytest

import shakeproof
from shakeproof.data.loading import load_data
from shakeproof.metrics.models.files import ModelFiles, find_model
from shakeproof.metrics.models.runtime import ModelRuntime
from shakeproof.metrics.models.tokenizer_files import load_tokenizer, tokenizer_model
from shakeproof.metrics.protocols import Instance
from shakeproof.metrics.registry import METRICS
from shakeproof.metrics.settings import Settings
from shakeproof.perturbations import PERTURBATIONS
from shakeproof.perturbations.severity import unknown_per_segment, unknown_tokens

tokenizers = pytest.importorskip("tokenizers")

CHECKLIST = """\
data: sample
language: en
metrics:
  deep: {bertscore: {model: minilm, layer: first}}
  para: {parascore: {similarity: deep}}
  chrf: {chrf: {}}
checks:
  - check: look-alike letters cost little
    perturb: {visual: {on: candidate, levels: [0.1, 0.3]}}
    expect: {score_change: {at_most: 5}}
"""


class Scored:
    """A metric that needs one score of each of the given scorers."""

    def __init__(self, *scorers):
        self.scorers = scorers

    def needs(self, instance):
        return [(scorer, (instance.candidate,)) for scorer in self.scorers]


class WithModel:
    """A scorer that reads texts with a model."""

    def __init__(self, model):
        self.runtime = ModelRuntime(model)


@pytest.fixture
def model_files(tmp_path):
    """A model folder with a tokenizer of the given kind and words."""

    def laid(model, *, before):
        tokenizer = tokenizers.Tokenizer(model)
        tokenizer.pre_tokenizer = before
        tokenizer.enable_truncation(2)
        tokenizer.enable_padding(length=9)
        tokenizer.save(str(tmp_path / "tokenizer.json"))
        return ModelFiles("tiny", tmp_path)

    return laid


@pytest.fixture
def word_pieces(model_files):
    words = ["[PAD]", "[UNK]", "bass", "##ing", "go", "##es", "on"]
    numbers = {word: number for number, word in enumerate(words)}
    return model_files(
        tokenizers.models.WordPiece(numbers, unk_token="[UNK]"),
        before=tokenizers.pre_tokenizers.Whitespace(),
    )


@pytest.mark.parametrize(
    ("text", "marks", "unknown"),
    [
        pytest.param("", (), 0, id="empty"),
        pytest.param("   ", (), 0, id="blank"),
        pytest.param("go on", ("", ""), 0, id="known words"),
        pytest.param("bassing goes on", ("", "##", "", "##", ""), 2, id="cut words, not cut off"),
        pytest.param("go x on", ("", "[UNK]", ""), 1, id="unknown word"),
        pytest.param("go \ud83d on", ("", "[UNK]", ""), 1, id="lone surrogate"),
        pytest.param("on " * 500, ("",) * 500, 0, id="long"),
    ],
)
def test_pieces_are_marked_as_algorithm_1_reads_them(word_pieces, text, marks, unknown):
    cut = load_tokenizer(word_pieces)

    assert cut(text) == marks
    assert unknown_tokens(cut(text)) == unknown


def test_pieces_of_other_tokenizers_are_marked_alike(model_files):
    pieces = [("<unk>", 0.0), ("▁go", -1.0), ("▁on", -1.0), ("es", -1.0), ("▁", -3.0)]
    model = model_files(
        tokenizers.models.Unigram(pieces, 0), before=tokenizers.pre_tokenizers.Metaspace()
    )

    assert load_tokenizer(model)("goes on go") == ("", "##", "", "")
    assert "[UNK]" in load_tokenizer(model)("go ξ")


def test_a_model_without_a_tokenizer_file_counts_nothing(tmp_path):
    assert load_tokenizer(ModelFiles("bare", tmp_path)) is None


def test_the_model_of_a_metric_is_the_first_that_a_scorer_uses(tmp_path):
    first, second = ModelFiles("a", tmp_path), ModelFiles("b", tmp_path)
    metric = Scored(object(), WithModel(first), WithModel(second))

    assert tokenizer_model(metric, Instance("c")) is first
    assert tokenizer_model(Scored(object()), Instance("c")) is None


@pytest.mark.parametrize(
    ("kind", "model"),
    [
        ("bertscore", "bert"),
        ("cosine", "bert"),
        ("moverscore", "bert"),
        ("bartscore", "bart"),
        ("cosine-free", "bert"),
    ],
)
def test_every_metric_with_a_model_counts_unknown_tokens_by_its_tokenizer(tiny, kind, model):
    options = METRICS[kind](model=str(tiny(model).folder))
    metric = options.build({}, Settings(device="cpu", offline=True))
    found = tokenizer_model(metric, Instance("c", ("r",), "s"))

    assert found == tiny(model)
    assert load_tokenizer(found)("ab")[-1] == "##"


@pytest.mark.model
def test_counts_are_those_of_the_models_own_pieces(minilm):
    transformers = pytest.importorskip("transformers")
    tokenizer = transformers.AutoTokenizer.from_pretrained(minilm, local_files_only=True)
    segments = load_data("sample", folder=Path()).segments[:60]
    clean = [segment.references[0] for segment in segments]
    noisy = [_damaged(text) for text in clean]
    cut = load_tokenizer(find_model("minilm"))

    for texts in (clean, noisy):
        theirs = unknown_per_segment(texts, tokenizer.tokenize)
        assert unknown_per_segment(texts, cut) == theirs
    assert unknown_per_segment(noisy, cut) > unknown_per_segment(clean, cut) + 1


def _damaged(text):
    from random import Random

    return PERTURBATIONS["visual"](text, 0.3, Random(text))


@pytest.mark.model
def test_a_run_tells_the_unknown_tokens_of_metrics_that_have_a_tokenizer(tmp_path):
    path = tmp_path / "noise.checklist.yaml"
    path.write_text(CHECKLIST)
    results = shakeproof.run(path, limit=40).results
    found = {(one.metric, one.level): one.realised for one in results}

    assert found["chrf", 0.3].unknown is found["chrf", 0.3].unknown_before is None
    assert found["para", 0.3] == found["deep", 0.3]
    assert found["deep", 0.1].unknown_before == found["deep", 0.3].unknown_before
    assert found["deep", 0.3].unknown > found["deep", 0.1].unknown
    assert found["deep", 0.1].unknown > found["deep", 0.1].unknown_before
