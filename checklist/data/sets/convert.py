"""Convert the files of public data sets to segments, by the importers of their formats."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from shakeproof.data.imports.darr_pickle import read_darr_pickle
from shakeproof.data.imports.demetr import read_demetr
from shakeproof.data.imports.instructions import read_evalbiasbench, read_llmbar
from shakeproof.data.imports.limits import text_lines
from shakeproof.data.imports.mtme import read_folder
from shakeproof.data.imports.parascore import read_release
from shakeproof.data.imports.summedits import read_summedits
from shakeproof.data.imports.summeval import read_summeval
from shakeproof.data.json_lines import SegmentRow
from shakeproof.data.sets.catalogue import SETS
from shakeproof.errors import SpecError
from shakeproof.files import shown_path

ATTACKS = ("intrude", "disemvowel", "keyboard-typo", "phonetic", "visual")
WMT19_LEVELS = ("0.1", "0.2", "0.3")
FLORES_LEVELS = ("0.1", "0.2", "0.3", "0.4", "0.5")
FLORES_SCORES = {  # our names, as the metrics are written elsewhere, and those of the files
    "BERTScore": "BERTScore",
    "chrF": "chrF",
    "sentBLEU": "sentBLEU",
    "BLEURT-20": "bleurt-20",
}
# Segments 555 and 749 of kk-en have the same texts. The rows of a segment are in the order of the
# systems, which begins again after the first 15 of these 24.
SPLIT_EQUAL_AFTER = {"kk-en": 15}


def convert(name: str, folder: Path) -> list[SegmentRow]:
    """Return the segments of a set; `folder` has a folder for each repository."""
    record = SETS[name]
    if record.collection == "wmt19":
        return _wmt19(record.group, folder)
    if record.collection == "wmt21-flores":
        return _flores(record.group, folder)
    return CONVERTERS[name](folder)


CONVERTERS: dict[str, Callable[[Path], list[SegmentRow]]] = {
    "twitter-para": lambda folder: read_release(folder / "ParaScore/data/twitter"),
    "bq-para": lambda folder: read_release(folder / "ParaScore/data/bq"),
    "summeval": lambda folder: read_summeval(folder / "BARTScore/SUM/SummEval/data.pkl"),
    "demetr": lambda folder: read_demetr(folder / "demetr/dataset"),
    "summedits": lambda folder: read_summedits(folder / "factualNLG/data/summedits"),
    "llmbar": lambda folder: read_llmbar(folder / "LLMBar/Dataset/LLMBar"),
    "evalbiasbench": lambda folder: read_evalbiasbench(
        folder / "offsetbias/data/evalbiasbench/biasbench.json"
    ),
}


def _wmt19(pair: str, folder: Path) -> list[SegmentRow]:
    """Read a language pair of WMT19 with the attacked references of Vu et al."""
    language, letters = pair[:2], pair.replace("-", "")
    file = f"newstest2019-{letters}-ref.en"
    texts = folder / "robust-bert-based-metrics/wmt19/wmt19-metrics-task-package/input"
    sources = folder / "ACL20-Reference-Free-MT-Evaluation/WMT19/source"
    rows = read_darr_pickle(
        folder / "BARTScore/WMT" / pair / "data.pkl",
        sources=text_lines(sources / f"newstest2019-{letters}-src.{language}"),
        references=text_lines(texts / "references" / file),
        split_equal_after=SPLIT_EQUAL_AFTER.get(pair, 0),
    )
    attacked = {
        attack: {
            level: texts / "attacked-references" / attack / level / file for level in WMT19_LEVELS
        }
        for attack in ATTACKS
    }
    return _with_attacked(rows, attacked)


def _flores(pair: str, folder: Path) -> list[SegmentRow]:
    """Read a language pair of WMT21 FLORES: `rating_z` is the standardised rating."""
    part = folder / "robust-bert-based-metrics/.mt-metrics-eval/mt-metrics-eval/wmt21.flores"
    rows = read_folder(
        part,
        pair,
        ratings=["wmt-raw"],
        reference="ref-A",
        scores=tuple(FLORES_SCORES.values()),
    )
    standardised = read_folder(part, pair, ratings=["wmt-z"], reference="ref-A")
    for row, other in zip(rows, standardised, strict=True):
        for candidate, rated in zip(row["candidates"], other["candidates"], strict=True):
            if "rating" in rated:
                candidate["rating_z"] = rated["rating"]
            if scores := candidate.get("scores"):
                candidate["scores"] = {
                    name: scores[file] for name, file in FLORES_SCORES.items() if file in scores
                }
    texts = part / "attacked-references/visual"
    attacked = {level: texts / level / f"{pair}.ref-A.txt" for level in FLORES_LEVELS}
    return _with_attacked(rows, {"visual": attacked})


def _with_attacked(
    rows: list[SegmentRow], files: Mapping[str, Mapping[str, Path]]
) -> list[SegmentRow]:
    """Add the attacked references of each attack and level, a file with a line per segment."""
    lines = {
        attack: {level: text_lines(path) for level, path in by_level.items()}
        for attack, by_level in files.items()
    }
    for attack, by_level in files.items():
        for level, path in by_level.items():
            if len(lines[attack][level]) != len(rows):
                count = len(lines[attack][level])
                raise SpecError(f"{shown_path(path)}: {count} lines, {len(rows)} segments")
    return [
        {
            **row,
            "perturbed": {
                "references": {
                    attack: {level: [texts[at]] for level, texts in by_level.items()}
                    for attack, by_level in lines.items()
                }
            },
        }
        for at, row in enumerate(rows)
    ]
