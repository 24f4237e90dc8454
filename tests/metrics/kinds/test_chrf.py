import pytest
import sacrebleu
from hypothesis import example, given
from hypothesis import strategies as st

from shakeproof.metrics.kinds import chrf, ngrams
from shakeproof.metrics.kinds.chrf import ChrfScorer
from shakeproof.metrics.versions import name_and_version

LETTERS = st.sampled_from("aAb .,(é\u0301e\u0301İß字🙂\u2028\t")
TEXT = st.text(LETTERS, max_size=20) | st.text(max_size=20)
TUPLES = st.lists(st.lists(TEXT, min_size=2, max_size=4).map(tuple), min_size=1, max_size=6)
SETTINGS = st.fixed_dictionaries(
    {
        "char_order": st.integers(1, 8),
        "word_order": st.integers(0, 3),
        "beta": st.integers(1, 5),
        "lowercase": st.booleans(),
        "whitespace": st.booleans(),
        "eps_smoothing": st.booleans(),
    }
)


def peer_scores(tuples, **settings):
    library = sacrebleu.CHRF(**settings)
    return [library.sentence_score(first, list(others)).score for first, *others in tuples]


@given(tuples=TUPLES, settings=SETTINGS)
@example(tuples=[("", ""), ("", "a"), ("a", ""), ("a", "a")], settings={"eps_smoothing": True})
@example(tuples=[("", ""), ("", "a"), ("a", ""), ("a", "a")], settings={"word_order": 2})
@example(tuples=[("\ud800a", "a\udfff"), ("\0", "\0\0")], settings={"whitespace": True})
def test_scores_equal_sacrebleu(tuples, settings):
    scores = ChrfScorer(**settings).score(tuples)

    assert scores == pytest.approx(peer_scores(tuples, **settings), abs=1e-9)


@given(tuples=TUPLES)
def test_a_score_depends_on_its_own_texts_alone(tuples):
    together = ChrfScorer(word_order=2).score(tuples)
    alone = [ChrfScorer(word_order=2).score([texts])[0] for texts in tuples]

    assert together.tolist() == alone


@given(tuples=TUPLES)
def test_scores_are_the_same_in_many_parts(tuples):
    whole = ChrfScorer().score(tuples)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(chrf, "NGRAMS_AT_ONCE", 60)

        assert ChrfScorer().score(tuples).tolist() == whole.tolist()


@given(tuples=TUPLES, settings=SETTINGS)
def test_n_grams_too_long_for_one_number_are_compared_too(tuples, settings):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ngrams, "MAX_CODE", 500)
        scores = ChrfScorer(**settings).score(tuples)

    assert scores == pytest.approx(peer_scores(tuples, **settings), abs=1e-9)


def test_a_thousand_different_characters_need_ranks():
    every_other = "".join(map(chr, range(0x4E00, 0x8E00, 3)))
    tuples = [(every_other, every_other[:2000] + every_other[2500:])]

    assert ChrfScorer().score(tuples) == pytest.approx(peer_scores(tuples), abs=1e-9)


def test_nothing_to_score_is_no_score():
    assert ChrfScorer().score([]).tolist() == []


def test_a_candidate_without_reference_is_refused():
    with pytest.raises(ValueError, match="needs a reference"):
        ChrfScorer().score([("a", "a"), ("a",)])


def test_the_signature_is_that_of_scores_by_sacrebleu():
    assert ChrfScorer(word_order=2).signature == (
        "chrf|char_order:6|word_order:2|beta:2|lowercase:False|whitespace:False|"
        f"eps_smoothing:False|{name_and_version('sacrebleu')}"
    )
