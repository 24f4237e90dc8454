"""iBLEU and BERT-iBLEU: closeness to the meaning, less what is copied from the source."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from pydantic import Field

from shakeproof.metrics.bertscore.scorer import BertScoreOptions
from shakeproof.metrics.formulas import REFERENCES, SOURCE, Blend, with_source_as_reference
from shakeproof.metrics.kinds.lexical import BleuOptions
from shakeproof.metrics.options import Options, metric_or_default
from shakeproof.metrics.protocols import Instance, Metric, MetricInput
from shakeproof.metrics.settings import Settings

PERCENT = 100.0


def ibleu(bleu: float, self_bleu: float, alpha: float) -> float:
    """Subtract the similarity to the source, times alpha (Shen et al. 2022, eq. 11)."""
    return bleu - alpha * self_bleu


def bert_ibleu(similarity: float, self_bleu: float, beta: float) -> float:
    """Take the harmonic mean of similarity and novelty, both 0 to 1, weighted by `beta`.

    (Niu et al. 2021.) It is 0 where either is not positive.
    """
    novelty = 1 - self_bleu
    if similarity <= 0 or novelty <= 0:
        return 0.0
    return (beta + 1) / (beta / similarity + 1 / novelty)


class IBleuOptions(Options):
    """The weight of the penalty, and the name of another BLEU to use."""

    summary: ClassVar[str] = "iBLEU: BLEU(C, R) - alpha * BLEU(C, X)"

    alpha: float = Field(default=0.2, ge=0)
    bleu: str | None = None

    @property
    def refers(self) -> tuple[str, ...]:
        return () if self.bleu is None else (self.bleu,)

    def build(self, others: Mapping[str, Metric], settings: Settings) -> Blend:
        bleu = metric_or_default(self.bleu, others, BleuOptions(), settings)

        def inputs(instance: Instance) -> list[MetricInput]:
            return [(bleu, instance), (bleu, with_source_as_reference(instance))]

        return Blend(
            label=f"ibleu|alpha:{self.alpha}",
            metrics=(bleu,),
            requires=bleu.requires | SOURCE,
            inputs=inputs,
            function=lambda bleu, self_bleu: ibleu(bleu, self_bleu, self.alpha),
        )


class BertIBleuOptions(Options):
    """The weight of the similarity, and the names of other metrics to use.

    The code of Shen et al. 2022 has 1 + BLEU where their equation 10 has 1 - BLEU; `published`
    repeats that.
    """

    summary: ClassVar[str] = "BERT-iBLEU: harmonic mean of BERTScore(C, X) and 1 - BLEU(C, X)"

    beta: float = Field(default=4.0, gt=0)
    similarity: str | None = None
    bleu: str | None = None
    published: bool = False

    @property
    def refers(self) -> tuple[str, ...]:
        return tuple(name for name in (self.similarity, self.bleu) if name is not None)

    def build(self, others: Mapping[str, Metric], settings: Settings) -> Blend:
        similarity = metric_or_default(self.similarity, others, BertScoreOptions(), settings)
        bleu = metric_or_default(self.bleu, others, BleuOptions(), settings)

        def inputs(instance: Instance) -> list[MetricInput]:
            source_only = with_source_as_reference(instance)
            return [(similarity, source_only), (bleu, source_only)]

        sign = -1 if self.published else 1
        return Blend(
            label=f"bert-ibleu|beta:{self.beta}{'|1+bleu' if self.published else ''}",
            metrics=(similarity, bleu),
            requires=(similarity.requires | bleu.requires) - REFERENCES | SOURCE,
            inputs=inputs,
            function=lambda similarity, self_bleu: bert_ibleu(
                similarity, sign * self_bleu / PERCENT, self.beta
            ),
        )
