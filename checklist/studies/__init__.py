"""Published experiments as checklists, and the numbers that their papers print.

A study is some checklists of this folder, whose data are files that the user has, and one file
of published values. `fitting` cuts the checklists to the data and models at hand, `running` runs
them as one run, `published` sets the paper's numbers beside what the run measured.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

FOLDER = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Twin:
    """A checklist like another one, but for some words, such as the data and the language."""

    of: str
    words: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Study:
    """The experiments of one paper."""

    name: str
    paper: str
    checklists: tuple[str, ...]  # files of this folder, without .checklist.yaml
    quick: int  # segments of each data set under --quick: about a minute
    twins: Mapping[str, Twin] = field(default_factory=dict)

    def text(self, checklist: str) -> str:
        """Read one of the checklists, or make a twin of the one it is like."""
        twin = self.twins.get(checklist, Twin(checklist))
        text = (FOLDER / f"{twin.of}.checklist.yaml").read_text("utf-8")
        for word, other in twin.words.items():
            text = text.replace(word, other)
        return text

    @property
    def published(self) -> str:
        """Read the published values."""
        return (FOLDER / f"{self.name}.published.yaml").read_text("utf-8")


BQ_PARA = {  # Twitter-Para's words, and those that take their place, models as in the release
    "{twitter: twitter-para.jsonl}": "{bq: bq-para.jsonl}",
    "Twitter-Para": "BQ-Para",
    "language: en": "language: zh",
    "princeton-nlp/sup-simcse-bert-base-uncased, pooling: head": "uer/simcse-base-chinese",
    "bert-base-uncased, layer: 9": "bert-base-chinese, layer: 8",
    "roberta-large, layer: 17": "hfl/chinese-roberta-wwm-ext, layer: 10",
    "facebook/bart-large-cnn": "fnlp/bart-base-chinese",
}
IN_CHINESE = {
    f"{name}-bq": Twin(name, BQ_PARA)
    for name in ("parascore", "parascore-extended", "parascore-whole")
}

STUDIES = {
    study.name: study
    for study in (
        Study(
            "robust-bertscore",
            "Vu et al. 2022",
            ("robust-bertscore", "robust-bertscore-flores", "robust-bertscore-figure-5"),
            quick=40,
        ),
        Study(
            "parascore",
            "Shen et al. 2022",
            ("parascore", "parascore-extended", "parascore-whole", *IN_CHINESE),
            quick=100,
            twins=IN_CHINESE,
        ),
    )
}
