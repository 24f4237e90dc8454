"""Options of BERTScore: the scorer that they build, its signature, and mistakes in one line."""

import numpy as np
import pytest

from shakeproof.metrics.bertscore.scorer import BertScoreOptions, BertScorer
from shakeproof.metrics.formulas import BestReference
from shakeproof.metrics.models import files
from shakeproof.metrics.models.runtime import ModelRuntime
from shakeproof.metrics.models.truncation import Truncation
from shakeproof.metrics.protocols import Instance, SharedScorer
from shakeproof.metrics.settings import Settings


def build(name, **options):
    return BertScoreOptions(model=name, **options).build({}, Settings(device="cpu", offline=True))


def test_the_best_reference_counts(tiny):
    metric = build(str(tiny("bert").folder), layer=2)
    instance = Instance("the cat", ("a dog", "the cat"))
    scores = [scorer.score([texts])[0] for scorer, texts in metric.needs(instance)]

    assert metric.combine(instance, scores) == pytest.approx(1, abs=1e-5)
    assert min(scores) < 0.999


def test_the_signature_says_all_that_the_score_depends_on(tiny, corpus, baseline):
    model_files = tiny("bert")
    plain = BertScorer(ModelRuntime(model_files, "cpu"), 2)
    others = [
        BertScorer(ModelRuntime(model_files, "cpu"), 1),
        BertScorer(ModelRuntime(model_files, "cpu"), "mean"),
        BertScorer(ModelRuntime(model_files, "cpu"), "mean-embedding"),
        BertScorer(ModelRuntime(model_files, "cpu"), 2, "recall"),
        BertScorer(ModelRuntime(model_files, "cpu"), 2, idf=corpus),
        BertScorer(ModelRuntime(model_files, "cpu"), 2, rescaling=baseline),
        BertScorer(ModelRuntime(model_files, "cpu", "bfloat16"), 2),
        BertScorer(ModelRuntime(tiny("roberta"), "cpu"), 2),
    ]
    signatures = {scorer.signature for scorer in [plain, *others]}

    assert len(signatures) == len(others) + 1
    assert plain.signature.startswith("bertscore-f1|model:bert|weights:")
    assert "|layer:2/3|idf:no|rescale:no|device:cpu|precision:float32|torch:" in plain.signature
    assert str(model_files.folder) not in plain.signature


def test_scorers_of_one_model_are_one_group_whatever_their_layer(tiny, corpus):
    model_files = tiny("bert")
    scorer = BertScorer(ModelRuntime(model_files, "cpu"), 2)
    same_model = BertScorer(ModelRuntime(model_files, "cpu"), "mean", "recall", idf=corpus)
    other_model = BertScorer(ModelRuntime(tiny("roberta"), "cpu"), 2)

    assert isinstance(scorer, SharedScorer)
    assert scorer.group == same_model.group != other_model.group


def test_options_are_turned_into_a_scorer(tiny, corpus, baseline, tmp_path):
    options = BertScoreOptions(
        model=str(tiny("bert").folder), layer="first", idf="corpus.txt", rescale="baseline.tsv"
    )
    settings = Settings(device="cpu", precision="bfloat16", folder=tmp_path)
    scorer = options.build({}, settings).scorer

    assert (scorer.layer, scorer.part, scorer.runtime.precision) == (1, "f1", "bfloat16")
    assert scorer.idf == corpus
    assert scorer.rescaling == baseline


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"layer": 4}, "no layer 4 in .*: it has 0 .embeddings. to 3"),
        ({"layer": -1}, "no layer -1"),
        ({"layer": "best"}, "no published best layer for 'bert': give a number, first or last"),
        (
            {"idf": "nowhere.txt"},
            "no file 'nowhere.txt' beside the checklist or in the working",
        ),
        (
            {"rescale": "nowhere.tsv"},
            "no file 'nowhere.tsv' beside the checklist or in the working",
        ),
        ({"rescale": "short.tsv"}, "baseline file 'short.tsv' has no layer 3"),
        ({"rescale": "short.tsv", "layer": "mean"}, "baseline file 'short.tsv' has no layer 1"),
        (
            {"rescale": "broken.tsv"},
            "'broken.tsv' is not a baseline file; it needs the columns LAYER,P,R,F",
        ),
        ({"rescale": "short.tsv", "layer": "mean-embedding"}, "rescale is not defined"),
    ],
)
def test_what_cannot_be_built_is_an_error_of_one_line(tiny, tmp_path, options, message):
    (tmp_path / "short.tsv").write_text("LAYER,P,R,F\n0,.1,.1,.1\n", "utf-8")
    (tmp_path / "broken.tsv").write_text("LAYER,P,R,F\n0,many\n", "utf-8")
    settings = Settings(device="cpu", folder=tmp_path)
    model = str(tiny("bert").folder)

    with pytest.raises(ValueError, match=f"^{message}.*$"):
        BertScoreOptions(model=model, **options).build({}, settings)


def test_inner_layers_of_canine_are_refused_before_it_loads(tiny):
    with pytest.raises(
        ValueError, match=r"CANINE's inner layers see shortened texts; use layer: last"
    ):
        build(str(tiny("canine").folder), layer="first")

    assert build(str(tiny("canine").folder), layer="last").scorer.layer == 3


def test_what_a_model_cuts_off_is_counted(tiny):
    metric = Truncation(build(str(tiny("bert").folder)))
    instance = Instance("a " * 600, ("b", "c " * 511))
    needs = metric.needs(instance)
    scores = [scorer.score([texts])[0] for scorer, texts in needs]

    assert len({scorer for scorer, _ in needs}) == 1
    assert scores == [600 + 2 - 512, 0, 511 + 2 - 512]
    assert metric.combine(instance, scores) == 91


def test_metrics_without_a_limit_cut_nothing_off():
    class Plain:
        signature = "plain"

        def score(self, tuples):
            return np.ones(len(tuples))

    metric = Truncation(BestReference(Plain()))

    assert metric.needs(Instance("a", ("b",))) == []
    assert metric.combine(Instance("a", ("b",)), []) == 0


def test_an_unknown_precision_is_refused(tiny):
    options = BertScoreOptions(model=str(tiny("bert").folder))

    with pytest.raises(ValueError, match="unknown precision 'float8'; known: auto, float32"):
        options.build({}, Settings(precision="float8"))


def test_missing_libraries_are_an_error_of_one_line(monkeypatch):
    monkeypatch.setattr(files, "LIBRARIES", ("torch", "no_such_library"))

    with pytest.raises(
        ValueError,
        match=r"models need no_such_library, not installed here; run pip install 'shakeproof",
    ):
        BertScoreOptions().build({}, Settings())
