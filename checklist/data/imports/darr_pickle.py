"""Preferences of WMT19 as the BARTScore release has them: a pickle with the texts of each pair."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from shakeproof.data.imports.parascore import read_pickle
from shakeproof.data.json_lines import SegmentRow
from shakeproof.errors import SpecError
from shakeproof.files import shown_path

Judgement = Mapping[str, Any]  # src, ref, better and worse; the last two have sys_name and sys


def read_darr_pickle(
    path: Path, *, sources: Sequence[str], references: Sequence[str], split_equal_after: int = 0
) -> list[SegmentRow]:
    """Read the pairs of each segment; candidates are in the order of the names of systems.

    Where two segments have the same source and reference, the judgements after the first
    `split_equal_after` are of the second segment.
    """
    try:
        judgements = list(read_pickle(path).values())
        by_segment = _by_segment(judgements, sources, references, split_equal_after)
        return [
            {
                "id": str(at + 1),
                "source": source,
                "references": [reference],
                **_candidates(by_segment[at]),
            }
            for at, (source, reference) in enumerate(zip(sources, references, strict=True))
        ]
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        wanted = "{number: {src, ref, better: {sys_name, sys}, worse: {sys_name, sys}}}"
        reason = f"{type(error).__name__}: {error}"
        raise SpecError(f"{shown_path(path)}: must be {wanted} ({reason})") from None


def _by_segment(
    judgements: Sequence[Judgement],
    sources: Sequence[str],
    references: Sequence[str],
    split_equal_after: int,
) -> list[list[Judgement]]:
    """Return the judgements of each segment, which has their source and reference."""
    positions: dict[tuple[str, str], list[int]] = {}
    for at, texts in enumerate(zip(sources, references, strict=True)):
        positions.setdefault(texts, []).append(at)
    by_segment: list[list[Judgement]] = [[] for _ in sources]
    for judgement in judgements:
        first, *others = positions[judgement["src"], judgement["ref"]]
        is_of_second = others and len(by_segment[first]) >= split_equal_after
        by_segment[others[0] if is_of_second else first].append(judgement)
    return by_segment


def _candidates(judgements: Sequence[Judgement]) -> SegmentRow:
    """Return candidates and preferences; systems with the same output share a candidate."""
    outputs = {
        judgement[side]["sys_name"]: judgement[side]["sys"]
        for judgement in judgements
        for side in ("better", "worse")
    }
    systems: dict[str, list[str]] = {}  # by output
    for system, text in sorted(outputs.items()):
        systems.setdefault(text, []).append(system)
    places = {text: place for place, text in enumerate(systems)}
    pairs = [
        [places[judgement["better"]["sys"]], places[judgement["worse"]["sys"]]]
        for judgement in judgements
    ]
    return {
        "candidates": [{"text": text, "systems": names} for text, names in systems.items()],
        "preferences": [[better, worse] for better, worse in pairs if better != worse],
    }
