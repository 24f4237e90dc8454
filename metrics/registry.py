"""All kinds of metrics by the name that a checklist uses."""

from __future__ import annotations

from shakeproof.metrics.adapters import EvaluateOptions, TorchmetricsOptions
from shakeproof.metrics.bartscore import BartScoreOptions
from shakeproof.metrics.bertscore import BertScoreOptions
from shakeproof.metrics.blends import BertIBleuOptions, IBleuOptions
from shakeproof.metrics.command import CommandOptions
from shakeproof.metrics.cosine import CosineOptions
from shakeproof.metrics.distance import EditSimilarityOptions
from shakeproof.metrics.lexical import BleuOptions, ChrfOptions, TerOptions
from shakeproof.metrics.meteor import MeteorOptions
from shakeproof.metrics.moverscore import MoverScoreOptions
from shakeproof.metrics.options import Options, reference_free
from shakeproof.metrics.parascore import ParaScoreFreeOptions, ParaScoreOptions
from shakeproof.metrics.python import PythonOptions
from shakeproof.metrics.rouge import RougeOptions
from shakeproof.metrics.stored import StoredOptions
from shakeproof.metrics.yardsticks import (
    CandidateOnlyOptions,
    ConstantOptions,
    IsCopyOptions,
    LengthOptions,
    RandomOptions,
    ReferenceOnlyOptions,
    WordF1Options,
)

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
