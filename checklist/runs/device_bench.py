"""A short benchmark of a device: its speed on shipped texts, and whether its scores are right."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from shakeproof.data.named import NAMED_DATA, SAMPLE
from shakeproof.errors import SpecError
from shakeproof.metrics.bertscore.scorer import BertScorer
from shakeproof.metrics.engine.executors.canaries import tolerance_of
from shakeproof.metrics.models.devices import (
    find_device,
    find_precision,
    require_device,
    split_devices,
)
from shakeproof.metrics.models.encoder import Encoder, load_encoder
from shakeproof.metrics.models.files import (
    BYTE_MINI,
    MINILM,
    ModelNotFound,
    find_model,
    layer_count,
    read_config,
    weights_sha256,
)
from shakeproof.metrics.models.hardware import matmul_rate
from shakeproof.metrics.models.layers import BEST, resolve_layer
from shakeproof.metrics.models.operations import count_operations, layer_shape
from shakeproof.metrics.models.runtime import find_runtime
from shakeproof.metrics.protocols import Texts, Vector
from shakeproof.metrics.settings import Settings

PAIRS = 500
PASSES = 3  # that are timed, after one that is not
STORED = "doctor-scores.json"  # in the folder samples; tools/doctor_scores.py writes it


@dataclass(frozen=True, slots=True)
class Speed:
    """How long scoring took; operations are those of the encoder, rates are per second."""

    texts: int  # distinct ones
    tokens: int  # of the distinct texts
    seconds: tuple[float, ...]  # of each pass
    pairs_per_second: float
    matmul_rate: float
    operations: int | None  # None if they are not known for this kind of model

    @property
    def share_of_matmul(self) -> float | None:
        """Return the rate of the encoder as a share of the rate of a plain matrix product."""
        if self.operations is None:
            return None
        return self.operations / median(self.seconds) / self.matmul_rate


@dataclass(frozen=True, slots=True)
class Deviation:
    """The largest difference from scores that were stored on a CPU in float32."""

    largest: float
    tolerance: float
    versions: dict[str, str]  # of the libraries that computed the stored scores

    @property
    def is_within(self) -> bool:
        """Return whether all scores are right; a missing score is not."""
        return self.largest <= self.tolerance


@dataclass(frozen=True, slots=True)
class DeviceBench:
    """The result of the benchmark; without stored scores for the weights, no deviation."""

    model: str
    weights: str
    layer: int
    layers: int
    device: str
    precision: str
    speed: Speed
    deviation: Deviation | None


@cache
def bench_pairs() -> tuple[Texts, ...]:
    """Return distinct pairs (candidate, reference), evenly out of the whole shipped sample."""
    rows = map(json.loads, NAMED_DATA[SAMPLE].read(Path()).splitlines())
    pairs = [
        (candidate["text"], reference)
        for row in rows
        for candidate in row["candidates"]
        for reference in row["references"]
    ]
    return tuple(pairs[number * len(pairs) // PAIRS] for number in range(PAIRS))


def run_bench(model: str | None, device: str, precision: str) -> DeviceBench:
    """Score the pairs several times; SpecError if model, device or precision cannot be used."""
    try:
        scorer = bench_scorer(model or default_model(), device, precision)
    except ValueError as error:
        raise SpecError(str(error)) from None
    encoder = load_encoder(*scorer.runtime.resolve())
    speed, scores = measure(scorer, encoder)
    files, used_device, used_precision = scorer.runtime.resolve()
    return DeviceBench(
        model=files.title,
        weights=weights_sha256(files),
        layer=int(scorer.layer),
        layers=layer_count(files),
        device=used_device,
        precision=used_precision,
        speed=speed,
        deviation=deviation(scorer, scores),
    )


def default_model() -> str:
    """Return MiniLM if it is on this machine, else the model that is part of shakeproof."""
    try:
        find_model(MINILM, offline=True)
    except ModelNotFound:
        return BYTE_MINI
    return MINILM


def bench_scorer(model: str, device: str, precision: str) -> BertScorer:
    """Build BERTScore with a model's published best layer, or else its last; never download."""
    (name, *others) = split_devices(device)
    if others:
        raise SpecError(f"--bench measures one device at a time, got {device!r}")
    find_precision(precision, "cpu")  # raises an error for an unknown name
    runtime = find_runtime(model, None, Settings(name, precision, offline=True))
    require_device(find_device(name))
    published = runtime.model.title.rpartition("/")[2] in BEST
    return BertScorer(runtime, resolve_layer("best" if published else "last", runtime.model))


def measure(scorer: BertScorer, encoder: Encoder) -> tuple[Speed, Vector]:
    """Time scoring and plain matrix products in turn, so that other load slows down both."""
    pairs = bench_pairs()
    scores = scorer.score(pairs)  # the first pass loads and tunes what later ones reuse
    seconds, rates = [], []
    for _ in range(PASSES):
        start = time.perf_counter()
        scores = scorer.score(pairs)
        seconds.append(time.perf_counter() - start)
        rates.append(matmul_rate(encoder.device, encoder.precision))
    lengths = list(map(len, encoder.tokenize(list({text for pair in pairs for text in pair}))))
    shape = layer_shape(read_config(scorer.runtime.model))
    operations = count_operations(shape, int(scorer.layer), lengths) if shape else None
    speed = Speed(
        texts=len(lengths),
        tokens=sum(lengths),
        seconds=tuple(seconds),
        pairs_per_second=len(pairs) / median(seconds),
        matmul_rate=median(rates),
        operations=operations,
    )
    return speed, scores


def deviation(scorer: BertScorer, scores: Vector) -> Deviation | None:
    """Compare scores with the stored ones; None if there are none for these weights and pairs."""
    stored = json.loads((files("shakeproof") / "samples" / STORED).read_text("utf-8"))
    entry = stored["scores"].get(stored_name(scorer))
    if entry is None or stored["pairs"] != pairs_sha256(bench_pairs()):
        return None
    largest = float(np.abs(scores - np.array(entry)).max())
    return Deviation(largest, tolerance_of(scorer.signature), stored["versions"])


def stored_name(scorer: BertScorer) -> str:
    """Return the name of scores in the stored file: the hash of the weights, and the layer."""
    return f"{weights_sha256(scorer.runtime.model)}/{scorer.layer}"


def pairs_sha256(pairs: Sequence[Texts]) -> str:
    """Hash the texts of pairs."""
    return sha256(json.dumps(pairs).encode()).hexdigest()


def stored_scores(models: Sequence[str], versions: dict[str, str]) -> dict[str, Any]:
    """Compute what the stored file has: scores on the CPU in float32, rounded to 7 digits."""
    scorers = [bench_scorer(model, "cpu", "float32") for model in models]
    scores = {stored_name(s): s.score(bench_pairs()).round(7).tolist() for s in scorers}
    return {"pairs": pairs_sha256(bench_pairs()), "versions": versions, "scores": scores}
