from operator import eq

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shakeproof.metrics.kinds import meteor as module
from shakeproof.metrics.kinds.meteor import MeteorOptions, MeteorScorer, align, meteor, same_stem
from shakeproof.metrics.settings import Settings

nltk_meteor = pytest.importorskip("nltk.translate.meteor_score")
DISTINCT = st.permutations(["run", "cats", "sleeping", "dog", "barked", "tree", "sky"])
VARIED = st.permutations(["running", "cat", "sleeps", "dogs", "barks", "trees", "clouds"])


class NoWordNet:
    """What nltk is given so that it matches forms and stems only."""

    def synsets(self, word):
        return []


def words(text):
    return text.split()


@pytest.mark.parametrize(
    ("candidate", "reference", "score"),
    [
        pytest.param("a b c d", "a b c d", 1 - 0.5 / 64, id="one chunk"),
        pytest.param("d c b a", "a b c d", 0.5, id="every word a chunk"),
        pytest.param("x y", "a b", 0.0, id="nothing in common"),
        pytest.param("", "a", 0.0, id="empty candidate"),
        pytest.param("a", "", 0.0, id="empty reference"),
        pytest.param("a b", "a b c d", 10 * 0.5 / (0.5 + 9) * (1 - 0.5 / 8), id="half the recall"),
    ],
)
def test_the_score_is_the_weighted_mean_less_the_penalty(candidate, reference, score):
    assert meteor(words(candidate), words(reference), [eq]) == pytest.approx(score)


@given(candidate=DISTINCT, reference=VARIED, cut=st.integers(1, 7))
def test_scores_equal_those_of_nltk_where_no_word_repeats(candidate, reference, cut):
    expected = nltk_meteor.single_meteor_score(reference, candidate[:cut], wordnet=NoWordNet())

    assert meteor(candidate[:cut], reference, [eq, same_stem]) == pytest.approx(expected)


def test_exact_matches_come_before_stems():
    alignment = align(words("runs run"), words("run runs"), [eq, same_stem])

    assert sorted(alignment.links) == [(0, 1), (1, 0)]


def test_repeated_words_are_linked_without_crossing():
    alignment = align(words("the cat the dog"), words("the cat and the dog"), [eq])

    assert sorted(alignment.links) == [(0, 0), (1, 1), (2, 3), (3, 4)]
    assert (alignment.crossings, alignment.chunks) == (0, 2)


def test_of_equal_alignments_the_one_in_fewer_chunks_counts():
    alignment = align(words("the dog"), words("the cat and the dog"), [eq])

    assert sorted(alignment.links) == [(0, 3), (1, 4)]


@given(
    candidate=st.lists(st.sampled_from("abc"), max_size=9),
    reference=st.lists(st.sampled_from("abc"), max_size=9),
)
def test_as_many_words_are_linked_as_can_be(candidate, reference):
    alignment = align(candidate, reference, [eq])
    possible = sum(min(candidate.count(word), reference.count(word)) for word in "abc")

    assert len(alignment.links) == possible
    assert all(candidate[i] == reference[j] for i, j in alignment.links)


def test_a_long_text_takes_its_time_but_ends():
    text = words("the a of to and") * 100

    assert meteor(text, text, [eq]) == pytest.approx(1, abs=1e-6)


def test_texts_are_compared_in_lower_case_with_punctuation_apart():
    scorer = MeteorScorer(0.9, 3.0, 0.5, senses=False)

    assert scorer.score([("The CATS!", "the cat !")])[0] == pytest.approx(1 - 0.5 / 27)


def test_senses_are_used_where_wordnet_is_found_and_the_signature_says_so(monkeypatch):
    monkeypatch.setattr(module, "wordnet_version", lambda: "3.0")
    monkeypatch.setattr(
        module, "synonyms", lambda word: frozenset({"auto"} if word == "car" else ())
    )
    scorer = MeteorScorer(0.9, 3.0, 0.5, senses="auto")

    assert scorer.score([("car", "auto")])[0] == pytest.approx(0.5)
    assert "match:exact+stem+wordnet-3.0" in scorer.signature


def test_without_wordnet_forms_and_stems_are_matched_and_the_signature_says_so(monkeypatch):
    monkeypatch.setattr(module, "wordnet_version", lambda: None)
    scorer = MeteorScorer(0.9, 3.0, 0.5, senses="auto")

    assert scorer.score([("car", "auto"), ("car", "cars")]).tolist() == [0.0, 0.5]
    assert "match:exact+stem|" in scorer.signature
    with pytest.raises(ValueError, match="needs nltk's wordnet data"):
        MeteorScorer(0.9, 3.0, 0.5, senses=True).score([("a", "b")])


def test_without_nltk_the_kind_is_refused_with_the_way_out(monkeypatch):
    monkeypatch.setattr("shakeproof.metrics.kinds.stemming.find_spec", lambda name: None)
    with pytest.raises(
        ValueError, match=r"meteor needs nltk, not installed here; run pip install 'shakeproof"
    ):
        MeteorOptions().build({}, Settings())
