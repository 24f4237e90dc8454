"""Likelihoods from a sequence-to-sequence model: how probable one text is after another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from shakeproof.metrics.models.batches import run_batches
from shakeproof.metrics.models.devices import inference
from shakeproof.metrics.models.encoder import batch_budget
from shakeproof.metrics.models.files import ModelFiles
from shakeproof.metrics.models.loading import load_for_inference
from shakeproof.metrics.models.tokens import Tokens, pad, replace_surrogates, token_limit
from shakeproof.metrics.models.transfers import exact_type, read, zeros
from shakeproof.metrics.protocols import Texts, Vector

if TYPE_CHECKING:
    import torch

    Tensor: TypeAlias = torch.Tensor


@lru_cache(maxsize=2)
def load_seq2seq(files: ModelFiles, device: str, precision: str) -> Seq2Seq:
    """Load a model that encodes one text and decodes another; the two used last are kept."""
    tokenizer, model = load_for_inference(files, device, precision, decodes=True)
    return Seq2Seq(model, tokenizer, device, precision, batch_budget(device))


@dataclass(slots=True, eq=False)
class Seq2Seq:
    """A loaded model with its tokenizer. Only `budget` changes, when memory runs out."""

    model: Any
    tokenizer: Any
    device: str
    precision: str
    budget: int  # tokens in a batch

    def likelihoods(self, pairs: Sequence[Texts]) -> Vector:
        """Return, for pairs (given, target), the mean log-probability of the target's tokens."""
        given, targets = (self._tokenize(texts) for texts in zip(*pairs, strict=True))
        lengths = np.array([list(map(len, pair)) for pair in zip(given, targets, strict=True)])
        order = np.lexsort(lengths.T)
        in_order = zeros((len(pairs),), self.device)

        def work(batch: range) -> None:
            chosen = order[batch].tolist()
            in_order[batch.start : batch.stop] = self._run(
                [given[i] for i in chosen], [targets[i] for i in chosen]
            )

        with inference(self.precision):
            self.budget = run_batches(lengths[order].max(axis=1), work, self.budget)
        scores = np.zeros(len(pairs))
        scores[order] = read(in_order)
        return scores

    def _tokenize(self, texts: Sequence[str]) -> list[Tokens]:
        """Split texts into tokens, special ones included; an empty text is the end token alone."""
        limit = token_limit(self.tokenizer, self.model)
        numbers: list[Tokens] = self.tokenizer(
            [replace_surrogates(text) for text in texts],
            truncation=True,
            max_length=limit,
            verbose=False,
        )["input_ids"]
        return [tokens or [self.tokenizer.eos_token_id] for tokens in numbers]

    def _run(self, given: Sequence[Tokens], targets: Sequence[Tokens]) -> Tensor:
        """Encode the given texts and average over the targets' tokens, special ones included."""
        padding = self.model.config.pad_token_id or 0
        encoded, decoded = pad(self.device, padding, given, targets)
        output = self.model(
            input_ids=encoded.ids,
            attention_mask=encoded.mask.long(),
            labels=decoded.ids,
            use_cache=False,
        )
        probabilities: Tensor = output.logits.float().log_softmax(-1)
        by_token = probabilities.gather(2, decoded.ids[..., None])[..., 0] * decoded.mask
        return by_token.to(exact_type(self.device)).sum(1) / decoded.mask.sum(1)
