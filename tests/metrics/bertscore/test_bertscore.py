"""BERTScore depends on its two texts alone, and equals bert_score wherever that is right."""

from math import log

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from shakeproof.metrics.bertscore.idf import Corpus
from shakeproof.metrics.bertscore.matching import closest
from shakeproof.metrics.bertscore.scorer import BertScoreOptions, BertScorer
from shakeproof.metrics.formulas import BestReference
from shakeproof.metrics.models import files
from shakeproof.metrics.models import pairs as pairs_module
from shakeproof.metrics.models.embeddings import make_embeddings
from shakeproof.metrics.models.encoder import Encoder, load_encoder
from shakeproof.metrics.models.runtime import ModelRuntime
from shakeproof.metrics.models.truncation import Truncation
from shakeproof.metrics.protocols import Instance, SharedScorer
from shakeproof.metrics.settings import Settings

PARTS = ("precision", "recall", "f1")
PAIRS = [
    ("the cat sat on the mat", "a cat was sitting on a mat"),
    ("hello there, my friend!", "hi friend."),
    ("it is raining", "the stock market fell by 3 percent in the afternoon"),
    ("one", "one"),
    ("a b", "b c d"),
]


def scorers_for(model_files, layers, **options):
    return [
        BertScorer(ModelRuntime(model_files, "cpu"), layer, part, **options)
        for layer in layers
        for part in PARTS
    ]


def rated(model_files, layers, pairs=PAIRS, **options):
    """Rate pairs at some layers: (layers, 3, pairs)."""
    scorers = scorers_for(model_files, layers, **options)
    scores = scorers[0].score_together(scorers, pairs)
    return scores.T.reshape(len(layers), 3, len(pairs))


@pytest.fixture(scope="session")
def peer(rate_with_bert_score):
    """Rate pairs with bert_score one by one, so that nothing is padded."""

    def rate(model_files, pairs=PAIRS, **options):
        return rate_with_bert_score(model_files, pairs, **{"batch_size": 1, **options})

    return rate


@pytest.mark.parametrize("kind", ["bert", "byt5", "distilbert", "roberta"])
@pytest.mark.parametrize("layer", range(4))
def test_every_layer_equals_bert_score(tiny, kind, layer, peer):
    model_files = tiny(kind)

    np.testing.assert_allclose(
        rated(model_files, [layer])[0], peer(model_files, num_layers=layer), atol=1e-5
    )


@pytest.mark.parametrize("kind", ["bert", "byt5", "distilbert", "roberta"])
def test_the_mean_over_layers_equals_bert_scores_all_layers(tiny, kind, peer):
    model_files = tiny(kind)
    every = peer(model_files, num_layers=3, all_layers=True)

    assert every.shape == (3, 4, len(PAIRS))
    np.testing.assert_allclose(rated(model_files, ["mean"])[0], every.mean(axis=1), atol=1e-5)


@pytest.fixture
def corpus(tmp_path):
    """A file of texts in which to count tokens."""
    path = tmp_path / "corpus.txt"
    path.write_text("\n".join(reference for _, reference in PAIRS), "utf-8")
    return Corpus(path)


@pytest.fixture
def baseline(write_baseline, tmp_path):
    return write_baseline(tmp_path, range(4))


@pytest.mark.parametrize("kind", ["bert", "byt5", "roberta"])
def test_idf_and_rescaling_equal_bert_score(tiny, kind, corpus, baseline, peer):
    model_files = tiny(kind)
    found = rated(model_files, [2], idf=corpus, rescaling=baseline)[0]
    expected = peer(
        model_files,
        num_layers=2,
        idf=True,
        lang="en",
        rescale_with_baseline=True,
        baseline_path=str(baseline.path),
    )

    np.testing.assert_allclose(found, expected, atol=1e-5)


def test_rescaling_every_layer_equals_bert_score(tiny, baseline, peer):
    model_files = tiny("bert")
    expected = peer(
        model_files,
        num_layers=3,
        all_layers=True,
        lang="en",
        rescale_with_baseline=True,
        baseline_path=str(baseline.path),
    )

    np.testing.assert_allclose(
        rated(model_files, ["mean"], rescaling=baseline)[0], expected.mean(axis=1), atol=1e-5
    )


