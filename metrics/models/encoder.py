"""Token and sentence embeddings from a transformers encoder."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, cast

import numpy as np

from shakeproof.metrics.models.attention_mask import takes_four_axes, with_four_axes
from shakeproof.metrics.models.batches import run_batches, run_in_threads
from shakeproof.metrics.models.devices import inference
from shakeproof.metrics.models.embeddings import Embeddings, State, make_embeddings
from shakeproof.metrics.models.files import ModelFiles, layer_count
from shakeproof.metrics.models.layer_cut import LayerCut, find_layer_cut
from shakeproof.metrics.models.layers import Layer
from shakeproof.metrics.models.loading import load_for_inference
from shakeproof.metrics.models.tokens import PaddedTexts, Tokens, pad, token_limit, tokenize
from shakeproof.metrics.models.transfers import zeros

if TYPE_CHECKING:
    import torch

    Tensor: TypeAlias = torch.Tensor

Pooling: TypeAlias = Literal["mean", "cls", "head"]
MEAN: State = (-1, False)  # the mean of the hidden states after all layers

BUDGETS = {"cpu": 1024, "mps": 4096, "cuda": 16384}  # tokens in a batch; a CPU's is for its cache


@lru_cache(maxsize=4)
def load_encoder(files: ModelFiles, device: str, precision: str) -> Encoder:
    """Load an encoder; the four used last are kept."""
    tokenizer, model = load_for_inference(files, device, precision)
    return Encoder(model, tokenizer, layer_count(files), device, precision)


def batch_budget(device: str) -> int:
    """Return how many tokens a batch holds on a device, to begin with."""
    return BUDGETS.get(device.partition(":")[0], BUDGETS["cpu"])


@dataclass(slots=True, eq=False)
class Encoder:
    """A loaded model with its tokenizer.

    Two things about it change. `budget` shrinks when memory runs out. And while `embed` runs, the
    layers above the highest one needed are taken out of `model`; between calls it is whole. So
    an encoder serves one call at a time.
    """

    model: Any
    tokenizer: Any
    layer_count: int
    device: str
    precision: str
    budget: int = 0  # tokens in a batch
    limit: int = field(init=False)  # tokens that the model takes of a text
    layer_cut: LayerCut = field(init=False)
    four_axes: bool = False  # in the attention mask; never on a CPU, whose scores are stored

    def __post_init__(self) -> None:
        self.budget = self.budget or batch_budget(self.device)
        self.limit = token_limit(self.tokenizer, self.model)
        with inference(self.precision):
            sample = self.tokenize(["a b"])
            self.layer_cut = find_layer_cut(
                self.model, self.layer_count, lambda: self._run(sample)[0]
            )
            self.four_axes = self.device != "cpu" and takes_four_axes(self.model, self._run_sample)

    def _run_sample(self, four_axes: bool) -> Any:  # noqa: ANN401
        """Call the model on texts of different lengths, with a mask of four axes or of two."""
        self.four_axes = four_axes
        output, _ = self._run(self.tokenize(["a b", "a b c d e f"]))
        return output

    @property
    def width(self) -> int:
        """Return the size of a vector."""
        return int(self.model.config.hidden_size)

    def tokenize(self, texts: Sequence[str]) -> list[Tokens]:
        """Split texts into tokens, and cut them off at the model's limit."""
        return tokenize(self.tokenizer, texts, self.limit)

    def count_overflow(self, texts: Sequence[str]) -> list[int]:
        """Count the tokens of each text beyond the model's limit."""
        return [max(0, len(tokens) - self.limit) for tokens in tokenize(self.tokenizer, texts)]

    def states_of(self, layer: Layer) -> tuple[State, ...]:
        """Return the states that a layer stands for; a number means a model that ends there."""
        if layer == "mean-embedding":
            return (MEAN,)
        if layer == "mean":
            no_norm = self.layer_cut.final_norm is None
            inner = ((number, no_norm) for number in range(self.layer_count))
            return (*inner, (self.layer_count, True))
        return ((layer, True),)

    def embed(self, texts: Sequence[Tokens], states: Sequence[State]) -> Embeddings:
        """Compute the unit vectors of all tokens, in one pass for all states.

        Texts are sorted by length; those without tokens have no vectors. The pass ends with the
        highest layer that a state needs.
        """
        lengths = np.array([len(tokens) for tokens in texts], dtype=np.int64)
        full = [tokens for tokens in texts if tokens]
        starts = [0, *accumulate(map(len, full))]
        vectors: dict[State, Tensor] = {}
        highest = None if MEAN in states else max(layer for layer, _ in states)

        def work(batch: range) -> None:
            start, stop = starts[batch.start], starts[batch.stop]
            for state, rows in self._pass(full[batch.start : batch.stop], states, last):
                if state not in vectors:
                    vectors.setdefault(state, rows.new_empty((starts[-1], rows.shape[1])))
                vectors[state][start:stop] = _unit(rows)

        with inference(self.precision), self.layer_cut.up_to(highest) as last:
            self.in_batches([len(tokens) for tokens in full], work)
        return make_embeddings(vectors, lengths, self.device)

    def pool(self, texts: Sequence[Tokens], pooling: Pooling) -> Tensor:
        """Make one unit vector of each text, zeros of one without tokens; sorted by length."""
        import torch

        vectors = zeros((len(texts), self.width), self.device, torch.float32)
        full = [tokens for tokens in texts if tokens]
        of_full = vectors[len(texts) - len(full) :]

        def work(batch: range) -> None:
            output, padded = self._run(full[batch.start : batch.stop], every_state=False)
            of_full[batch.start : batch.stop] = _unit(_pool(output, padded.mask, pooling))

        with inference(self.precision):
            self.in_batches([len(tokens) for tokens in full], work)
        return vectors

    def in_batches(
        self,
        lengths: Sequence[int],
        work: Callable[[range], None],
        *,
        room: int = 1,
        kinds: Sequence[object] | None = None,
    ) -> None:
        """Work through sorted lengths in batches of `room` budgets, in threads on a CPU."""
        budget = self.budget * room
        if not (self.device == "cpu" and run_in_threads(lengths, work, budget, kinds)):
            self.budget = max(1, run_batches(lengths, work, budget, kinds) // room)

    def _pass(
        self, batch: Sequence[Tokens], states: Sequence[State], last: int
    ) -> Iterator[tuple[State, Tensor]]:
        """Run the model, which ends with layer `last`, and yield the vectors of real tokens."""
        output, padded = self._run(batch, every_state=set(states) != {(last, True)})
        for state in states:
            vectors = self._state(output, state, last)
            if vectors.shape[:2] != padded.mask.shape:
                raise ValueError(
                    f"layer {state[0]} of this model has no vector for each token; use layer: last"
                )
            yield state, vectors.flatten(0, 1).index_select(0, padded.rows).float()

    def _state(self, output: Any, state: State, last: int) -> Tensor:  # noqa: ANN401
        """Take one state from the output of a model that ended with layer `last`."""
        layer, normed = state
        if state == MEAN:
            vectors = sum(map(_float, output.hidden_states)) / len(output.hidden_states)
        elif layer == last:
            vectors = output.last_hidden_state
        elif normed and self.layer_cut.final_norm:
            vectors = self.layer_cut.final_norm(output.hidden_states[layer])
        else:
            vectors = output.hidden_states[layer]
        return cast("Tensor", vectors)

    def _run(self, batch: Sequence[Tokens], *, every_state: bool = True) -> tuple[Any, PaddedTexts]:
        """Call the model on a batch, padded to its longest text; return its output and input."""
        (padded,) = pad(self.device, self.tokenizer.pad_token_id or 0, batch)
        output = self.model(
            input_ids=padded.ids,
            attention_mask=with_four_axes(padded.mask) if self.four_axes else padded.mask.long(),
            output_hidden_states=every_state,
        )
        return output, padded


def _pool(output: Any, real: Tensor, pooling: Pooling) -> Tensor:  # noqa: ANN401
    """Take the first token's state, what the model's head makes of it, or the mean of all."""
    if pooling == "head":
        if getattr(output, "pooler_output", None) is None:
            raise ValueError("this model has no head over its first token; use cls or mean")
        return _float(output.pooler_output)
    states = _float(output.last_hidden_state)
    if pooling == "cls":
        return states[:, 0]
    return (states * real[..., None]).sum(1) / real.sum(1, keepdim=True)


def _float(vectors: Any) -> Tensor:  # noqa: ANN401  # a tensor of an untyped output
    """Convert half precision to float32, in which everything after the model is computed."""
    return cast("Tensor", vectors.float())


def _unit(vectors: Tensor) -> Tensor:
    """Scale vectors to length one; a vector of zeros stays."""
    norms: Tensor = vectors.norm(dim=-1, keepdim=True)
    return vectors / norms.clamp_min(1e-12)
