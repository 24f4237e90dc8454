"""The target vectors of words.

A target combines the word's states in MiniLM's lower layers with its spelling. Spelling is all that
a model can know about names and about words that do not occur in training.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import normalize

from shakeproof.metrics.models.encoder import load_encoder
from shakeproof.metrics.models.files import find_model

LAYERS = (1, 2, 3)  # deeper layers hold little that can be learned from letters
SAMPLE = 1200  # texts from which the centres and axes are computed
MAX_TOKENS = 256  # tokens


@dataclass(frozen=True, slots=True)
class Projection:
    """Combines the teacher's layers and the spelling: centre, scale, concatenate, project."""

    centres: Tensor  # (layers, teacher's width)
    spelt: Tensor  # the centre of the spellings
    spelling: float  # its weight
    axes: Tensor  # (all widths, width)

    def __call__(self, states: Tensor, spellings: Tensor) -> Tensor:
        """Project (words, layers, teacher's width) and spellings to unit vectors (words, width)."""
        return normalize(self.concatenate(states, spellings) @ self.axes, dim=-1)

    def concatenate(self, states: Tensor, spellings: Tensor) -> Tensor:
        """Concatenate the layers, with equal weights, and the spelling with its weight."""
        layers = normalize(states - self.centres, dim=-1).flatten(1) / len(self.centres) ** 0.5
        letters = normalize(spellings - self.spelt, dim=-1)
        return torch.cat([(1 - self.spelling) ** 0.5 * layers, self.spelling**0.5 * letters], dim=1)


@dataclass(frozen=True, slots=True)
class Teacher:
    """A pretrained encoder, cut off after the last layer that is needed."""

    model: Any
    tokenizer: Any
    wordlike: Tensor  # by token: whether it holds a letter or a digit

    @torch.inference_mode()
    def states(self, texts: Sequence[Sequence[str]]) -> Tensor:
        """Sum the states of each word's tokens; punctuation has almost no weight."""
        batch = self.tokenizer(
            [list(words) for words in texts],
            is_split_into_words=True,
            truncation=True,
            max_length=MAX_TOKENS,
            padding=True,
            return_tensors="pt",
        )
        hidden = self.model(**batch, output_hidden_states=True).hidden_states
        layers = torch.stack([hidden[layer] for layer in LAYERS], dim=2)
        owners, total = self._word_of_token(batch, texts)
        chosen = owners >= 0
        weights = torch.where(self.wordlike[batch["input_ids"]], 1.0, 1e-4)[chosen]
        sums = torch.zeros(total, *layers.shape[2:])
        sums.index_add_(0, owners[chosen], layers[chosen] * weights[:, None, None])
        return sums

    def _word_of_token(self, batch: Any, texts: Sequence[Sequence[str]]) -> tuple[Tensor, int]:  # noqa: ANN401
        """Return the word of each token, counted over all texts, or -1; and the number of words."""
        rows, total = [], 0
        for i, words in enumerate(texts):
            rows.append([-1 if word is None else total + word for word in batch.word_ids(i)])
            total += len(words)
        return torch.tensor(rows), total


def load_teacher(name: str) -> Teacher:
    """Load a model by any name that a checklist accepts."""
    encoder = load_encoder(find_model(name), "cpu", "float32")
    if encoder.layer_cut.layer_list:
        encoder.layer_cut.layer_list.keep(max(LAYERS))
    vocabulary = encoder.tokenizer.convert_ids_to_tokens(range(len(encoder.tokenizer)))
    wordlike = torch.tensor([any(map(str.isalnum, token)) for token in vocabulary])
    return Teacher(encoder.model, encoder.tokenizer, wordlike)


def fit_projection(states: Tensor, spellings: Tensor, spelling: float, width: int) -> Projection:
    """Compute the centres and the principal axes of a sample of words."""
    unprojected = Projection(states.mean(0), spellings.mean(0), spelling, torch.empty(0))
    features = unprojected.concatenate(states, spellings)
    _, _, axes = torch.linalg.svd(features.T @ features)
    return replace(unprojected, axes=axes[:width].T.contiguous())
