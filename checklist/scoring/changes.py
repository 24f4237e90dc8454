"""What a condition did to the texts of the data: which it changed, and by how much."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from shakeproof.data.segments import Segment
from shakeproof.metrics.models.files import ModelFiles
from shakeproof.metrics.models.tokenizer_files import load_tokenizer
from shakeproof.perturbations.severity import unknown_per_segment
from shakeproof.plan.perturbed import CLEAN, Condition, texts
from shakeproof.stats.observations import Mask


def unknown_tokens(
    before: Iterable[str], after: Iterable[str], model: ModelFiles
) -> dict[str, float]:
    """Count unknown tokens, where the model's files contain its tokenizer."""
    tokenize = load_tokenizer(model)
    if tokenize is None:
        return {}
    return {
        "unknown": unknown_per_segment(after, tokenize),
        "unknown_before": unknown_per_segment(before, tokenize),
    }


def texts_of(segments: Iterable[Segment], name: str) -> Iterator[str]:
    """Yield the texts of a field of all segments."""
    return (text for segment in segments for text in texts(segment, name))


def changed_rows(condition: Condition, clean: Sequence[Segment], noisy: Sequence[Segment]) -> Mask:
    """Compare texts row by row; a changed reference or source changes all rows of its segment."""
    rows = bytearray()
    for before, after in zip(clean, noisy, strict=True):
        if condition.field == "candidate":
            pairs = zip(before.candidates, after.candidates, strict=True)
            rows.extend(old.text != new.text for old, new in pairs)
        else:
            differs = condition != CLEAN and (
                texts(before, condition.field) != texts(after, condition.field)
            )
            rows.extend([differs] * len(before.candidates))
    return np.frombuffer(rows, dtype=bool)
