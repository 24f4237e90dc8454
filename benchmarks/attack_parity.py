"""Compare our character attacks with the attacked references published by Vu et al. (2022).

    python benchmarks/attack_parity.py SHARED [--metrics chrf,first,last] [--cache FILE]

SHARED is the folder whose `data/` holds wmt19-gu-en.jsonl and wmt19-kk-en.jsonl. Prints,
for every attack and level, how much of the references changes, and the agreement with
human preferences (wmt-kendall) that is left, under theirs and under ours over five seeds.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from random import Random
from statistics import fmean

from measure import Segment, read_segments, wmt_kendall
from rapidfuzz.distance import Levenshtein

from shakeproof.metrics.engine.cache import Cache
from shakeproof.metrics.engine.engine import Engine, Progress
from shakeproof.metrics.protocols import Instance, Metric
from shakeproof.metrics.registry import METRICS
from shakeproof.metrics.settings import Settings
from shakeproof.perturbations import PERTURBATIONS

PAIRS = ("gu-en", "kk-en")
ATTACKS = ("visual", "intrude", "disemvowel", "keyboard-typo", "phonetic")
LEVELS = ("0.1", "0.2", "0.3")
SEEDS = range(5)
THEIRS = -1  # in place of a seed: the published references
TIE = 1e-6  # scores closer than this differ by rounding only
KINDS = {
    "chrf": ("chrf", {}),
    "first": ("bertscore", {"model": "minilm", "layer": "first"}),
    "last": ("bertscore", {"model": "minilm", "layer": "last"}),
}
Version = tuple[str, str, int]  # attack, level, seed
CLEAN: Version = ("", "0", THEIRS)
VERSIONS = [
    CLEAN,
    *((a, level, seed) for a in ATTACKS for level in LEVELS for seed in (THEIRS, *SEEDS)),
]


def reference(segment: Segment, version: Version) -> str:
    """Return the reference of a segment, attacked by them or by us."""
    attack, level, seed = version
    text = segment["references"][0]
    if not attack:
        return text
    if seed == THEIRS:
        return segment["perturbed"]["references"][attack][level][0]
    stream = Random(json.dumps([seed, attack, segment["id"], "reference", 0]))
    return PERTURBATIONS[attack](text, float(level), stream)


def rates(pairs: Iterable[tuple[str, str]]) -> tuple[float, float]:
    """Measure the share of words changed, and the character edits per letter."""
    words = changed = edits = letters = 0
    for before, after in pairs:
        for old, new in zip(before.split(" "), after.split(" "), strict=True):
            counts = any(map(str.isalpha, old))
            words += counts
            changed += counts and old != new
        edits += Levenshtein.distance(before, after)
        letters += sum(map(str.isalpha, before))
    return changed / words, edits / letters


def show_rates(segments: Sequence[Segment]) -> bool:
    """Print our rates and theirs, on the lines whose words their tokeniser did not split."""
    print("attack          level  lines   words changed             edits per letter")
    good = True
    for attack in ATTACKS:
        for level in LEVELS:
            rows = [s for s in segments if same_blanks(s, (attack, level, THEIRS))]
            theirs, *ours = (
                rates((s["references"][0], reference(s, (attack, level, seed))) for s in rows)
                for seed in (THEIRS, *SEEDS)
            )
            mean = [fmean(column) for column in zip(*ours, strict=True)]
            off = [ours / theirs - 1 for ours, theirs in zip(mean, theirs, strict=True)]
            good &= all(abs(share) <= 0.1 for share in off)
            columns = (
                f"{their:.4f} {our:.4f} {share:+6.1%}"
                for their, our, share in zip(theirs, mean, off, strict=True)
            )
            print(f"{attack:15} {level:5} {len(rows):6}   " + "    ".join(columns))
    return good


def same_blanks(segment: Segment, version: Version) -> bool:
    """Return whether words can be compared one by one."""
    return segment["references"][0].count(" ") == reference(segment, version).count(" ")


def instances(segment: Segment, version: Version) -> list[Instance]:
    """List the candidates of a segment against a version of its reference."""
    text = reference(segment, version)
    return [Instance(candidate["text"], (text,)) for candidate in segment["candidates"]]


def ratings(
    segments: Sequence[Segment], metrics: Iterable[Metric]
) -> Iterator[list[tuple[Metric, Instance]]]:
    """List all that must be scored, segment by segment."""
    for segment in segments:
        scored = [instance for version in VERSIONS for instance in instances(segment, version)]
        yield [(metric, instance) for metric in metrics for instance in scored]


def agreement(
    engine: Engine, metric: Metric, segments: Sequence[Segment], version: Version
) -> float:
    """Correlate with the preferences; a tie of the metric counts as wrong (WMT)."""
    scored = [instance for segment in segments for instance in instances(segment, version)]
    return wmt_kendall(segments, engine.read(metric, scored), tie=TIE)


def show_agreement(
    engine: Engine, name: str, metric: Metric, pair: str, segments: Sequence[Segment]
) -> list[float]:
    """Print the agreement under theirs and ours; return the differences."""
    clean = agreement(engine, metric, segments, CLEAN)
    print(f"\n{name} on {pair}: clean {clean:.4f}")
    print("attack          level  theirs    ours    spread over seeds   difference")
    differences = []
    for attack in ATTACKS:
        for level in LEVELS:
            theirs, *ours = (
                agreement(engine, metric, segments, (attack, level, seed))
                for seed in (THEIRS, *SEEDS)
            )
            differences.append(fmean(ours) - theirs)
            print(
                f"{attack:15} {level:5} {theirs:7.4f} {fmean(ours):7.4f}   "
                f"{min(ours):.4f} to {max(ours):.4f}   {differences[-1]:+.4f}"
            )
    return differences


def within(differences: Sequence[float]) -> bool:
    """Print how far ours are from theirs; return whether that is near enough."""
    sizes = [abs(difference) for difference in differences]
    near = fmean(size <= 0.02 for size in sizes)
    print(
        f"\n{len(sizes)} comparisons: largest difference {max(sizes):.4f} (0.03 allowed), "
        f"{near:.0%} within 0.02 (90% required), mean {fmean(differences):+.4f} (0.005 allowed)"
    )
    return max(sizes) <= 0.03 and near >= 0.9 and abs(fmean(differences)) <= 0.005


def note(progress: Progress) -> None:
    """Print how far scoring is, on one line."""
    print(f"\r{progress.done} scores, {progress.rate:.0f} a second", end="", flush=True)


def main() -> None:
    """Compare rates, then agreement; exit with 1 where ours are too far off."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("shared", type=Path)
    parser.add_argument("--metrics", default="chrf,first,last")
    parser.add_argument("--cache", type=Path)
    arguments = parser.parse_args()
    data = {
        pair: read_segments(arguments.shared / "data" / f"wmt19-{pair}.jsonl") for pair in PAIRS
    }
    good = show_rates([segment for segments in data.values() for segment in segments])
    metrics = {
        name: METRICS[KINDS[name][0]](**KINDS[name][1]).build({}, Settings())
        for name in arguments.metrics.split(",")
    }
    differences: list[float] = []
    with Cache(arguments.cache) as cache:
        engine = Engine(cache, progress=note)
        for pair, segments in data.items():
            for signature, error in engine.fill(ratings(segments, metrics.values())).items():
                raise SystemExit(f"{signature}: {error}")
            for name, metric in metrics.items():
                differences += show_agreement(engine, name, metric, pair, segments)
    raise SystemExit(0 if within(differences) and good else 1)


if __name__ == "__main__":
    main()
