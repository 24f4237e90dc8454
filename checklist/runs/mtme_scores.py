"""Scores as files of mt-metrics-eval: a line for each system, or for each system and segment."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

import numpy as np

from shakeproof.data.imports.mtme import MISSING
from shakeproof.errors import SpecError
from shakeproof.metrics.protocols import Instance, Metric
from shakeproof.runs.clean_scores import CleanScores
from shakeproof.stats.kinds.soft_pairwise import system_table
from shakeproof.stats.kinds.systems import known_systems, memberships
from shakeproof.stats.observations import Candidates, Mask, Matrix, Vector

PLAIN_NAME = re.compile(r"[^\s/]+")
PROBE = Instance("a candidate", ("a reference",), "a source")
REFERENCES = re.compile(r"[^\s/.-]+(\.[^\s/.-]+)*")


def score_files(scores: CleanScores, *, pair: str | None, references: str) -> dict[str, str]:
    """Return the texts of all files by path: metric-scores/PAIR/METRIC-REFERENCES.LEVEL.score.

    A group of the data is a language pair; `pair` names that of data without groups.
    """
    candidates = scores.candidates
    if not REFERENCES.fullmatch(references):
        raise SpecError(
            f"references {references!r} must be names without '-', joined by dots; such as refA"
        )
    files: dict[str, str] = {}
    for number, group in enumerate(candidates.groups):
        folder = PurePosixPath("metric-scores") / _pair_name(group, pair)
        segments = candidates.group == number
        for name, vector in scores.scores.items():
            used = references if _uses_references(scores.metrics[name]) else "src"
            stem = folder / f"{_plain('metric', name)}-{used}"
            by_system = _by_system(candidates, vector, segments)
            files[f"{stem}.seg.score"] = _lines(by_system, whole=False)
            files[f"{stem}.sys.score"] = _lines(by_system, whole=True)
    return files


def _uses_references(metric: Metric) -> bool:
    """Return whether a metric looks at references; stored scores are taken to do so."""
    if any(need == "references" or need.startswith("stored:") for need in metric.requires):
        return True
    return any(PROBE.references[0] in text for _, texts in metric.needs(PROBE) for text in texts)


def _pair_name(group: str, pair: str | None) -> str:
    if pair is None and not group:
        raise SpecError("the data have no groups that name language pairs; add --pair, as en-de")
    return _plain("language pair", group or pair or "")


def _plain(what: str, name: str) -> str:
    """Return a name that the layout can hold."""
    if not PLAIN_NAME.fullmatch(name):
        raise SpecError(f"{what} {name!r} has a space or '/'; mt-metrics-eval allows none")
    return name


def _by_system(candidates: Candidates, scores: Vector, segments: Mask) -> list[tuple[str, Vector]]:
    """Return the scores of each system, one per segment, NaN where there is none."""
    rows = known_systems(candidates) & segments[candidates.segment]
    members = memberships(candidates)
    present = np.unique(members[rows[members[:, 0]], 1])
    if not len(present):
        raise SpecError("the candidates name no systems, whose scores the files hold")
    table: Matrix = system_table(candidates, scores, rows)[segments]
    names = [_plain("system", candidates.systems[number]) for number in present]
    return list(zip(names, table.T, strict=True))


def _lines(by_system: Sequence[tuple[str, Vector]], *, whole: bool) -> str:
    """Write the mean of each system, or its score of each segment."""

    def lines() -> Iterator[str]:
        for name, scores in by_system:
            known = scores[np.isfinite(scores)]
            mean = known.mean() if len(known) else np.nan
            for score in [mean] if whole else scores:
                yield f"{name}\t{float(score) if np.isfinite(score) else MISSING}\n"

    return "".join(lines())
