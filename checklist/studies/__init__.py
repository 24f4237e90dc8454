"""Published experiments as checklists, and the numbers that their papers print.

A study is some checklists of this folder, whose data are files that the user has, and a file of
published numbers. `available` cuts the checklists to the data files and models at hand, `run` runs
them as one run, `published` compares the paper's numbers with those that the run measured.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from shakeproof.spec.extends import USER_KEYS
from shakeproof.spec.positions import read_yaml

FOLDER = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Variant:
    """A checklist of this folder with another title, other data, language and models."""

    of: str
    title: str
    data: Mapping[str, str]
    language: str
    models: Mapping[str, Mapping[str, Any]]  # by model, the options that replace those of a metric
    spaced: bool = False  # the paper scored texts with spaces between all characters

    def apply(self, content: Mapping[str, Any]) -> dict[str, Any]:
        """Return the content of the checklist with these replacements."""
        metrics = {
            name: {kind: self._replace_model(options) for kind, options in metric.items()}
            for name, metric in content["metrics"].items()
        }
        return {
            **content,
            "checklist": self.title,
            "data": self.data,
            "language": self.language,
            "metrics": metrics,
        }

    def _replace_model(self, options: Any) -> Any:  # noqa: ANN401 - YAML
        if not isinstance(options, Mapping):
            return options
        return {**options, **self.models.get(options.get("model", ""), {})}


@dataclass(frozen=True, slots=True)
class Study:
    """The experiments of one paper."""

    name: str
    paper: str
    checklists: tuple[str, ...]  # names of variants, or files of this folder without their suffix
    quick: int  # segments of each data set under --quick: about a minute
    variants: Mapping[str, Variant] = field(default_factory=dict)

    def content(self, checklist: str) -> dict[str, Any]:
        """Read the content of one of the checklists; anchors are written out."""
        variant = self.variants.get(checklist)
        file = FOLDER / f"{variant.of if variant else checklist}.checklist.yaml"
        document = read_yaml(file.read_text("utf-8"), file.name)
        content = {
            key: value for key, value in document.content.items() if not key.startswith(USER_KEYS)
        }
        return variant.apply(content) if variant else content

    def published_text(self) -> str:
        """Read the file of published numbers."""
        return (FOLDER / f"{self.name}.published.yaml").read_text("utf-8")


CHINESE_MODELS: dict[str, dict[str, Any]] = {  # those of the release, by the model for English
    "princeton-nlp/sup-simcse-bert-base-uncased": {
        "model": "uer/simcse-base-chinese",
        "pooling": "mean",
    },
    "bert-base-uncased": {"model": "bert-base-chinese", "layer": 8},
    "roberta-large": {"model": "hfl/chinese-roberta-wwm-ext", "layer": 10},
    "facebook/bart-large-cnn": {"model": "fnlp/bart-base-chinese"},
}
CHINESE = {
    f"{name}-bq": Variant(
        of=name,
        title=f"Metrics for paraphrases (Shen et al. 2022): BQ-Para{part}",
        data={"bq": "bq-para.jsonl"},
        language="zh",
        models=CHINESE_MODELS,
        spaced=True,
    )
    for name, part in {
        "parascore": ", test part",
        "parascore-extended": " with copies, test part",
        "parascore-whole": ", all candidates",
    }.items()
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
            ("parascore", "parascore-extended", "parascore-whole", *CHINESE),
            quick=100,
            variants=CHINESE,
        ),
    )
}
