"""Texts to token embeddings: the one place that loads torch, transformers and models."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from shakeproof.metrics.models.batches import cut, evened, in_batches, side_by_side
from shakeproof.metrics.models.files import ModelFiles, fetch, layer_count
from shakeproof.metrics.models.layer_cut import Anatomy, dissect
from shakeproof.metrics.models.layers import Layer
from shakeproof.metrics.models.loading import CAREFUL, load_model, quiet
from shakeproof.metrics.models.tokens import Tokens, limit_of, tokenise
from shakeproof.metrics.protocols import Matrix

if TYPE_CHECKING:
    import torch

    Tensor: TypeAlias = torch.Tensor

# A state of the encoder: after which layer, and whether the model's final norm is applied.
State: TypeAlias = tuple[int, bool]
Positions: TypeAlias = NDArray[np.int64]
Pooling: TypeAlias = Literal["mean", "cls", "head"]
MEAN: State = (-1, False)  # the mean of the states after all layers

BUDGETS = {"cpu": 1024, "mps": 4096, "cuda": 16384}  # tokens in a batch; a CPU's is for its cache
LEAST = 256  # tokens for each processor, below which all of them share a batch


@lru_cache(maxsize=4)
def load_encoder(place: ModelFiles, device: str, precision: str) -> Encoder:
    """Load a model, and keep it for as long as few others are in use."""
    import transformers

    fetch(place)
    with quiet(transformers):
        tokenizer = transformers.AutoTokenizer.from_pretrained(place.folder, **CAREFUL)
        model = load_model(transformers, place)
    model = model.to(device=device, dtype=number_format(precision)).eval()
    return Encoder(model, tokenizer, layer_count(place), device, precision)


def number_format(precision: str) -> torch.dtype:
    """Return torch's name for how exactly numbers are kept; TF32 keeps float32."""
    import torch

    formats = {"float16": torch.float16, "bfloat16": torch.bfloat16}
    return formats.get(precision, torch.float32)


def best_device() -> str:
    """Ask torch for the fastest device there is."""
    import torch

    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"


@contextmanager
def inference(precision: str) -> Iterator[None]:
    """Compute without gradients, in full float32 unless TF32 is asked for, whatever is set."""
    import torch

    before = torch.get_float32_matmul_precision()
    torch.set_float32_matmul_precision("high" if precision == "tf32" else "highest")
    try:
        with torch.inference_mode():
            yield
    finally:
        torch.set_float32_matmul_precision(before)


def in_threads(
    lengths: Sequence[int],
    work: Callable[[range], None],
    budget: int,
    kinds: Sequence[object] | None,
) -> bool:
    """Give each processor batches of its own, and say whether all could be done in this way.

    This is faster than one batch for all processors, which wait for each other at every step.
    """
    import torch

    def alone(batch: range) -> None:
        with torch.inference_mode():  # each thread has its own
            work(batch)

    threads = torch.get_num_threads()
    if threads == 1 or sum(lengths) < threads * LEAST:
        return False
    try:
        batches = cut(lengths, evened(lengths, budget, threads), kinds)
        return side_by_side(batches, alone, threads, lambda: torch.set_num_threads(1))
    finally:
        torch.set_num_threads(threads)


@dataclass(frozen=True, slots=True)
class Slots:
    """Where the tokens of some texts are found, and which are real.

    A text is filled up to the longest with its own last token.
    """

    rows: Positions
    real: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Embedded:
    """Unit vectors of all tokens of some texts, one text after the other, for each state."""

    vectors: dict[State, Tensor]
    lengths: Positions

    def line_up(self, texts: Positions) -> Slots:
        """Say where the tokens of some texts are, in a last axis of their own."""
        ends, lengths = (each[texts][..., None] for each in (self.lengths.cumsum(), self.lengths))
        width = np.arange(lengths.max())
        return Slots(ends - lengths + np.minimum(width, lengths - 1), width < lengths)

    def take(self, state: State, slots: Slots) -> Tensor:
        """Take the vectors from their places."""
        import torch

        vectors = self.vectors[state]
        rows = torch.from_numpy(slots.rows).to(vectors.device)
        return vectors.index_select(0, rows.flatten()).view(*rows.shape, -1)


