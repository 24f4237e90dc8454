import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from shakeproof.metrics.kinds.rouge import RougeOptions, rouge
from shakeproof.metrics.protocols import Instance
from shakeproof.metrics.settings import Settings

SAMPLE = ("the", "The", "cats", "running", "flies", "dying", "a,", "b.", "3rd", "naïve", "ЁЖ")
WORDS = st.lists(st.sampled_from(SAMPLE))
SETTINGS = {"part": "f1", "words": "ascii", "stem": False}
PARTS = {"precision": "precision", "recall": "recall", "f1": "fmeasure"}


@pytest.mark.parametrize(
    ("variant", "part", "score"),
    [
        pytest.param(1, "precision", 4 / 4, id="four of four words"),
        pytest.param(1, "recall", 4 / 5, id="four of five words"),
        pytest.param(1, "f1", 8 / 9, id="both"),
        pytest.param(2, "f1", 2 / 7, id="one pair of three and four"),
        pytest.param(3, "f1", 0.0, id="no triple"),
        pytest.param("L", "f1", 6 / 9, id="three words in order"),
    ],
)
def test_a_worked_example(variant, part, score):
    settings = SETTINGS | {"variant": variant, "part": part}

    assert rouge(
        "Police shot the gunman", "The police shot a gunman.", **settings
    ) == pytest.approx(score)


@pytest.mark.parametrize("stem", [False, True], ids=["words", "stems"])
@pytest.mark.parametrize("variant", [1, 2, 4, "L"])
@given(candidate=WORDS, reference=WORDS)
def test_scores_equal_those_of_rouge_score(variant, stem, candidate, reference):
    rouge_scorer = pytest.importorskip("rouge_score.rouge_scorer")
    ours, theirs = " ".join(candidate), " ".join(reference)
    name = f"rouge{variant}"
    expected = rouge_scorer.RougeScorer([name], use_stemmer=stem).score(theirs, ours)[name]
    for part, attribute in PARTS.items():
        score = rouge(ours, theirs, variant=variant, part=part, words="ascii", stem=stem)

        assert score == pytest.approx(getattr(expected, attribute), abs=1e-12)


def test_other_scripts_need_unicode_words():
    settings = SETTINGS | {"variant": 1}

    assert rouge("привет мир", "привет мир", **settings) == 0.0
    assert rouge("привет мир", "привет мир", **settings | {"words": "unicode"}) == 1.0


@pytest.mark.parametrize("text", ["", "🙂", "..."])
def test_a_text_without_words_scores_nothing(text):
    assert rouge(text, "a b", variant="L", **SETTINGS) == 0.0
    assert rouge(text, text, variant=1, **SETTINGS) == 0.0


def test_the_best_reference_counts(rate):
    metric = RougeOptions(variant=1).build({}, Settings())
    instance = Instance("a b", ("x y", "a c"))

    assert rate(metric, instance) == 0.5


def test_every_setting_is_in_the_signature():
    signature = RougeOptions(variant=2, stem=True).build({}, Settings()).signature

    assert signature.startswith("rouge|variant:2|part:f1|stem:True|words:ascii|nltk:")


@pytest.mark.parametrize("variant", [0, "1", "l", "LCS"])
def test_an_unknown_variant_is_refused(variant):
    with pytest.raises(ValidationError):
        RougeOptions(variant=variant)
