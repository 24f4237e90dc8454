"""Other libraries that compute the same scores, called as their users call them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from measure import Pair

from shakeproof.metrics.protocols import Instance, Vector


def sides(pairs: Sequence[Pair]) -> tuple[list[str], list[str]]:
    """Split pairs into candidates and references."""
    candidates, references = zip(*pairs, strict=True)
    return list(candidates), list(references)


def bert_score(folder: Path, pairs: Sequence[Pair], layer: int | str) -> Vector:
    """Rate the pairs in one call; the mean over layers as Vu et al.'s script takes it."""
    import bert_score as peer

    all_layers = layer == "mean"
    number = 6 if all_layers else layer
    *_, f1 = peer.score(
        *sides(pairs),
        model_type=str(folder),
        num_layers=number,
        all_layers=all_layers,
        device="cpu",
    )
    scores = np.asarray(f1, dtype=float)
    mean: Vector = scores.mean(axis=0) if all_layers else scores
    return mean


def torchmetrics(folder: Path, pairs: Sequence[Pair]) -> Vector:
    """Rate the pairs in one call of torchmetrics."""
    from torchmetrics.functional.text import bert

    scores = bert.bert_score(*sides(pairs), model_name_or_path=str(folder), num_layers=6)
    return np.asarray(scores["f1"], dtype=float)


def nltk_distances(pairs: Sequence[Pair]) -> list[float]:
    """Divide nltk's edit distance by the longer length."""
    from nltk import edit_distance

    return [edit_distance(*pair) / max(map(len, pair)) for pair in pairs]


class ParaScorePeer:
    """parascore 1.0.5, loaded once."""

    def __init__(self, folder: Path) -> None:
        from parascore import ParaScorer

        self._scorer = ParaScorer(model_type=str(folder), num_layers=6, device="cpu")

    def rate(self, instances: Sequence[Instance]) -> Vector:
        """Rate each candidate against its source and its first reference."""
        scores = self._scorer.base_score(
            [instance.candidate for instance in instances],
            [instance.source for instance in instances],
            [instance.references[0] for instance in instances],
        )
        return np.array(scores)
