"""Populations of real texts: chrF, shared words and length, clean and under look-alike letters."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeAlias
from zlib import crc32

import numpy as np
from populations import LEVELS, Population

import shakeproof
from shakeproof.data.segments import Candidate, Segment
from shakeproof.metrics.kinds.trivial import length_ratio, word_f1
from shakeproof.stats.observations import Observations, Vector
from shakeproof.stats.rows import candidates_of

Score: TypeAlias = Callable[[str, str], float]

GAP = {"twitter-para": 0.2, "wmt21-flores-xh-zu": 12.5}  # of ratings: two of them are a clear gap


def real_populations(folder: Path) -> dict[str, Population]:
    """Read the populations that the folder has."""
    shapes = (("twitter-para", ""), ("wmt19-kk-en", ""), ("wmt21-flores-xh-zu", "document"))
    return {
        name: read_population(name, folder / f"{name}.jsonl", cluster)
        for name, cluster in shapes
        if (folder / f"{name}.jsonl").exists()
    }


def read_population(name: str, path: Path, cluster: str) -> Population:
    """Score all candidates of a file against its clean and its attacked references."""
    lines = path.read_text(encoding="utf-8").split("\n")
    raws = [json.loads(line) for line in lines if line]
    raws = [
        raw
        for raw in raws
        if raw.get("preferences") or any("rating" in one for one in raw["candidates"])
    ]
    candidates = candidates_of(
        [make_segment(raw, GAP.get(name, 1)) for raw in raws], cluster or None
    )
    clean = [raw["references"][0] for raw in raws]
    chrf = load_chrf()
    scores = {
        metric: score_all(raws, clean, score)
        for metric, score in (("clean", chrf), ("other", word_f1), ("third", length_ratio))
    }
    for level in LEVELS:
        attacked = [attack(raw, level) for raw in raws]
        scores[f"clean {level}"] = score_all(raws, attacked, chrf)
        scores[f"other {level}"] = score_all(raws, attacked, word_f1)
    if name == "twitter-para":
        copies = [
            chrf(raw["source"], reference) for raw, reference in zip(raws, clean, strict=True)
        ]
        scores["copy"] = np.array(copies)[candidates.segment]
    changed = {key: np.ones(len(candidates.segment), bool) for key in scores}
    return Population(name, Observations(candidates, scores, changed), made=False)


def make_segment(raw: dict[str, Any], gap: float) -> Segment:
    """Keep what statistics look at; ratings in units of the gap."""
    ratings = [candidate.get("rating") for candidate in raw["candidates"]]
    return Segment(
        id=raw["id"],
        candidates=tuple(
            Candidate(candidate["text"], None if rating is None else rating / gap)
            for candidate, rating in zip(raw["candidates"], ratings, strict=True)
        ),
        references=tuple(raw["references"]),
        preferences=tuple((better, worse) for better, worse in raw.get("preferences", ())),
        extra={"document": raw.get("document", raw["id"])},
    )


def load_chrf() -> Score:
    """Load sacreBLEU's sentence chrF."""
    from sacrebleu.metrics import CHRF

    metric = CHRF()
    return lambda candidate, reference: metric.sentence_score(candidate, [reference]).score / 100


def attack(raw: dict[str, Any], level: float) -> str:
    """Return the reference as it was published under attack or, without one, attacked here."""
    if "perturbed" in raw:
        published: str = raw["perturbed"]["references"]["visual"][f"{level}"][0]
        return published
    seed = crc32(raw["id"].encode())
    return shakeproof.perturb("visual", raw["references"][0], level, seed=seed)


def score_all(raws: Sequence[dict[str, Any]], references: Sequence[str], score: Score) -> Vector:
    """Score every candidate against the reference of its segment."""
    return np.array(
        [
            score(candidate["text"], reference)
            for raw, reference in zip(raws, references, strict=True)
            for candidate in raw["candidates"]
        ]
    )
