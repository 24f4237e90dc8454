"""Compute the spellings of each sound from the CMU Pronouncing Dictionary.

    python tools/phonetic_table.py CMUDICT FREQUENCIES OUTPUT

CMUDICT is `cmudict.dict` of the dictionary's release, FREQUENCIES lines of "word count".
Letters are aligned to phonemes by expectation maximisation over many-to-one and
one-to-two chunks; OUTPUT is the compressed table that the phonetic attack reads.

The limits for rare spellings (`drop_rare_spellings`) were chosen so that the attack changes as much
of the WMT19 gu-en and kk-en references as the published one. So this agreement is not a proof.
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

# One character per phoneme, so that "thDeA" reads: "th" sounds as DH, "e" as AH.
PHONEMES = (
    "AA AE AH AO AW AY B CH D DH EH ER EY F G HH IH IY JH K L M N NG OW OY P R S SH T TH UH UW "
    "V W Y Z ZH"
)
SIGNS = dict(zip(PHONEMES.split(), "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+*=", strict=True))
MOVES = ((1, 1), (2, 1), (3, 1), (4, 1), (1, 2), (2, 2))  # letters, phonemes
SAMPLE, ROUNDS, MIN_WEIGHT = 20_000, 6, 1e-9
MIN_EXAMPLES = 8  # words that must show a context before it is used
MIN_SHARE = 0.01  # of the uses; a spelling above it is kept even if only one word has it
EDGE = "."

Chunk = tuple[str, str]  # letters, phonemes
Weights = dict[Chunk, float]


def read_entries(lines: Iterable[str]) -> Iterator[Chunk]:
    """Read words and pronunciations, as letters and phoneme characters."""
    for line in lines:
        word, *sounds = line.split("#")[0].split()
        if re.fullmatch(r"[a-z']+", word) and re.search(r"[a-z]", word):
            yield word, "".join(SIGNS[sound.rstrip("012")] for sound in sounds)


def lattice_chunks(word: str, sound: str) -> Iterator[tuple[int, int, int, int]]:
    """List all chunks of the lattice by their corners, in the order of the forward sum."""
    for i in range(len(word)):
        for j in range(len(sound)):
            for di, dj in MOVES:
                if i + di <= len(word) and j + dj <= len(sound):
                    yield i, j, i + di, j + dj


def expected_counts(word: str, sound: str, weights: Weights) -> Iterator[tuple[Chunk, float]]:
    """Yield every chunk with the share of alignments that contain it (forward-backward)."""
    steps = list(lattice_chunks(word, sound))
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
    """Return the weight of a chunk; long chunks get a higher power, so as not to be preferred."""
    letters, sounds = chunk
    return float(weights.get(chunk, MIN_WEIGHT) ** (len(letters) + len(sounds) - 1))


def estimate_weights(sample: list[Chunk]) -> Weights:
    """Estimate the weights of the chunks by expectation maximisation."""
    weights: Weights = defaultdict(lambda: 0.1)
    for _ in range(ROUNDS):
        counts: Weights = defaultdict(float)
        for word, sound in sample:
            for chunk, share in expected_counts(word, sound, weights):
                counts[chunk] += share
        total = sum(counts.values())
        weights = {chunk: count / total for chunk, count in counts.items()}
    return weights


def align(word: str, sound: str, weights: Weights) -> list[Chunk]:
    """Return the best alignment as a chain of chunks; empty if there is none."""
    best: dict[tuple[int, int], tuple[float, list[Chunk]]] = {(0, 0): (0.0, [])}
    for i, j, k, m in lattice_chunks(word, sound):
        if (i, j) in best:
            chunk = (word[i:k], sound[j:m])
            value = best[i, j][0] + log(weight(weights, chunk) or MIN_WEIGHT**9)
            if (k, m) not in best or value > best[k, m][0]:
                best[k, m] = (value, [*best[i, j][1], chunk])
    return best.get((len(word), len(sound)), (0.0, []))[1]


def spellings(
    aligned: dict[str, list[Chunk]], frequency: dict[str, float]
) -> dict[str, dict[str, float]]:
    """Return the shares of the spellings of each sound, with two neighbours, with one and alone."""
    uses: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    examples: dict[str, Counter[str]] = defaultdict(Counter)
    for word, chain in aligned.items():
        for letters, keys in contexts(chain):
            for key in keys:
                uses[key][letters] += frequency[word]
                examples[key][letters] += 1
    trusted = (key for key in uses if " " not in key or examples[key].total() >= MIN_EXAMPLES)
    return {key: drop_rare_spellings(uses[key], examples[key]) for key in trusted}


def contexts(chain: list[Chunk]) -> Iterator[tuple[str, tuple[str, str, str]]]:
    """Yield each spelling with its sound between two neighbours, after one, and alone."""
    sounds = [EDGE, *(sound for _, sound in chain), EDGE]
    for position, (letters, sound) in enumerate(chain, start=1):
        before, after = sounds[position - 1], sounds[position + 1]
        yield letters, (f"{before} {sound} {after}", f"{before} {sound}", sound)


def drop_rare_spellings(uses: dict[str, float], examples: Counter[str]) -> dict[str, float]:
    """Keep spellings that occur in two words or are common; the rest come from rare names."""
    total = sum(uses.values())
    kept = {x: n for x, n in uses.items() if examples[x] >= 2 or n >= MIN_SHARE * total}
    return {x: n / sum(kept.values()) for x, n in kept.items()}


def table_text(aligned: dict[str, list[Chunk]], table: dict[str, dict[str, float]]) -> str:
    """Return the table: spellings in per mille, an empty line, and the aligned words."""
    rows = (
        f"{key}\t" + " ".join(f"{x}{round(1000 * share)}" for x, share in sorted(found.items()))
        for key, found in sorted(table.items())
    )
    words = (
        "".join(letters + sound for letters, sound in aligned[word]) for word in sorted(aligned)
    )
    return "\n".join([*rows, "", *words]) + "\n"


def main(dictionary: str, frequencies: str, output: str) -> None:
    """Align, count and write."""
    pairs = dict[str, str]()
    for word, sound in read_entries(Path(dictionary).read_text(encoding="utf-8").splitlines()):
        pairs.setdefault(word, sound)
    rows = (line.split() for line in Path(frequencies).read_text("utf-8-sig").splitlines())
    known = {word: float(count) for word, count in rows}
    floor = min(known.values())
    weights = estimate_weights(Random(0).sample(sorted(pairs.items()), SAMPLE))
    chains = {word: align(word, sound, weights) for word, sound in pairs.items()}
    aligned = {word: chain for word, chain in chains.items() if chain}
    table = spellings(aligned, {word: known.get(word, floor) for word in aligned})
    text = table_text(aligned, table)
    Path(output).write_bytes(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))


if __name__ == "__main__":
    main(*sys.argv[1:])
