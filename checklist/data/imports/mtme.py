"""Folders of mt-metrics-eval: plain texts and score files, one line per segment."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from shakeproof.data.imports.limits import ROW, limit_sizes, limit_values, text_lines
from shakeproof.data.imports.tables import read_number
from shakeproof.data.json_lines import SegmentRow
from shakeproof.errors import SpecError, hint
from shakeproof.files import shown_path
from shakeproof.validation import shown

MISSING = "None"  # as the files write a missing score
SCORE_SUFFIX = ".seg.score"


def read_folder(
    folder: Path,
    pair: str,
    *,
    ratings: Sequence[str] = (),
    reference: str | None = None,
    scores: Sequence[str] = (),
) -> list[SegmentRow]:
    """Read one language pair of one test set, such as wmt22 and en-de.

    Of several human scores, each is an aspect that candidates have ratings for.
    """
    sources = text_lines(folder / "sources" / f"{pair}.txt")
    references = _references(folder, pair, reference)
    outputs = _outputs(folder, pair, without=set(references))
    texts = {**references, **outputs}
    limit_values([ROW * len(lines) for lines in texts.values()], shown_path(folder))
    for name, lines in texts.items():
        if len(lines) != len(sources):
            raise SpecError(f"{name!r} of {pair} has {len(lines)} lines, the source {len(sources)}")
    rated = _ratings(folder, pair, ratings, len(sources))
    stored = {name: _metric(folder, pair, name, list(references), len(sources)) for name in scores}
    documents = _documents(folder, pair, len(sources))

    def row(at: int, source: str) -> SegmentRow:
        candidates = [
            _candidate(system, lines[at], at, rated, stored) for system, lines in outputs.items()
        ]
        segment: SegmentRow = {
            "id": str(at + 1),
            "source": source,
            "references": [lines[at] for lines in references.values()],
            "candidates": candidates,
        }
        return {**segment, "document": documents[at]} if documents else segment

    return [row(at, source) for at, source in enumerate(sources)]


Scores = dict[str, list[float | None]]  # by system, one per segment


def _candidate(
    system: str, text: str, at: int, rated: dict[str, Scores], stored: dict[str, Scores]
) -> dict[str, Any]:
    row: dict[str, Any] = {"text": text, "systems": [system]}
    ratings, scores = _given(rated, system, at), _given(stored, system, at)
    if len(rated) > 1 and ratings:
        row["ratings"] = ratings
    elif ratings:
        (row["rating"],) = ratings.values()
    return {**row, "scores": scores} if scores else row


def _given(named: dict[str, Scores], system: str, at: int) -> dict[str, float]:
    """Return the scores of a system for one segment by name, without those that are missing."""
    scores = {name: one[system][at] for name, one in named.items() if system in one}
    return {name: score for name, score in scores.items() if score is not None}


def _named(folder: Path, prefix: str, suffix: str) -> dict[str, Path]:
    """Return files by the part of their name between a prefix and a suffix."""
    paths = sorted(folder.glob(f"{prefix}*{suffix}")) if folder.is_dir() else []
    return {path.name[len(prefix) : -len(suffix)]: path for path in paths}


def _references(folder: Path, pair: str, chosen: str | None) -> dict[str, list[str]]:
    files = _named(folder / "references", f"{pair}.", ".txt")
    if not files:
        raise SpecError(f"{shown_path(folder)}: no references for {pair!r}; {_pairs(folder, pair)}")
    if chosen is not None and chosen not in files:
        raise SpecError(f"no reference {chosen!r} for {pair}; {hint(chosen, files)}")
    return _texts({name: path for name, path in files.items() if chosen in (None, name)}, folder)


def _pairs(folder: Path, pair: str) -> str:
    return hint(pair, _named(folder / "sources", "", ".txt"))


def _outputs(folder: Path, pair: str, *, without: set[str]) -> dict[str, list[str]]:
    files = _named(folder / "system-outputs" / pair, "", ".txt")
    if not files:
        raise SpecError(f"{shown_path(folder)}: no system outputs for {pair!r}")
    return _texts({name: path for name, path in files.items() if name not in without}, folder)


def _texts(files: dict[str, Path], folder: Path) -> dict[str, list[str]]:
    limit_sizes(files.values(), shown_path(folder))
    return {name: text_lines(path) for name, path in files.items()}


def _ratings(folder: Path, pair: str, chosen: Sequence[str], segments: int) -> dict[str, Scores]:
    """Read the chosen human scores, or the only ones."""
    files = _named(folder / "human-scores", f"{pair}.", SCORE_SUFFIX)
    if not chosen and len(files) > 1:
        names = ", ".join(files)
        raise SpecError(f"several human scores for {pair}; say which with --ratings: {names}")
    for name in chosen:
        if name not in files:
            raise SpecError(f"no human scores {name!r} for {pair}; {hint(name, files)}")
    return {name: _scores(files[name], segments) for name in chosen or files}


def _metric(folder: Path, pair: str, name: str, references: list[str], segments: int) -> Scores:
    files = _named(folder / "metric-scores" / pair, "", SCORE_SUFFIX)
    compared_with = (".".join(references), *references, "src", "all")
    file = next((f"{name}-{other}" for other in compared_with if f"{name}-{other}" in files), None)
    if file is None:
        raise SpecError(f"no scores of {name!r} for {pair}; {hint(name, files)}")
    return _scores(files[file], segments)


def _scores(path: Path, segments: int) -> Scores:
    scores: Scores = {}
    for at, line in enumerate(text_lines(path), start=1):
        where = f"{shown_path(path)}:{at}"
        system, _, score = line.strip().replace("\t", " ").rpartition(" ")
        if not system:
            raise SpecError(f"{where}: must be a system and its score, got {shown(line)}")
        value = None if score == MISSING else read_number(score, f"{where}: score")
        scores.setdefault(system.strip(), []).append(value)
    for system, values in scores.items():
        if len(values) != segments:
            raise SpecError(
                f"{shown_path(path)}: {len(values)} scores of {system!r}, {segments} segments"
            )
    return scores


def _documents(folder: Path, pair: str, segments: int) -> list[str]:
    path = folder / "documents" / f"{pair}.docs"
    if not path.is_file():
        return []
    documents = [line.split()[-1] if line.strip() else "" for line in text_lines(path)]
    if len(documents) != segments:
        raise SpecError(f"{shown_path(path)}: {len(documents)} lines, {segments} segments")
    return documents
