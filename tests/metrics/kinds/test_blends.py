import pytest

from shakeproof.metrics.formulas import BestReference, PairwiseScorer
from shakeproof.metrics.kinds.blends import BertIBleuOptions, IBleuOptions, bert_ibleu
from shakeproof.metrics.kinds.lexical import BleuOptions
from shakeproof.metrics.protocols import Instance
from shakeproof.metrics.settings import Settings

SIMILARITY = BestReference(PairwiseScorer("sim", lambda candidate, other: 0.8))
BLEU = BestReference(PairwiseScorer("bleu", lambda candidate, other: {"r": 40.0, "s": 25.0}[other]))
ITEM = Instance("c", ("r",), "s")


def test_ibleu_subtracts_what_is_copied(rate):
    metric = IBleuOptions(alpha=0.2, bleu="b").build({"b": BLEU}, Settings())

    assert rate(metric, ITEM) == pytest.approx(40 - 0.2 * 25)
    assert metric.requires == {"references", "source"}


def test_ibleu_of_a_copy_with_a_perfect_reference(rate):
    metric = IBleuOptions(alpha=0.3).build({}, Settings())
    text = "a copied sentence of some length"

    assert rate(metric, Instance(text, (text,), text)) == pytest.approx(70)


def test_bert_ibleu_is_a_weighted_harmonic_mean(rate):
    options = BertIBleuOptions(beta=4, similarity="sim", bleu="b")
    metric = options.build({"sim": SIMILARITY, "b": BLEU}, Settings())

    assert options.refers == ("sim", "b")
    assert rate(metric, ITEM) == pytest.approx(5 / (4 / 0.8 + 1 / 0.75))
    assert metric.requires == {"source"}


def test_the_published_bert_ibleu_adds_what_it_should_take_away(rate):
    options = BertIBleuOptions(beta=4, similarity="sim", bleu="b", published=True)
    metric = options.build({"sim": SIMILARITY, "b": BLEU}, Settings())

    assert rate(metric, ITEM) == pytest.approx(5 / (4 / 0.8 + 1 / 1.25))
    assert metric.signature.startswith("bert-ibleu|beta:4.0|1+bleu|(sim)|")


@pytest.mark.parametrize(
    ("similarity", "self_bleu"),
    [
        pytest.param(1.0, 1.0, id="a copy"),
        pytest.param(0.0, 0.0, id="nothing alike"),
        pytest.param(-0.1, 0.0, id="negative similarity"),
    ],
)
def test_bert_ibleu_is_zero_where_a_mean_is_undefined(similarity, self_bleu):
    assert bert_ibleu(similarity, self_bleu, 4.0) == 0.0


def test_a_copy_gets_no_bert_ibleu_through_sacrebleu(rate):
    metric = BertIBleuOptions(similarity="sim").build({"sim": SIMILARITY}, Settings())
    text = "a copied sentence of some length"

    assert rate(metric, Instance(text, (), text)) == pytest.approx(0.0, abs=1e-9)


def test_signatures_name_weights_and_parts():
    metric = BertIBleuOptions(similarity="sim", beta=2.5).build({"sim": SIMILARITY}, Settings())

    assert metric.signature.startswith("bert-ibleu|beta:2.5|(sim)|(bleu|")
    assert "alpha:0.2" in IBleuOptions().build({}, Settings()).signature
    assert BleuOptions().build({}, Settings()).signature in metric.signature
