"""The Porter stemmer and WordNet, where nltk and its data are installed."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib.util import find_spec


def check_nltk(kind: str) -> None:
    """Raise an error if nltk is not installed."""
    if find_spec("nltk") is None:
        raise ValueError(
            f"{kind} needs nltk, not installed here; run pip install 'shakeproof[words]'"
        )


@cache
def stemmer() -> Callable[[str], str]:
    """Load the Porter stemmer, in nltk's variant of it."""
    from nltk.stem.porter import PorterStemmer

    return cache(PorterStemmer().stem)


@cache
def wordnet_version() -> str | None:
    """Return the version of the installed WordNet, if any."""
    from nltk.corpus import wordnet

    try:
        return str(wordnet.get_version())
    except LookupError:
        return None


@cache
def synonyms(word: str) -> frozenset[str]:
    """Return all single words that share a sense with `word` in WordNet."""
    from nltk.corpus import wordnet

    lemmas = (lemma for synset in wordnet.synsets(word) for lemma in synset.lemma_names())
    return frozenset(lemma for lemma in lemmas if "_" not in lemma)
