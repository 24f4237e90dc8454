"""Derive the spellings per sound from the CMU Pronouncing Dictionary.

    python tools/phonetic_table.py CMUDICT FREQUENCIES OUTPUT

CMUDICT is `cmudict.dict` of the dictionary's release, FREQUENCIES lines of "word count".
Letters are aligned to phonemes by expectation maximisation over many-to-one and
one-to-two chunks; OUTPUT is the compressed table that the phonetic attack reads.

Which rare spellings are left out (`without_rare`) was chosen so that the attack changes as much
of the WMT19 gu-en and kk-en references as the published one; that agreement is thus no proof.
"""

from __future__ import annotations

import lzma
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from math import log
from pathlib import Path
from random import Random

# One sign per phoneme, so that "thDeA" reads: "th" sounds as DH, "e" as AH.
PHONEMES = (
    "AA AE AH AO AW AY B CH D DH EH ER EY F G HH IH IY JH K L M N NG OW OY P R S SH T TH UH UW "
    "V W Y Z ZH"
)
SIGNS = dict(zip(PHONEMES.split(), "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+*=", strict=True))
MOVES = ((1, 1), (2, 1), (3, 1), (4, 1), (1, 2), (2, 2))  # letters, phonemes
SAMPLED_WORDS = 20_000
EM_ROUNDS = 6
UNSEEN_WEIGHT = 1e-9
MIN_WORDS_PER_CONTEXT = 8  # a sound between its neighbours is kept if so many words have it
COMMON_SHARE = 0.01  # a spelling of a sound that only one word has is kept if it is this common
EDGE = "."

Chunk = tuple[str, str]  # letters, phonemes
Weights = dict[Chunk, float]


def entries(lines: Iterable[str]) -> Iterator[Chunk]:
    """Read words with their first pronunciation, as letters and signs."""
    for line in lines:
        word, *sounds = line.split("#")[0].split()
        if re.fullmatch(r"[a-z']+", word) and re.search(r"[a-z]", word):
            yield word, "".join(SIGNS[sound.rstrip("012")] for sound in sounds)


def moves(word: str, sound: str) -> Iterator[tuple[int, int, int, int]]:
    """List the start and end of every possible chunk, in the order of the starts."""
    for i in range(len(word)):
        for j in range(len(sound)):
            for di, dj in MOVES:
                if i + di <= len(word) and j + dj <= len(sound):
                    yield i, j, i + di, j + dj


def expected_counts(word: str, sound: str, weights: Weights) -> Iterator[tuple[Chunk, float]]:
    """Return for every chunk the share of alignments that contain it."""
    steps = list(moves(word, sound))
    chunks = [(word[i:k], sound[j:m]) for i, j, k, m in steps]
    values = [weight(weights, chunk) for chunk in chunks]
    forward: dict[tuple[int, int], float] = defaultdict(float, {(0, 0): 1.0})
    for (i, j, k, m), value in zip(steps, values, strict=True):
        forward[k, m] += forward[i, j] * value
    backward: dict[tuple[int, int], float] = defaultdict(float, {(len(word), len(sound)): 1.0})
    for (i, j, k, m), value in zip(reversed(steps), reversed(values), strict=True):
        backward[i, j] += backward[k, m] * value
    total = forward[len(word), len(sound)]
    if total > 0:
        for (i, j, k, m), chunk, value in zip(steps, chunks, values, strict=True):
            yield chunk, forward[i, j] * value * backward[k, m] / total


def weight(weights: Weights, chunk: Chunk) -> float:
    """Weigh a chunk; longer ones by a higher power, so that they are not preferred."""
    letters, sounds = chunk
    return float(weights.get(chunk, UNSEEN_WEIGHT) ** (len(letters) + len(sounds) - 1))


