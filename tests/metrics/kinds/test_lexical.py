import pytest
import sacrebleu
from pydantic import ValidationError

from shakeproof.metrics.formulas import ReferenceFree
from shakeproof.metrics.kinds.lexical import BleuOptions, ChrfOptions, TerOptions
from shakeproof.metrics.protocols import Instance
from shakeproof.metrics.registry import METRICS
from shakeproof.metrics.settings import Settings

ITEMS = [
    Instance("The cat sat on the mat.", ("A cat was on the mat.", "There is a cat on the mat.")),
    Instance("the CAT", ("The cat sat on the mat.",)),
    Instance("", ("Something", "else")),
    Instance("🙂", ("🙂 🙂",)),
    Instance("שלום עולם", ("שלום לכולם",)),
    Instance("word " * 2_000, ("word " * 10,)),
]
LIBRARY = [
    pytest.param(BleuOptions(), sacrebleu.BLEU(effective_order=True), 1, id="bleu"),
    pytest.param(
        BleuOptions(lowercase=True, tokenize="char", max_ngram_order=2),
        sacrebleu.BLEU(lowercase=True, tokenize="char", max_ngram_order=2, effective_order=True),
        1,
        id="bleu of characters",
    ),
    pytest.param(
        BleuOptions(smooth_method="add-k", smooth_value=0.5),
        sacrebleu.BLEU(smooth_method="add-k", smooth_value=0.5, effective_order=True),
        1,
        id="bleu smoothed",
    ),
    pytest.param(ChrfOptions(), sacrebleu.CHRF(), 1, id="chrf"),
    pytest.param(ChrfOptions(word_order=2), sacrebleu.CHRF(word_order=2), 1, id="chrf++"),
    pytest.param(TerOptions(), sacrebleu.TER(), -1, id="ter"),
    pytest.param(
        TerOptions(case_sensitive=True, normalized=True),
        sacrebleu.TER(case_sensitive=True, normalized=True),
        -1,
        id="ter normalised",
    ),
]


@pytest.mark.parametrize(("options", "library", "sign"), LIBRARY)
def test_scores_equal_sacrebleu_with_all_references(options, library, sign, rate):
    metric = options.build({}, Settings())
    for instance in ITEMS:
        expected = library.sentence_score(instance.candidate, list(instance.references)).score

        assert rate(metric, instance) == sign * expected


def test_fewer_edits_are_better(rate):
    metric = TerOptions().build({}, Settings())
    good, bad = Instance("a b c d", ("a b c d",)), Instance("x y z", ("a b c d",))

    assert rate(metric, good) == 0
    assert rate(metric, bad) < 0


def test_the_free_kind_compares_with_the_source(rate):
    instance = Instance("The cat sat.", ("Something else entirely.",), "The cat sat.")
    metric = METRICS["bleu-free"]().build({}, Settings())

    assert isinstance(metric, ReferenceFree)
    assert rate(metric, instance) == pytest.approx(100)


@pytest.mark.parametrize("kind", [BleuOptions, ChrfOptions, TerOptions])
def test_every_setting_is_in_the_signature(kind):
    signature = kind().build({}, Settings()).signature

    assert all(f"{name}:" in signature for name in kind.model_fields)
    assert f"sacrebleu:{sacrebleu.__version__}" in signature


def test_the_error_rate_and_its_negative_have_signatures_of_their_own():
    metric = TerOptions().build({}, Settings())

    assert metric.signature != metric.scorer.signature


@pytest.mark.parametrize(
    "wrong", [{"tokenize": "14b"}, {"lowercase": "yes"}, {"max_ngram_order": 0}]
)
def test_wrong_settings_are_refused(wrong):
    with pytest.raises(ValidationError):
        BleuOptions(**wrong)