def test_idf_is_the_logarithm_of_the_inverse_document_frequency(tiny, corpus):
    from shakeproof.metrics.bertscore.idf import token_weights

    encoder = load_encoder(tiny("bert"), "cpu", "float32")
    weights = token_weights(encoder, corpus)
    letter = encoder.tokenizer.convert_tokens_to_ids("a")  # stands alone in two of five texts

    assert weights.listed[letter] == pytest.approx(log(6 / 3))
    assert weights.listed[encoder.tokenizer.cls_token_id] == 0
    assert weights.other == pytest.approx(log(6))


def test_a_corpus_may_be_a_data_set(tmp_path):
    from shakeproof.metrics.bertscore.idf import read_corpus

    path = tmp_path / "data.jsonl"
    path.write_text('{"id": "1", "references": ["a", "b"]}\n\n{"id": "2"}\n', "utf-8")

    assert read_corpus(Corpus(path)) == ("a", "b")


def test_padding_never_beats_a_negative_similarity(tiny):
    """bert_score multiplies padding by zero, which is more than any negative similarity."""
    torch = pytest.importorskip("torch")
    utils = pytest.importorskip("bert_score.utils", reason="bert_score is not installed")
    vectors = {(1, True): torch.tensor([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, 1.0]])}
    embedded = make_embeddings(vectors, np.array([1, 1, 2]), "cpu")
    sides = (torch.tensor([[0]]), 1), (torch.tensor([[1, 2]]), 2)
    ours, theirs = (embedded.token_rows(texts, longest) for texts, longest in sides)
    near, _ = closest(*(embedded.gather((1, True), slots) for slots in (ours, theirs)))
    token, opposite = torch.tensor([[[1.0, 0.0]]]), torch.tensor([[[-1.0, 0.0], [1.0, 0.0]]])
    one, padded = torch.ones(1, 1), torch.tensor([[1.0, 0.0]])
    theirs = utils.greedy_cos_idf(opposite, padded, padded.clone(), token, one, one.clone())

    assert near.flatten().tolist() == [-1, 0]
    assert theirs[0].item() == 0


def test_a_single_byte_is_not_taken_for_an_empty_text(tiny, peer):
    """bert_score takes every text of two tokens for empty, which ByT5 says of one letter."""
    model_files = tiny("byt5")

    assert rated(model_files, [2], [("a", "b")])[0, 2, 0] != 0
    assert peer(model_files, [("a", "b")], num_layers=2)[0, 0] == 0


def test_a_blank_is_put_before_the_text_where_bert_score_means_to(tiny, tmp_path):
    """bert_score asks RoBERTa's tokenizer for a leading blank; transformers 5 ignores it."""
    encoder = load_encoder(tiny("roberta"), "cpu", "float32")
    _, first, *_ = encoder.tokenize(["cat"])[0]

    assert encoder.tokenizer.convert_ids_to_tokens(first) == "Ġ"


@pytest.mark.parametrize("text", ["", "   ", "\n\t", "\u200b" * 0])
@pytest.mark.parametrize("kind", ["bert", "byt5", "roberta"])
def test_an_empty_text_scores_zero(tiny, kind, text):
    pairs = [(text, "hello"), ("hello", text), (text, text), ("hello", "hello")]
    found = rated(tiny(kind), [2, "mean", "mean-embedding"], pairs)

    assert np.all(found[..., :3] == 0)
    np.testing.assert_allclose(found[..., 3], 1, atol=1e-5)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("\U0001f600", id="emoji"),
        pytest.param("שלום עולם", id="right to left"),
        pytest.param("ab \ud800 c", id="lone surrogate"),
        pytest.param("word " * 2_000, id="10,000 characters"),
        pytest.param("\x00\x01", id="control characters"),
        pytest.param("[SEP] [CLS]", id="words that look special"),
    ],
)
@pytest.mark.parametrize("kind", ["bert", "byt5", "roberta", "canine"])
def test_odd_texts_have_finite_scores(tiny, kind, text):
    found = rated(tiny(kind), [3], [(text, "hello"), ("hello", text)])

    assert np.isfinite(found).all()


def test_layers_and_parts_together_equal_each_alone(tiny, corpus):
    model_files = tiny("byt5")
    scorers = [
        *scorers_for(model_files, [0, 2, 3, "mean", "mean-embedding"]),
        *scorers_for(model_files, [1], idf=corpus),
    ]
    together = scorers[0].score_together(scorers, PAIRS)
    alone = np.stack([scorer.score(PAIRS) for scorer in scorers], axis=1)

    np.testing.assert_allclose(together, alone, atol=1e-6)


