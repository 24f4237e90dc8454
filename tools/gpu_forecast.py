"""Forecast how fast GPUs score, by a roofline; `make docs` writes the tables into docs/gpu.md.

Nothing here was measured on a GPU. To try other assumptions, change the constants and run

    python tools/gpu_forecast.py
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from shakeproof.metrics.models.operations import DEBERTA_PRODUCTS, LayerShape

# The texts of `shakeproof doctor --bench`: 500 pairs of 586 distinct texts, each encoded once.
PAIRS, TEXTS = 500, 586
# What is assumed of any GPU.
SHARE_OF_PEAK = 0.35  # of the published rate, reached by matrix products of these sizes
SHARE_OF_BANDWIDTH = 0.75
BATCH = 16_384  # tokens; the weights are read once for each batch
HALF = 2  # bytes of a number
MILLION = 1_000_000
GATED = 3  # products of a gated feed-forward part


@dataclass(frozen=True, slots=True)
class Tokens:
    """How texts are split: tokens of all texts, and what one process on the host needs for a pair.

    The host tokenises, makes batches and takes part in matching. Its processor time was measured on
    a CPU with a model that returns at once.
    """

    count: int
    host_seconds: float

    @property
    def of_text(self) -> float:
        """Return the mean length of a text."""
        return self.count / TEXTS


WORD_PIECES = Tokens(15_568, 120e-6)  # of MiniLM's tokenizer; assumed for the others too
BYTES = Tokens(60_226, 380e-6)


@dataclass(frozen=True, slots=True)
class Model:
    """The layers of an encoder that are computed, and the tokens of a text."""

    name: str
    layers: int
    layer_count: int
    shape: LayerShape
    tokens: Tokens


@dataclass(frozen=True, slots=True)
class Gpu:
    """Published rates: half precision on tensor cores without sparsity, and memory."""

    name: str
    operations: float  # per second
    bandwidth: float  # bytes per second
    source: str


@dataclass(frozen=True, slots=True)
class Forecast:
    """Pairs per second of a GPU alone and with its host, and what limits both."""

    gpu: float
    both: float
    limit: str


MODELS = (
    Model("MiniLM-L6", 6, 6, LayerShape(384, 384, 1536), WORD_PIECES),
    Model("roberta-large", 17, 24, LayerShape(1024, 1024, 4096), WORD_PIECES),
    Model(
        "deberta-xlarge-mnli",
        40,
        48,
        LayerShape(1024, 1024, 4096, attention_products=DEBERTA_PRODUCTS),
        WORD_PIECES,
    ),
    Model("byt5-small", 12, 12, LayerShape(1472, 384, 3584, GATED), BYTES),
    Model("byt5-base", 17, 18, LayerShape(1536, 768, 3968, GATED), BYTES),
)
GPUS = (
    Gpu("T4", 65e12, 320e9, "as sysrqmts.com quotes them"),
    Gpu(
        "A10",
        125e12,
        600e9,
        "GB/s as sysrqmts.com quotes it; Tflop/s: 4 times its float32 rate, as on the A16",
    ),
    Gpu("A100", 312e12, 2039e9, "80 GB SXM; as glennklockwood.com quotes NVIDIA's data sheet"),
    Gpu("H100", 989e12, 3350e9, "SXM; as codesota.com quotes NVIDIA's data sheet"),
)


def operations_per_pair(model: Model) -> float:
    """Count the operations of the encoder for a pair."""
    shape, tokens = model.shape, model.tokens
    for_token = 2 * (shape.weights + shape.attention_products * tokens.of_text * shape.heads)
    return tokens.count / PAIRS * model.layers * for_token


def bytes_per_pair(model: Model) -> float:
    """Count the bytes that the operations of a layer read and write, each from and to memory."""
    shape = model.shape
    gated = shape.feed_forward_products == GATED
    inputs = (17 if gated else 16) * shape.hidden + 8 * shape.heads
    numbers = inputs + (8 if gated else 4) * shape.feed_forward + shape.weights / BATCH
    return model.tokens.count / PAIRS * model.layers * HALF * numbers


def forecast(model: Model, gpu: Gpu) -> Forecast:
    """Take the slowest of arithmetic, memory and host."""
    rates = {
        "arithmetic": SHARE_OF_PEAK * gpu.operations / operations_per_pair(model),
        "memory": SHARE_OF_BANDWIDTH * gpu.bandwidth / bytes_per_pair(model),
        "host": 1 / model.tokens.host_seconds,
    }
    alone = min(rates["arithmetic"], rates["memory"])
    limit = min(rates, key=lambda name: rates[name])
    return Forecast(alone, min(rates.values()), limit)


def model_rows() -> Iterator[tuple[str, ...]]:
    """Yield what a pair costs with each model."""
    for model in MODELS:
        weights = model.layers * model.shape.weights / 1e6
        yield (
            model.name,
            f"{model.layers} of {model.layer_count}",
            f"{weights:,.0f} million",
            f"{model.tokens.count / PAIRS:.0f}",
            f"{operations_per_pair(model) / 1e9:,.1f}",
            f"{bytes_per_pair(model) / 1e6:,.1f}",
        )


def gpu_rows() -> Iterator[tuple[str, ...]]:
    """Yield the published rates."""
    for gpu in GPUS:
        yield gpu.name, f"{gpu.operations / 1e12:.0f}", f"{gpu.bandwidth / 1e9:,.0f}", gpu.source


def forecast_rows() -> Iterator[tuple[str, ...]]:
    """Yield the forecast of each model on each GPU."""
    for model in MODELS:
        for gpu in GPUS:
            result = forecast(model, gpu)
            yield (
                model.name,
                gpu.name,
                rounded(result.gpu),
                rounded(result.both),
                result.limit,
                duration(MILLION / result.both),
            )


MODEL_HEADER = ("model", "layers", "weights", "tokens a pair", "Gflop a pair", "MB a pair")
GPU_HEADER = ("GPU", "Tflop/s", "GB/s", "source")
FORECAST_HEADER = (
    *("model", "GPU", "the GPU alone, pairs/s", "with one host process, pairs/s"),
    *("limited by", "1 million pairs"),
)


def rounded(rate: float) -> str:
    """Write a rate with two digits, as a forecast has no more."""
    digits = len(str(int(rate)))
    return f"{round(rate, 2 - digits):,.0f}"


def duration(seconds: float) -> str:
    """Write a duration in minutes, or in hours if it is long."""
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"


def main() -> None:
    """Print the tables with tabs between the cells."""
    tables: Iterable[tuple[tuple[str, ...], Iterator[tuple[str, ...]]]] = (
        (MODEL_HEADER, model_rows()),
        (GPU_HEADER, gpu_rows()),
        (FORECAST_HEADER, forecast_rows()),
    )
    for header, rows in tables:
        for row in (header, *rows):
            sys.stdout.write("\t".join(row) + "\n")
        sys.stdout.write("\n")


if __name__ == "__main__":
    main()