@dataclass(slots=True, eq=False)
class Encoder:
    """A live model. Nothing about it changes but the size of its batches."""

    model: Any
    tokenizer: Any
    count: int  # of layers
    device: str
    precision: str
    budget: int = 0
    limit: int = field(init=False)
    anatomy: Anatomy = field(init=False)

    def __post_init__(self) -> None:
        self.budget = self.budget or BUDGETS.get(self.device.partition(":")[0], BUDGETS["cpu"])
        self.limit = limit_of(self.tokenizer, self.model)
        sample = self.tokenise(["a b"])
        with inference(self.precision):
            self.anatomy = dissect(self.model, self.count, lambda: self._run(sample))

    @property
    def width(self) -> int:
        """Return the size of a vector."""
        return int(self.model.config.hidden_size)

    def tokenise(self, texts: Sequence[str]) -> list[Tokens]:
        """Cut texts into tokens, no more than the model takes."""
        return tokenise(self.tokenizer, texts, self.limit)

    def overflow(self, texts: Sequence[str]) -> list[int]:
        """Count the tokens of each text beyond what the model takes."""
        return [max(0, len(tokens) - self.limit) for tokens in tokenise(self.tokenizer, texts)]

    def states_of(self, layer: Layer) -> tuple[State, ...]:
        """Say which states a layer stands for; a number means the model cut off there."""
        if layer == "mean-embedding":
            return (MEAN,)
        if layer == "mean":
            bare = self.anatomy.final is None
            return (*((number, bare) for number in range(self.count)), (self.count, True))
        return ((layer, True),)

    def embed(self, texts: Sequence[Tokens], states: Sequence[State]) -> Embedded:
        """Compute the unit vectors of all tokens, in one pass for all states.

        Texts come sorted by length; those without tokens take no room.
        """
        lengths = np.array([len(tokens) for tokens in texts])
        full = [tokens for tokens in texts if tokens]
        starts = [0, *accumulate(map(len, full))]
        vectors: dict[State, Tensor] = {}
        top = self.anatomy.stop_after(_top(states), self.count)

        def work(batch: range) -> None:
            start, stop = starts[batch.start], starts[batch.stop]
            for state, rows in self._pass(full[batch.start : batch.stop], states, top):
                if state not in vectors:
                    vectors.setdefault(state, rows.new_empty((starts[-1], rows.shape[1])))
                vectors[state][start:stop] = _unit(rows)

        with inference(self.precision):
            self.in_batches([len(tokens) for tokens in full], work)
        return Embedded(vectors, lengths)

    def pool(self, texts: Sequence[Tokens], pooling: Pooling) -> Matrix:
        """Make one unit vector of each text; texts come sorted by length, none without tokens."""
        found = np.zeros((len(texts), self.width))

        def work(batch: range) -> None:
            chosen = texts[batch.start : batch.stop]
            output = self._run(chosen, every_state=False)
            pooled = _pooled(output, _mask(chosen).to(self.device), pooling)
            found[batch.start : batch.stop] = _unit(pooled.float()).cpu().numpy()

        self.anatomy.stop_after(None, self.count)
        with inference(self.precision):
            self.in_batches([len(tokens) for tokens in texts], work)
        return found

    def in_batches(
        self,
        lengths: Sequence[int],
        work: Callable[[range], None],
        *,
        room: int = 1,
        kinds: Sequence[object] | None = None,
    ) -> None:
        """Work through sorted lengths in batches of the budget, which shrinks with memory."""
        budget = self.budget * room
        if not (self.device == "cpu" and in_threads(lengths, work, budget, kinds)):
            self.budget = max(1, in_batches(lengths, work, budget, kinds) // room)

    def _pass(
        self, batch: Sequence[Tokens], states: Sequence[State], top: int
    ) -> Iterator[tuple[State, Tensor]]:
        """Run the model, which stops at `top`, once, and yield the vectors of real tokens."""
        output = self._run(batch, every_state=set(states) != {(top, True)})
        real = _mask(batch)
        chosen = real.flatten().nonzero().squeeze(1).to(self.device)
        for state in states:
            found = self._state(output, state, top)
            if found.shape[:2] != real.shape:
                raise ValueError(f"layer {state[0]} of this model is not about the text's tokens")
            yield state, found.flatten(0, 1).index_select(0, chosen).float()

    def _state(self, output: Any, state: State, top: int) -> Tensor:  # noqa: ANN401
        """Take one state out of what a model that stopped at the layer `top` returned."""
        layer, normed = state
        if state == MEAN:
            found = sum(output.hidden_states) / len(output.hidden_states)
        elif layer == top:
            found = output.last_hidden_state
        elif normed and self.anatomy.final:
            found = self.anatomy.final(output.hidden_states[layer])
        else:
            found = output.hidden_states[layer]
        return cast("Tensor", found)

    def _run(self, batch: Sequence[Tokens], *, every_state: bool = True) -> Any:  # noqa: ANN401
        """Call the model on a batch, padded to its longest text."""
        tokens, real = padded(batch, self.tokenizer.pad_token_id or 0, self.device)
        return self.model(
            input_ids=tokens, attention_mask=real.long(), output_hidden_states=every_state
        )


def _top(states: Sequence[State]) -> int | None:
    """Return the highest layer needed; None for all of them."""
    return None if MEAN in states else max(layer for layer, _ in states)


def padded(batch: Sequence[Tokens], pad: int, device: str) -> tuple[Tensor, Tensor]:
    """Lay texts side by side, filled up to the longest, with the mask that tells real tokens."""
    import torch

    real = _mask(batch)
    tokens = torch.full(real.shape, pad)
    tokens[real] = torch.tensor([number for text in batch for number in text])
    return tokens.to(device), real.to(device)


def _mask(batch: Sequence[Tokens]) -> Tensor:
    """Tell the real tokens of a batch from its padding."""
    import torch

    lengths = torch.tensor([len(tokens) for tokens in batch])
    return torch.arange(int(lengths.max())) < lengths[:, None]


def _pooled(output: Any, real: Tensor, pooling: Pooling) -> Tensor:  # noqa: ANN401
    """Take the first token's state, what the model's head makes of it, or the mean of all."""
    if pooling == "head":
        if getattr(output, "pooler_output", None) is None:
            raise ValueError("this model has no head over its first token; use cls or mean")
        return cast("Tensor", output.pooler_output)
    states: Tensor = output.last_hidden_state
    if pooling == "cls":
        return states[:, 0]
    return (states * real[..., None]).sum(1) / real.sum(1, keepdim=True)


def _unit(vectors: Tensor) -> Tensor:
    """Scale vectors to length one; a vector of zeros stays."""
    norms: Tensor = vectors.norm(dim=-1, keepdim=True)
    return vectors / norms.clamp_min(1e-12)
