"""Pairs of answers to an instruction, one of which is better: LLMBar and EvalBiasBench."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from shakeproof.data.imports.good_bad import pair_row, position_of_better
from shakeproof.data.imports.json_files import check_entries, read_json
from shakeproof.data.json_lines import SegmentRow
from shakeproof.errors import SpecError
from shakeproof.files import shown_path
from shakeproof.validation import shown

DATASET = "dataset.json"
RESULT = "result.json"
ORDERS = ("swap = False", "swap = True")  # in which a judge was shown the two answers


def read_llmbar(folder: Path) -> list[SegmentRow]:
    """Read LLMBar (Zeng et al. 2024); the folder of a data set is the group.

    The stored score of a judge is the share of the two orders in which it prefers the answer.
    """
    files = sorted(folder.glob(f"**/{DATASET}"))
    if not files:
        raise SpecError(f"{shown_path(folder)}: no {DATASET} in this folder or below")
    return [row for file in files for row in _read_subset(file)]


def _read_subset(file: Path) -> list[SegmentRow]:
    rows = []
    entries = check_entries(read_json(file), file, ("input", "output_1", "output_2"))
    for number, entry in enumerate(entries, start=1):
        better = position_of_better(entry.get("label"), f"{shown_path(file)}: entry {number}")
        texts = entry["output_1"], entry["output_2"]
        keys = {"group": file.parent.name, "language": "en", "source": entry["input"]}
        rows.append(pair_row(str(number), texts, better, **keys))
    for result in sorted(file.parent.glob(f"evaluators/*/*/{RESULT}")):
        judge = " ".join(result.parts[-3:-1])
        for row, wins in zip(rows, _wins(result, len(rows)), strict=True):
            for candidate, share in zip(row["candidates"], wins, strict=True):
                candidate.setdefault("scores", {})[judge] = share
    return rows


def _wins(path: Path, segments: int) -> Iterator[tuple[float, float]]:
    """Yield the shares of the orders in which the first and the second answer wins."""
    entries = check_entries(read_json(path), path, ())
    if len(entries) != segments:
        raise SpecError(f"{shown_path(path)}: {len(entries)} results, {segments} segments")
    for number, entry in enumerate(entries, start=1):
        try:
            (result,) = entry["results"]
            winners = [result[order]["winner"] for order in ORDERS]
        except (KeyError, TypeError, ValueError):
            wanted = f"results with a winner for {ORDERS[0]!r} and {ORDERS[1]!r}"
            raise SpecError(f"{shown_path(path)}: entry {number} must have {wanted}") from None
        yield winners.count("1") / len(ORDERS), winners.count("2") / len(ORDERS)


def read_evalbiasbench(path: Path) -> list[SegmentRow]:
    """Read EvalBiasBench (Park et al. 2024); a bias has fewer pairs than a group must have."""
    value = read_json(path)
    if not isinstance(value, dict):
        raise SpecError(f"{shown_path(path)}: must map biases to lists, got {shown(value)}")
    rows: list[SegmentRow] = []
    for bias, listed in value.items():
        for entry in check_entries(listed, path, ("instruction", "response1", "response2")):
            better = position_of_better(entry.get("label"), f"{shown_path(path)}: {bias}")
            texts = entry["response1"], entry["response2"]
            keys = {"bias": bias, "language": "en", "source": entry["instruction"]}
            rows.append(pair_row(str(len(rows) + 1), texts, better, **keys))
    return rows