def learn(sample: list[Chunk]) -> Weights:
    """Estimate how well each chunk of letters goes with each chunk of phonemes."""
    weights: Weights = defaultdict(lambda: 0.1)
    for _ in range(EM_ROUNDS):
        counts: Weights = defaultdict(float)
        for word, sound in sample:
            for chunk, share in expected_counts(word, sound, weights):
                counts[chunk] += share
        total = sum(counts.values())
        weights = {chunk: count / total for chunk, count in counts.items()}
    return weights


def align(word: str, sound: str, weights: Weights) -> list[Chunk]:
    """Find the best alignment of a word and its sounds; empty if there is none."""
    best: dict[tuple[int, int], tuple[float, list[Chunk]]] = {(0, 0): (0.0, [])}
    for i, j, k, m in moves(word, sound):
        if (i, j) in best:
            chunk = (word[i:k], sound[j:m])
            value = best[i, j][0] + log(weight(weights, chunk) or UNSEEN_WEIGHT**9)
            if (k, m) not in best or value > best[k, m][0]:
                best[k, m] = (value, [*best[i, j][1], chunk])
    return best.get((len(word), len(sound)), (0.0, []))[1]


def spellings(
    aligned: dict[str, list[Chunk]], frequency: dict[str, float]
) -> dict[str, dict[str, float]]:
    """Count how each sound is spelt: between its neighbours, after one neighbour, and alone."""
    uses: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    examples: dict[str, Counter[str]] = defaultdict(Counter)
    for word, chain in aligned.items():
        for letters, keys in contexts(chain):
            for key in keys:
                uses[key][letters] += frequency[word]
                examples[key][letters] += 1
    trusted = (
        key for key in uses if " " not in key or examples[key].total() >= MIN_WORDS_PER_CONTEXT
    )
    return {key: without_rare(uses[key], examples[key]) for key in trusted}


def contexts(chain: list[Chunk]) -> Iterator[tuple[str, tuple[str, str, str]]]:
    """List each spelling with its sound between neighbours, after one, and alone."""
    sounds = [EDGE, *(sound for _, sound in chain), EDGE]
    for place, (letters, sound) in enumerate(chain, start=1):
        before, after = sounds[place - 1], sounds[place + 1]
        yield letters, (f"{before} {sound} {after}", f"{before} {sound}", sound)


def without_rare(uses: dict[str, float], examples: Counter[str]) -> dict[str, float]:
    """Keep spellings that two words have or that are common; the rest are mostly of names."""
    total = sum(uses.values())
    kept = {x: n for x, n in uses.items() if examples[x] >= 2 or n >= COMMON_SHARE * total}
    return {x: n / sum(kept.values()) for x, n in kept.items()}


def table_text(aligned: dict[str, list[Chunk]], table: dict[str, dict[str, float]]) -> str:
    """Write the spellings in per mille, an empty line, and the aligned words."""
    rows = (
        f"{key}\t" + " ".join(f"{x}{round(1000 * share)}" for x, share in sorted(shares.items()))
        for key, shares in sorted(table.items())
    )
    words = (
        "".join(letters + sound for letters, sound in aligned[word]) for word in sorted(aligned)
    )
    return "\n".join([*rows, "", *words]) + "\n"


def main(dictionary: str, frequencies: str, output: str) -> None:
    """Align, count and write."""
    pairs = dict[str, str]()
    for word, sound in entries(Path(dictionary).read_text(encoding="utf-8").splitlines()):
        pairs.setdefault(word, sound)
    rows = (line.split() for line in Path(frequencies).read_text("utf-8-sig").splitlines())
    known = {word: float(count) for word, count in rows}
    floor = min(known.values())
    weights = learn(Random(0).sample(sorted(pairs.items()), SAMPLED_WORDS))
    chains = {word: align(word, sound, weights) for word, sound in pairs.items()}
    aligned = {word: chain for word, chain in chains.items() if chain}
    table = spellings(aligned, {word: known.get(word, floor) for word in aligned})
    text = table_text(aligned, table)
    Path(output).write_bytes(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))


if __name__ == "__main__":
    main(*sys.argv[1:])
