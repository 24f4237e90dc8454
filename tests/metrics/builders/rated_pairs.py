"""Pairs of texts, and their BERTScore at several layers."""

from shakeproof.metrics.bertscore.scorer import BertScorer
from shakeproof.metrics.models.runtime import ModelRuntime

PARTS = ("precision", "recall", "f1")
PAIRS = [
    ("the cat sat on the mat", "a cat was sitting on a mat"),
    ("hello there, my friend!", "hi friend."),
    ("it is raining", "the stock market fell by 3 percent in the afternoon"),
    ("one", "one"),
    ("a b", "b c d"),
]


def scorers_for(model_files, layers, **options):
    return [
        BertScorer(ModelRuntime(model_files, "cpu"), layer, part, **options)
        for layer in layers
        for part in PARTS
    ]


def rated(model_files, layers, pairs=PAIRS, **options):
    """Rate pairs at some layers: (layers, 3, pairs)."""
    scorers = scorers_for(model_files, layers, **options)
    scores = scorers[0].score_together(scorers, pairs)
    return scores.T.reshape(len(layers), 3, len(pairs))
