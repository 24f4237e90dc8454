"""SummEval (Fabbri et al. 2021): summaries rated by experts, as the BARTScore release has them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from shakeproof.data.imports.parascore import read_pickle
from shakeproof.data.json_lines import SegmentRow
from shakeproof.errors import SpecError
from shakeproof.files import shown_path

ASPECTS = ("coherence", "consistency", "fluency", "relevance")


def read_summeval(path: Path) -> list[SegmentRow]:
    """Read an article and its summaries per segment; `rating` is the mean over the aspects."""
    articles = read_pickle(path)
    try:
        return [_row(name, article) for name, article in articles.items()]
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        wanted = "{article: {src, ref_summs, sys_summs: {system: {sys_summ, scores}}}}"
        reason = f"{type(error).__name__}: {error}"
        raise SpecError(f"{shown_path(path)}: must be {wanted} ({reason})") from None


def _row(name: str, article: Mapping[str, Any]) -> SegmentRow:
    return {
        "id": name,
        "language": "en",
        "source": article["src"],
        "references": list(article["ref_summs"]),
        "candidates": [
            _candidate(system, summary) for system, summary in article["sys_summs"].items()
        ],
    }


def _candidate(system: str, summary: Mapping[str, Any]) -> dict[str, Any]:
    ratings = {aspect: float(summary["scores"][aspect]) for aspect in ASPECTS}
    return {
        "text": summary["sys_summ"],
        "systems": [system],
        "rating": sum(ratings.values()) / len(ratings),
        "ratings": ratings,
    }
