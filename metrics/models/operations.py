"""How many floating-point operations an encoder needs for a text, from its configuration.

Only the matrix products of the layers count: not the embeddings, not a head after the last layer,
and not what is computed once for a whole batch, such as DeBERTa's projections of positions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

HIDDEN = ("hidden_size", "d_model", "dim")
FEED_FORWARD = ("intermediate_size", "encoder_ffn_dim", "d_ff", "hidden_dim")
# Kinds of encoders whose layers are four projections, attention and two or three more projections.
T5_TYPES = ("t5", "mt5", "umt5")
BERT_TYPES = (
    *("bert", "roberta", "xlm-roberta", "camembert", "mpnet", "electra", "distilbert", "albert"),
    *("bart", "mbart"),
)
PLAIN_PRODUCTS = 2  # of a token with all tokens of its text: scores of attention, weighted values
DEBERTA_PRODUCTS = 6  # and scores of content with positions and back, each with 2 positions a token


@dataclass(frozen=True, slots=True)
class LayerShape:
    """The sizes of one layer of an encoder, all layers being alike."""

    hidden: int
    heads: int  # width of all attention heads together
    feed_forward: int
    feed_forward_products: int = 2  # 3 if it is gated
    attention_products: int = PLAIN_PRODUCTS

    @property
    def weights(self) -> int:
        """Count the weights that every token is multiplied by."""
        projections = 4 * self.hidden * self.heads
        return projections + self.feed_forward_products * self.hidden * self.feed_forward

    def operations(self, length: int) -> int:
        """Count the operations for a text of so many tokens, an addition and a product each."""
        return 2 * length * (self.weights + self.attention_products * length * self.heads)


def layer_shape(config: Mapping[str, Any]) -> LayerShape | None:
    """Read the sizes of a layer from config.json; None for a kind that is not known here."""
    kind = config.get("model_type")
    hidden, feed_forward = _first(config, HIDDEN), _first(config, FEED_FORWARD)
    if hidden is None or feed_forward is None:
        return None
    if kind in T5_TYPES:
        gated = str(config.get("feed_forward_proj", "")).startswith("gated")
        heads = config["num_heads"] * config["d_kv"]
        return LayerShape(hidden, heads, feed_forward, 3 if gated else 2)
    if kind == "deberta":
        products = DEBERTA_PRODUCTS if config.get("relative_attention") else PLAIN_PRODUCTS
        return LayerShape(hidden, hidden, feed_forward, attention_products=products)
    return LayerShape(hidden, hidden, feed_forward) if kind in BERT_TYPES else None


def count_operations(shape: LayerShape, layers: int, lengths: Iterable[int]) -> int:
    """Count the operations of a number of layers for texts of some lengths, without padding."""
    return layers * sum(shape.operations(length) for length in lengths)


def _first(config: Mapping[str, Any], keys: Iterable[str]) -> int | None:
    return next((config[key] for key in keys if isinstance(config.get(key), int)), None)
