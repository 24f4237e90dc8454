"""How likely a model that reads one text finds another: its decoder's log-probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from shakeproof.metrics.models.batches import in_batches
from shakeproof.metrics.models.encoder import BUDGETS, inference, number_format, padded
from shakeproof.metrics.models.files import ModelFiles, fetch
from shakeproof.metrics.models.loading import CAREFUL, quiet
from shakeproof.metrics.models.tokens import Tokens, limit_of, valid
from shakeproof.metrics.protocols import Texts, Vector

if TYPE_CHECKING:
    from shakeproof.metrics.models.encoder import Tensor


@lru_cache(maxsize=2)
def load_reader(place: ModelFiles, device: str, precision: str) -> Reader:
    """Load a model that encodes and decodes, and keep it."""
    import transformers

    fetch(place)
    with quiet(transformers):
        tokenizer = transformers.AutoTokenizer.from_pretrained(place.folder, **CAREFUL)
        model = transformers.AutoModelForSeq2SeqLM.from_pretrained(place.folder, **CAREFUL)
    model = model.to(device=device, dtype=number_format(precision)).eval()
    return Reader(model, tokenizer, device, precision, BUDGETS[device.partition(":")[0]])


@dataclass(slots=True, eq=False)
class Reader:
    """A live model. Nothing about it changes but the size of its batches."""

    model: Any
    tokenizer: Any
    device: str
    precision: str
    budget: int

    def likelihoods(self, pairs: Sequence[Texts]) -> Vector:
        """Return, for pairs (given, told), the mean log-probability of the tokens told."""
        given, told = (self._tokenise(side) for side in zip(*pairs, strict=True))
        lengths = np.array([(len(one), len(other)) for one, other in zip(given, told, strict=True)])
        order = np.lexsort(lengths.T)
        found = np.zeros(len(pairs))

        def work(batch: range) -> None:
            chosen = order[batch].tolist()
            found[chosen] = self._run([given[i] for i in chosen], [told[i] for i in chosen])

        with inference(self.precision):
            self.budget = in_batches(lengths[order].max(axis=1), work, self.budget)
        return found

    def _tokenise(self, texts: Sequence[str]) -> list[Tokens]:
        """Cut texts into tokens, special ones included; a text without any is an end."""
        limit = limit_of(self.tokenizer, self.model)
        numbers: list[Tokens] = self.tokenizer(
            [valid(text) for text in texts], truncation=True, max_length=limit, verbose=False
        )["input_ids"]
        return [each or [self.tokenizer.eos_token_id] for each in numbers]

    def _run(self, given: Sequence[Tokens], told: Sequence[Tokens]) -> Vector:
        """Read the given texts, and average over the tokens told, the special ones included."""
        pad = self.model.config.pad_token_id or 0
        (read, seen), (tokens, real) = (padded(side, pad, self.device) for side in (given, told))
        output = self.model(input_ids=read, attention_mask=seen.long(), labels=tokens)
        chances: Tensor = output.logits.float().log_softmax(-1)
        each = chances.gather(2, tokens[..., None])[..., 0] * real
        mean: Vector = (each.double().sum(1) / real.sum(1)).cpu().numpy()
        return mean
