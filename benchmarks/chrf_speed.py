"""Time chrF beside sacrebleu's loop over sentences, in one run, and compare all scores.

    python benchmarks/chrf_speed.py ../shared/data/wmt19-gu-en.jsonl

The tuples are in blocks of whole segments, as the engine scores them: each candidate with the
clean and with each attacked reference, so that texts occur several times; then with the clean
reference alone.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from measure import Pair, Segment, in_turns, read_segments, show, show_ratio
from sacrebleu import CHRF

from shakeproof.metrics.kinds.chrf import ChrfScorer

ROUNDS = 3
SEGMENTS_AT_ONCE = 200  # about as many as the engine's blocks have
GOAL = "at least 5"


def pairs_of(segment: Segment, *, attacked: bool) -> list[Pair]:
    """Return the distinct pairs of candidates with the clean and all attacked references."""
    levels = segment["perturbed"]["references"]["visual"].values() if attacked else ()
    references = [segment["references"][0], *(texts[0] for texts in levels)]
    pairs = [(c["text"], reference) for c in segment["candidates"] for reference in references]
    return list(dict.fromkeys(pairs))


def blocks(segments: list[Segment], *, attacked: bool) -> Iterator[list[Pair]]:
    """Gather the pairs of some segments at a time."""
    for first in range(0, len(segments), SEGMENTS_AT_ONCE):
        block = segments[first : first + SEGMENTS_AT_ONCE]
        yield [pair for segment in block for pair in pairs_of(segment, attacked=attacked)]


def compare(title: str, work: list[list[Pair]], settings: dict[str, int]) -> None:
    """Print both times, their ratio, and the largest difference of two scores."""
    library, scorer = CHRF(**settings), ChrfScorer(**settings)

    def theirs() -> list[float]:
        return [library.sentence_score(c, [r]).score for block in work for c, r in block]

    def ours() -> list[float]:
        return [score for block in work for score in scorer.score(block).tolist()]

    scores, best = in_turns({"sacrebleu": theirs, "shakeproof": ours}, ROUNDS)
    difference = max(abs(a - b) for a, b in zip(*scores.values(), strict=True))
    print(f"{title}: {len(scores['sacrebleu']):,} pairs, largest difference {difference:g}")
    for name, took in best.items():
        show(name, took)
    show_ratio("shakeproof against sacrebleu", best["sacrebleu"], best["shakeproof"], GOAL)


def main() -> None:
    """Compare chrF and chrF++, with attacked references and without."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--segments", type=int, default=600)
    args = parser.parse_args()
    segments = read_segments(args.data, args.segments)
    for name, settings in (("chrF", {}), ("chrF++", {"word_order": 2})):
        work = partial(blocks, segments)
        compare(f"{name}, clean and attacked", list(work(attacked=True)), settings)
        compare(f"{name}, clean alone", list(work(attacked=False)), settings)


if __name__ == "__main__":
    main()
