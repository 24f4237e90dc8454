"""What byte-mini is to see in a word.

What MiniLM's lower layers make of it in its sentence, and how it is written: spelling is what
there is to know of a name, and of any word that training does not meet.
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

LAYERS = (1, 2, 3)  # letters tell little of what deeper layers know
SAMPLE = 1200  # texts that the centre and the axes are computed from
LONGEST = 256  # tokens


@dataclass(frozen=True, slots=True)
class Projection:
    """How layers of the teacher and spelling are joined: centred, scaled, turned and shortened."""

    centres: Tensor  # (layers, teacher's width)
    spelt: Tensor  # the centre of the spellings
    spelling: float  # its share
    axes: Tensor  # (all widths, width)

    def __call__(self, states: Tensor, spellings: Tensor) -> Tensor:
        """Project (words, layers, teacher's width) and spellings to unit vectors (words, width)."""
        return normalize(self.joined(states, spellings) @ self.axes, dim=-1)

    def joined(self, states: Tensor, spellings: Tensor) -> Tensor:
        """Give each layer the same say, and spelling its share."""
        layers = normalize(states - self.centres, dim=-1).flatten(1) / len(self.centres) ** 0.5
        letters = normalize(spellings - self.spelt, dim=-1)
        return torch.cat([(1 - self.spelling) ** 0.5 * layers, self.spelling**0.5 * letters], dim=1)


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


def fit_projection(states: Tensor, spellings: Tensor, spelling: float, width: int) -> Projection:
    """Find the centres of some words and the axes along which they differ most."""
    whole = Projection(states.mean(0), spellings.mean(0), spelling, torch.empty(0))
    joined = whole.joined(states, spellings)
    _, _, axes = torch.linalg.svd(joined.T @ joined)
    return replace(whole, axes=axes[:width].T.contiguous())
