"""The form in which an encoder gets the mask of real tokens.

transformers reads a mask of two axes on the host, to see whether it can be left out, which makes
the host wait for the device in every batch. It takes a mask of four axes as it is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from shakeproof.metrics.models.layer_cut import is_close

if TYPE_CHECKING:
    import torch

    Tensor: TypeAlias = torch.Tensor

# Every token attends to all others. In models with a window, such as ModernBERT, a mask of four
# axes would replace the window, which a short sample does not show.
FULL_ATTENTION = ("albert", "bert", "camembert", "distilbert", "electra", "roberta", "xlm-roberta")


def with_four_axes(mask: Tensor) -> Tensor:
    """Shape the mask of a batch for all heads and all tokens that attend."""
    return mask[:, None, None, :]


def takes_four_axes(model: Any, run: Callable[[bool], Any]) -> bool:  # noqa: ANN401  # untyped
    """Return whether the model gives the same output for a mask of four axes.

    `run` passes a sample with padding through the model, with a mask of four axes or of two.
    """
    config = model.config
    attention = getattr(config, "_attn_implementation", "")
    if config.model_type not in FULL_ATTENTION or attention != "sdpa":
        return False
    try:
        return is_close(run(True).last_hidden_state, run(False).last_hidden_state)
    except (RuntimeError, TypeError, ValueError):
        return False
