"""All kinds of metrics, by their names in checklists."""

from __future__ import annotations

from shakeproof.metrics.bertscore.scorer import BertScoreOptions
from shakeproof.metrics.judges.options import JudgeOptions, JudgePairsOptions
from shakeproof.metrics.kinds.adapters import EvaluateOptions, TorchmetricsOptions
from shakeproof.metrics.kinds.bartscore import BartScoreOptions
from shakeproof.metrics.kinds.blends import BertIBleuOptions, IBleuOptions
from shakeproof.metrics.kinds.command import CommandOptions
from shakeproof.metrics.kinds.cosine import CosineOptions
from shakeproof.metrics.kinds.distance import EditSimilarityOptions
from shakeproof.metrics.kinds.lexical import BleuOptions, ChrfOptions, TerOptions
from shakeproof.metrics.kinds.meteor import MeteorOptions
from shakeproof.metrics.kinds.moverscore import MoverScoreOptions
from shakeproof.metrics.kinds.parascore import ParaScoreFreeOptions, ParaScoreOptions
from shakeproof.metrics.kinds.python import PythonOptions
from shakeproof.metrics.kinds.rouge import RougeOptions
from shakeproof.metrics.kinds.stored import StoredOptions
from shakeproof.metrics.kinds.trivial import (
    CandidateOnlyOptions,
    ConstantOptions,
    IsCopyOptions,
    LengthOptions,
    RandomOptions,
    ReferenceOnlyOptions,
    WordF1Options,
)
from shakeproof.metrics.options import Options, reference_free
from shakeproof.metrics.protocols import Scorer

_WITH_REFERENCES: dict[str, type[Options]] = {
    "bartscore": BartScoreOptions,
    "bertscore": BertScoreOptions,
    "bleu": BleuOptions,
    "chrf": ChrfOptions,
    "command": CommandOptions,
    "cosine": CosineOptions,
    "edit-similarity": EditSimilarityOptions,
    "evaluate": EvaluateOptions,
    "meteor": MeteorOptions,
    "moverscore": MoverScoreOptions,
    "python": PythonOptions,
    "rouge": RougeOptions,
    "ter": TerOptions,
    "torchmetrics": TorchmetricsOptions,
    "word-f1": WordF1Options,
}

METRICS: dict[str, type[Options]] = {
    **_WITH_REFERENCES,
    **{f"{kind}-free": reference_free(options) for kind, options in _WITH_REFERENCES.items()},
    "bert-ibleu": BertIBleuOptions,
    "ibleu": IBleuOptions,
    "judge": JudgeOptions,
    "judge-pairs": JudgePairsOptions,
    "parascore": ParaScoreOptions,
    "parascore-free": ParaScoreFreeOptions,
    "stored": StoredOptions,
    "candidate-only": CandidateOnlyOptions,
    "constant": ConstantOptions,
    "is-copy": IsCopyOptions,
    "length": LengthOptions,
    "random": RandomOptions,
    "reference-only": ReferenceOnlyOptions,
}

SCORERS: dict[str, Scorer] = {}  # registered by users, for their own formulas
