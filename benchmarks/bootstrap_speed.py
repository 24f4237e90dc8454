"""Time 10,000 bootstrap draws of a drop on wmt19-gu-en: summed rows, a plain loop, nlpstats.

    python benchmarks/bootstrap_speed.py ../shared/data/wmt19-gu-en.jsonl

The scores are word overlap with the clean and with the published attacked references. The loop
and nlpstats run fewer draws, and their time is scaled up. nlpstats is timed if it is installed: it
has neither preferences nor drops, so it draws correlations of two matrices of 9 systems by all
inputs, once for each side of the drop: Pearson's r over all, and Kendall's tau within inputs.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
from measure import read_segments, timed

from shakeproof.data.segments import Candidate, Segment
from shakeproof.stats.estimate import resample
from shakeproof.stats.kinds.agreement import correlation, difference
from shakeproof.stats.kinds.pairs import WmtKendall
from shakeproof.stats.observations import Observations, Vector
from shakeproof.stats.rows import candidates_of

DRAWS = 10_000


def read(path: Path) -> list[Segment]:
    """Read the segments with their attacked references."""
    return [
        Segment(
            id=row["id"],
            candidates=tuple(Candidate(c["text"]) for c in row["candidates"]),
            references=(row["references"][0], row["perturbed"]["references"]["visual"]["0.3"][0]),
            preferences=tuple((better, worse) for better, worse in row["preferences"]),
        )
        for row in read_segments(path)
    ]


def overlap(candidate: str, reference: str) -> float:
    """Return the F1 of two sets of words."""
    ours, theirs = set(candidate.lower().split()), set(reference.lower().split())
    return 2 * len(ours & theirs) / max(len(ours) + len(theirs), 1)


def scores(segments: list[Segment], which: int) -> Vector:
    """Score every candidate against the clean (0) or attacked (1) reference."""
    return np.array([overlap(c.text, s.references[which]) for s in segments for c in s.candidates])


def plain_loop(observed: Observations, draws: int) -> Vector:
    """Draw segments, gather their pairs and count again: the simplest program."""
    rng, candidates = np.random.default_rng(0), observed.candidates
    owner = candidates.segment[candidates.pairs[:, 0]]
    pairs = [candidates.pairs[owner == segment] for segment in range(candidates.segments)]
    drops = []
    for _ in range(draws):
        drawn = np.concatenate(
            [pairs[segment] for segment in rng.integers(0, len(pairs), len(pairs))]
        )
        taus = [
            2 * np.mean(values[drawn[:, 0]] - values[drawn[:, 1]] > 1e-6) - 1
            for values in observed.scores.values()
        ]
        drops.append(taus[0] - taus[1])
    return np.array(drops)


def with_nlpstats(observed: Observations, level: str, coefficient: str, draws: int) -> None:
    """Resample the inputs of two matrices of scores, once for each side of the drop."""
    from nlpstats.correlations import bootstrap

    shape = (9, observed.candidates.segments)
    first, second = (np.resize(values, shape) for values in observed.scores.values())
    for _ in range(2):
        bootstrap(first, second, level, coefficient, "inputs", n_resamples=draws)


def nlpstats_lines(observed: Observations) -> dict[str, float]:
    """Time nlpstats, after a first call that loads what it needs."""
    seconds_by_line = {}
    for name, level, coefficient, draws in (
        ("Pearson over all", "global", "pearson", 200),
        ("Kendall within inputs", "input", "kendall", 5),
    ):
        with_nlpstats(observed, level, coefficient, 1)
        seconds = seconds_of(partial(with_nlpstats, observed, level, coefficient, draws))
        seconds_by_line[f"nlpstats, {name}, scaled from {draws}"] = seconds * DRAWS / draws
    return seconds_by_line


def seconds_of(work: Callable[[], object], calls: int = 1) -> float:
    """Return the seconds that a call takes, the best of several."""
    return min(timed(work)[1].wall for _ in range(calls))


def main(path: str) -> None:
    """Print one line for each way to draw."""
    segments = read(Path(path))
    candidates = candidates_of(segments)
    observed = Observations(candidates, {which: scores(segments, which) for which in (0, 1)}, {})
    kendall = WmtKendall()
    drop = difference(correlation(kendall, [0]), correlation(kendall, [1]))
    (sample,) = resample([drop], observed, draws=DRAWS)
    loop = plain_loop(observed, 500)
    lines = {
        f"summed rows, {DRAWS:,} draws": seconds_of(
            lambda: resample([drop], observed, draws=DRAWS), 3
        ),
        "plain loop, scaled from 500": seconds_of(lambda: plain_loop(observed, 500)) * DRAWS / 500,
    }
    try:
        lines |= nlpstats_lines(observed)
    except ImportError:
        print("nlpstats is not installed")
    print(f"{len(candidates.pairs):,} pairs in {candidates.segments:,} segments")
    print(f"standard error of the drop {sample.se:.5f}, by the plain loop {loop.std():.5f}")
    for name, seconds in lines.items():
        print(f"{name:50} {seconds:9.2f} s")


if __name__ == "__main__":
    main(sys.argv[1])
