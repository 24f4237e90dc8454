"""Vectors of all tokens of some texts, and where the tokens of each text are among them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from shakeproof.metrics.models.transfers import send_integers
from shakeproof.metrics.protocols import IntArray

if TYPE_CHECKING:
    import torch

    Tensor: TypeAlias = torch.Tensor

# A hidden state: after which layer, and whether the model's final norm is applied to it.
State: TypeAlias = tuple[int, bool]


@dataclass(frozen=True, slots=True)
class TokenRows:
    """For each token of some texts, the row of its vector and whether the token is real.

    Texts shorter than the longest are filled up with their own last token.
    """

    rows: Tensor
    real: Tensor


@dataclass(frozen=True, slots=True)
class Embeddings:
    """Unit vectors of all tokens of some texts, one text after the other, for each state."""

    vectors: dict[State, Tensor]
    lengths: IntArray  # tokens in each text
    starts_and_lengths: tuple[Tensor, Tensor]  # of each text, on the device

    def token_rows(self, texts: Tensor, longest: int) -> TokenRows:
        """Return the rows of the tokens of some texts, along a new last axis."""
        import torch

        starts, lengths = (numbers[texts][..., None] for numbers in self.starts_and_lengths)
        positions = torch.arange(longest, device=texts.device)
        return TokenRows(starts + positions.minimum(lengths - 1), positions < lengths)

    def gather(self, state: State, tokens: TokenRows) -> Tensor:
        """Return the vectors of some tokens, along a new last axis."""
        rows = tokens.rows
        return self.vectors[state].index_select(0, rows.flatten()).view(*rows.shape, -1)


def make_embeddings(vectors: dict[State, Tensor], lengths: IntArray, device: str) -> Embeddings:
    """Add to vectors where the tokens of each text begin."""
    starts, on_device = send_integers(device, lengths.cumsum() - lengths, lengths)
    return Embeddings(vectors, lengths, (starts, on_device))