def test_texts_of_the_same_tokens_are_encoded_once(tiny, monkeypatch):
    model_files = tiny("bert")
    encoded, run = [], Encoder._run

    def counted(self, batch, **options):
        encoded.extend(batch)
        return run(self, batch, **options)

    monkeypatch.setattr(Encoder, "_run", counted)
    found = rated(
        model_files, [3], [("the cat", "a dog"), ("THE CAT", "A dog"), ("The Cat ", "a DOG")]
    )

    assert len(encoded) == 2
    assert np.all(found == found[..., :1])


def test_few_embeddings_are_held_at_a_time(tiny, monkeypatch):
    model_files = tiny("bert")
    expected = rated(model_files, [3, "mean"])
    thirty_tokens_in_four_states = 4 * 16 * 4 * 30
    monkeypatch.setattr(pairs_module, "MAX_EMBEDDING_BYTES", thirty_tokens_in_four_states)

    np.testing.assert_allclose(rated(model_files, [3, "mean"]), expected, atol=1e-6)


WORDS = st.sampled_from(["cat", "the", "a", "rain", "in", "spain", "3", "!", "hello", "x" * 30])
SENTENCES = st.lists(WORDS, max_size=12).map(" ".join)


@pytest.mark.model
@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    pairs=st.lists(st.tuples(SENTENCES, SENTENCES), min_size=1, max_size=12, unique=True),
    budget=st.integers(1, 400),
    order=st.randoms(use_true_random=False),
)
def test_a_score_does_not_depend_on_batch_order_padding_or_neighbours(
    minilm_files, monkeypatch, pairs, budget, order
):
    scorers = [BertScorer(ModelRuntime(minilm_files, "cpu"), layer) for layer in (1, 6, "mean")]
    encoder = load_encoder(minilm_files, "cpu", "float32")
    alone = np.concatenate([scorers[0].score_together(scorers, [pair]) for pair in pairs])
    shuffled = order.sample(range(len(pairs)), len(pairs))
    with monkeypatch.context() as patch:
        patch.setattr(encoder, "budget", budget)
        found = scorers[0].score_together(scorers, [pairs[i] for i in shuffled])

    np.testing.assert_allclose(found, alone[shuffled], atol=1e-6)


@pytest.mark.model
def test_pairs_that_share_texts_score_as_each_alone(minilm_files):
    candidates = ["the cat sat", "a cat was sitting there", "", "it rains in spain " * 40]
    references = ["the cat sat down", "THE CAT SAT", "rain", "x " * 300]
    pairs = [(c, r) for c in candidates for r in references][:-1]
    scorers = [BertScorer(ModelRuntime(minilm_files, "cpu"), layer) for layer in (1, 6, "mean")]
    together = scorers[0].score_together(scorers, pairs)
    alone = np.concatenate([scorers[0].score_together(scorers, [pair]) for pair in pairs])

    np.testing.assert_allclose(together, alone, atol=1e-6)


# bert_score 0.3.13 with torch 2.13.0 and transformers 5.22.2, one pair at a time.
PUBLISHED = {
    0: [
        [0.75841, 0.48015, 0.303866, 1.0, 0.625791],
        [0.682284, 0.745547, 0.163823, 1.0, 0.520321],
        [0.718336, 0.584115, 0.212878, 1.0, 0.568203],
    ],
    1: [
        [0.793426, 0.52238, 0.392904, 1.0, 0.637252],
        [0.723358, 0.756675, 0.241632, 1.0, 0.582367],
        [0.756774, 0.618068, 0.299236, 1.0, 0.608575],
    ],
    3: [
        [0.825144, 0.60798, 0.425729, 1.0, 0.677502],
        [0.781922, 0.819212, 0.296298, 1.0, 0.592854],
        [0.802951, 0.697964, 0.349413, 1.0, 0.632358],
    ],
    6: [
        [0.902129, 0.453541, 0.23129, 1.0, 0.646929],
        [0.881101, 0.733958, 0.151041, 1.0, 0.456817],
        [0.891491, 0.560641, 0.182744, 1.0, 0.5355],
    ],
    "mean": [
        [0.836339, 0.549662, 0.408654, 1.0, 0.660176],
        [0.789199, 0.785533, 0.266916, 1.0, 0.560283],
        [0.811915, 0.646035, 0.322467, 1.0, 0.605213],
    ],
}


@pytest.mark.model
@pytest.mark.parametrize("layer", PUBLISHED)
def test_minilm_gives_the_numbers_of_bert_score(minilm_files, layer):
    np.testing.assert_allclose(rated(minilm_files, [layer])[0], PUBLISHED[layer], atol=1e-5)


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
