"""What byte-mini is to see in a word: what MiniLM's lower layers make of it in its sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import normalize

from shakeproof.metrics.encoder import load_encoder
from shakeproof.metrics.models import find_model

LAYERS = (1, 2, 3)  # letters tell little of what deeper layers know
SAMPLE = 1200  # texts that the centre and the axes are computed from
LONGEST = 256  # tokens


@dataclass(frozen=True, slots=True)
class Projection:
    """How the layers of the teacher are joined: centred, scaled, turned and shortened."""

    centres: Tensor  # (layers, teacher's width)
    axes: Tensor  # (layers * teacher's width, width)

    def __call__(self, states: Tensor) -> Tensor:
        """Project (words, layers, teacher's width) to unit vectors (words, width)."""
        return normalize(_joined(states - self.centres) @ self.axes, dim=-1)


def _joined(states: Tensor) -> Tensor:
    """Give each layer the same say."""
    return normalize(states, dim=-1).flatten(1)


@dataclass(frozen=True, slots=True)
class Teacher:
    """A pretrained encoder, cut off after the last layer that is asked."""

    model: Any
    tokenizer: Any
    wordlike: Tensor  # by token: whether it holds a letter or a digit

    @torch.inference_mode()
    def states(self, texts: Sequence[Sequence[str]]) -> Tensor:
        """Average the states of each word's tokens, punctuation left out where there is more."""
        batch = self.tokenizer(
            [list(words) for words in texts],
            is_split_into_words=True,
            truncation=True,
            max_length=LONGEST,
            padding=True,
            return_tensors="pt",
        )
        found = self.model(**batch, output_hidden_states=True).hidden_states
        layers = torch.stack([found[layer] for layer in LAYERS], dim=2)
        places, total = self._places(batch, texts)
        chosen = places >= 0
        weights = torch.where(self.wordlike[batch["input_ids"]], 1.0, 1e-4)[chosen]
        sums = torch.zeros(total, *layers.shape[2:])
        sums.index_add_(0, places[chosen], layers[chosen] * weights[:, None, None])
        return sums

    def _places(self, batch: Any, texts: Sequence[Sequence[str]]) -> tuple[Tensor, int]:  # noqa: ANN401
        """Say which word each token belongs to, counted over all texts, or -1; count the words."""
        rows, total = [], 0
        for i, words in enumerate(texts):
            rows.append([-1 if word is None else total + word for word in batch.word_ids(i)])
            total += len(words)
        return torch.tensor(rows), total


def load_teacher(name: str) -> Teacher:
    """Load a model by any name that a checklist may give it."""
    encoder = load_encoder(find_model(name), "cpu", "float32")
    encoder.anatomy.stop_after(max(LAYERS), encoder.count)
    vocabulary = encoder.tokenizer.convert_ids_to_tokens(range(len(encoder.tokenizer)))
    wordlike = torch.tensor([any(map(str.isalnum, token)) for token in vocabulary])
    return Teacher(encoder.model, encoder.tokenizer, wordlike)


def fit_projection(states: Tensor, width: int) -> Projection:
    """Find the centre of some states and the axes along which they differ most."""
    centres = states.mean(0)
    joined = _joined(states - centres)
    _, _, axes = torch.linalg.svd(joined.T @ joined)
    return Projection(centres, axes[:width].T.contiguous())
