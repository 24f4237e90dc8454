"""Layers of an encoder by number or by name, and the published best ones."""

from __future__ import annotations

from typing import Literal, TypeAlias

from shakeproof.metrics.models.files import ModelFiles, layer_count, read_config

Mean: TypeAlias = Literal["mean", "mean-embedding"]
Layer: TypeAlias = int | Mean
LayerName: TypeAlias = Literal["first", "last", "best", "mean", "mean-embedding"]

OFF_BY_ONE = "off-by-one layer"  # the name of the variant of a metric in `Options.variants`

# The layer whose F1 agrees best with people on WMT16 to-English, as published with
# bert_score 0.3.13 (Zhang et al. 2020); models are named by the last part of their name.
BERT_SCORE = {
    0: "bort",
    1: "bert_uncased_L-2_H-128_A-2 bert_uncased_L-2_H-256_A-4 bert_uncased_L-2_H-512_A-8",
    2: "bert_uncased_L-2_H-768_A-12 blenderbot-400M-distill",
    3: "bert_uncased_L-4_H-128_A-2 bert_uncased_L-4_H-256_A-4 bert_uncased_L-4_H-512_A-8 "
    "bert_uncased_L-4_H-768_A-12",
    4: "distilbert-base-uncased-distilled-squad prophetnet-large-uncased "
    "bert-base-uncased-embedding-relative-key distilbert-base-turkish-cased deberta-v3-small",
    5: "xlnet-base-cased distilroberta-base distilbert-base-uncased "
    "distilbert-base-multilingual-cased bert_uncased_L-6_H-128_A-2 bert_uncased_L-6_H-256_A-4 "
    "bert_uncased_L-6_H-512_A-8 bert_uncased_L-6_H-768_A-12",
    6: "xlm-mlm-en-2048 bert_uncased_L-8_H-512_A-8 bart-base t5-small led-base-16384",
    7: "roberta-base-openai-detector xlnet-large-cased bert_uncased_L-8_H-128_A-2 "
    "bert_uncased_L-8_H-256_A-4 bert_uncased_L-8_H-768_A-12 blenderbot_small-90M "
    "prophetnet-large-uncased-cnndm xprophetnet-large-wiki100-cased longformer-base-4096 "
    "bert-base-uncased-embedding-relative-key-query",
    8: "bert-base-chinese scibert_scivocab_uncased albert-xxlarge-v1 albert-xxlarge-v2 "
    "bert_uncased_L-10_H-128_A-2 bert_uncased_L-10_H-256_A-4 bert_uncased_L-10_H-768_A-12 "
    "mpnet-base pegasus-large spanbert-base-cased mt5-small bigbird-base-trivia-itc "
    "unsup-simcse-roberta-base",
    9: "bert-base-uncased bert-base-cased-finetuned-mrpc bert-base-multilingual-cased "
    "scibert_scivocab_cased scibert_basevocab_uncased albert-base-v2 xlm-roberta-base "
    "electra-small-generator electra-base-discriminator bert_uncased_L-10_H-512_A-8 "
    "bert_uncased_L-12_H-768_A-12 bart-large-xsum bertweet-base deberta-base deberta-base-mnli "
    "conv-bert-medium-small squeezebert-uncased squeezebert-mnli squeezebert-mnli-headless "
    "deberta-v3-base",
    10: "roberta-base xlm-mlm-100-1280 albert-base-v1 electra-base-generator "
    "bert_uncased_L-12_H-128_A-2 bert_uncased_L-12_H-512_A-8 bart-large bart-large-cnn "
    "conv-bert-base conv-bert-small finbert deberta-v2-xlarge bigbird-roberta-base "
    "unsup-simcse-bert-base-uncased sup-simcse-bert-base-uncased sup-simcse-roberta-base "
    "bert-base-turkish-cased deberta-v3-xsmall mdeberta-v3-base",
    11: "electra-small-discriminator bert_uncased_L-12_H-256_A-4 bart-large-mnli t5-base "
    "pegasus-xsum t5_paraphraser mt5-base",
    12: "mbart-large-cc25 mbart-large-50 mbart-large-en-ro mbart-large-50-many-to-many-mmt "
    "mbart-large-50-one-to-many-mmt T5_Paraphrase_Paws deberta-v3-large",
    13: "albert-xlarge-v2 unsup-simcse-roberta-large",
    14: "albert-large-v2 electra-large-discriminator longformer-large-4096 "
    "longformer-large-4096-finetuned-triviaqa bigbird-roberta-large",
    15: "roberta-large-openai-detector pegasus_paraphrase",
    16: "albert-xlarge-v1 deberta-large sup-simcse-roberta-large",
    17: "roberta-large albert-large-v1 xlm-roberta-large spanbert-large-cased "
    "deberta-v2-xlarge-mnli",
    18: "bert-large-uncased electra-large-generator deberta-large-mnli deberta-xlarge "
    "unsup-simcse-bert-large-uncased sup-simcse-bert-large-uncased DeBERTa-v3-large-mnli",
    19: "roberta-large-mnli mt5-large "
    "bert-large-uncased-whole-word-masking-embedding-relative-key-query",
    21: "deberta-v2-xxlarge",
    22: "deberta-v2-xxlarge-mnli",
    23: "t5-large",
    24: "mt5-xl",
    40: "deberta-xlarge-mnli",
}
VU_2022 = {1: "byt5-small", 17: "byt5-base", 30: "byt5-large"}  # Vu et al. 2022, Table 1
BEST = {
    name: layer
    for table in (BERT_SCORE, VU_2022)
    for layer, names in table.items()
    for name in names.split()
}


def resolve_layer(layer: int | LayerName, model: ModelFiles) -> Layer:
    """Return the number of the layer that a checklist names; the two means stay names."""
    count = layer_count(model)
    if read_config(model).get("model_type") == "canine" and layer != "last":
        raise ValueError(
            f"layer {layer!r} of {model.name!r} is not defined: CANINE's inner layers see "
            "shortened texts; use layer: last"
        )
    if layer == "mean" or layer == "mean-embedding":
        return layer
    if layer == "best":
        number = _best_layer(model)
    else:
        number = layer if isinstance(layer, int) else {"first": 1, "last": count}[layer]
    if not 0 <= number <= count:
        raise ValueError(f"no layer {number} in {model.name!r}: it has 0 (embeddings) to {count}")
    return number


def neighbour_layer(layer: Layer) -> int | None:
    """Return the layer below, or above the first; None for a mean over layers."""
    if not isinstance(layer, int):
        return None
    return layer - 1 if layer > 1 else layer + 1


def _best_layer(model: ModelFiles) -> int:
    name = model.title.rpartition("/")[2]
    if name not in BEST:
        raise ValueError(f"no published best layer for {name!r}: give a number, first or last")
    return BEST[name]
