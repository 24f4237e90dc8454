"""BERTScore (Zhang et al. 2020): how well the tokens of two texts match in an encoder's eyes."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from shakeproof.metrics.bertscore.idf import Corpus, find_corpus
from shakeproof.metrics.bertscore.pairs import Part, View, rate
from shakeproof.metrics.bertscore.rescaling import Baseline, read_baseline
from shakeproof.metrics.formulas import BestReference
from shakeproof.metrics.models.encoder import load_encoder
from shakeproof.metrics.models.files import ModelFiles, layer_count
from shakeproof.metrics.models.layers import Layer, LayerName, resolve_layer
from shakeproof.metrics.models.runtime import ModelRuntime, find_runtime
from shakeproof.metrics.models.truncation import Overflow, overflow_of
from shakeproof.metrics.options import Options
from shakeproof.metrics.protocols import Matrix, Metric, Scorer, Texts, Vector
from shakeproof.metrics.settings import Settings, find_file

VERSION = 1  # of the arithmetic; raise it when a score changes


@dataclass(frozen=True, slots=True)
class BertScorer:
    """Rates pairs (candidate, reference).

    A raw score is 0 where a text has no token of any weight, such as an empty one.
    """

    model: ModelFiles
    layer: Layer
    part: Part = "f1"
    idf: Corpus | None = None
    baseline: Baseline | None = None
    device: str = "auto"
    precision: str = "auto"

    @property
    def signature(self) -> str:
        """Name everything that the score depends on."""
        return _signature(self)

    @property
    def view(self) -> View:
        """Say what is to be looked at, of all that the encoder shows."""
        return View(self.layer, self.part, self.idf, self.baseline)

    @property
    def group(self) -> Hashable:
        """Share the forward pass with all that use the same model in the same way."""
        return ("bertscore", *self.runtime.settled())

    @property
    def runtime(self) -> ModelRuntime:
        """Say which model computes, where and how exactly."""
        return ModelRuntime(self.model, self.device, self.precision)

    @property
    def overflow(self) -> Overflow:
        """Return the scorer that counts what the model cuts off a text."""
        return overflow_of(self.runtime)

    def score(self, tuples: Sequence[Texts]) -> Vector:
        """Rate each pair."""
        return self.score_together([self], tuples)[:, 0]

    def score_together(self, scorers: Sequence[Scorer], tuples: Sequence[Texts]) -> Matrix:
        """Rate each pair with each scorer, encoding each text once for all of them."""
        views = [s.view for s in scorers if isinstance(s, BertScorer)]
        return rate(load_encoder(*self.runtime.settled()), views, tuples)


@lru_cache(maxsize=1024)
def _signature(scorer: BertScorer) -> str:
    """Write the signature, once for each scorer: the engine asks for it with every pair."""
    return scorer.runtime.describe(
        f"bertscore-{scorer.part}",
        VERSION,
        layer=f"{scorer.layer}/{layer_count(scorer.model)}",
        idf=scorer.idf.name if scorer.idf else "no",
        rescale=scorer.baseline.name if scorer.baseline else "no",
    )


class BertScoreOptions(Options):
    """Greedy matching of token embeddings from one layer of an encoder.

    With several references the best one counts, as in bert_score.
    """

    summary: ClassVar[str] = "BERTScore: how well the tokens match in an encoder's eyes"

    model: str = "minilm"
    revision: str | None = None
    layer: int | LayerName = "last"
    part: Part = "f1"
    idf: str | None = None  # a file of texts in which the tokens are counted
    rescale: str | None = None  # a baseline file

    def build(self, others: Mapping[str, Metric], settings: Settings) -> Metric:
        """Find the model and the files, and load neither."""
        runtime = find_runtime(self.model, self.revision, settings)
        place = runtime.model
        layer = resolve_layer(self.layer, place)
        scorer = BertScorer(
            model=place,
            layer=layer,
            part=self.part,
            idf=find_corpus(self.idf, settings),
            baseline=_baseline(self.rescale, layer, place, settings) if self.rescale else None,
            device=runtime.device,
            precision=runtime.precision,
        )
        return BestReference(scorer)


def _baseline(name: str, layer: Layer, place: ModelFiles, settings: Settings) -> Baseline:
    """Find a baseline and see that it serves the layer."""
    if layer == "mean-embedding":
        raise ValueError("rescale is not defined for layer 'mean-embedding': no baseline has it")
    baseline = Baseline(find_file(name, settings))
    needed = range(layer_count(place) + 1) if layer == "mean" else [layer]
    lacking = [number for number in needed if number not in read_baseline(baseline)]
    if lacking:
        raise ValueError(f"baseline {name!r} has no layer {lacking[0]}")
    return baseline
