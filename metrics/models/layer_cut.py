"""How to stop an encoder after a layer, found by looking at the live model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

Module: TypeAlias = Any  # torch's, which only the encoder imports


@dataclass(frozen=True, slots=True)
class Blocks:
    """The list of layers in a model, and where it hangs."""

    owner: Module
    name: str
    layers: Module

    def keep(self, number: int) -> None:
        """Leave only the first layers in the model."""
        setattr(self.owner, self.name, self.layers[:number])


@dataclass(frozen=True, slots=True)
class Anatomy:
    """The layers that can be left out, and the norm that follows the last one, where found."""

    blocks: Blocks | None = None
    final: Module | None = None

    def stop_after(self, layer: int | None, count: int) -> int:
        """Leave out the layers that the next pass does not need; say where it stops."""
        if layer is None or self.blocks is None:
            layer = count
        if self.blocks:
            self.blocks.keep(max(layer, 1))
        return max(layer, 1)


def dissect(model: Module, count: int, run: Callable[[], Any]) -> Anatomy:
    """Find the layers of a model; trust the find only if leaving one out does as it should."""
    blocks = find_blocks(model, count)
    if blocks is None:
        return Anatomy()
    final = find_final(model, blocks, run)
    state = run().hidden_states[-2]
    expected = final(state) if final else state
    honest = count == 1 or same(_without_last(blocks, run), expected)
    return Anatomy(blocks, final) if honest else Anatomy()


def _without_last(blocks: Blocks, run: Callable[[], Any]) -> Any:  # noqa: ANN401  # a tensor
    """Run the model without its last layer; None if it cannot do without."""
    number = len(blocks.layers)
    try:
        blocks.keep(number - 1)
        return run().last_hidden_state
    except (IndexError, ValueError, RuntimeError):
        return None
    finally:
        blocks.keep(number)


def find_blocks(model: Module, count: int) -> Blocks | None:
    """Find the outermost list of as many modules as the model has layers."""
    for path, module in model.named_modules():
        if type(module).__name__ == "ModuleList" and len(module) == count:
            owner, _, name = path.rpartition(".")
            return Blocks(model.get_submodule(owner), name, module)
    return None


def find_final(model: Module, blocks: Blocks, run: Callable[[], Any]) -> Module | None:
    """Find the norm between the last layer and the output, as T5 and ModernBERT have one.

    It is the one outside the layers whose output is the output of the model.
    """
    inside = set(blocks.layers.modules())
    norms = [m for m in model.modules() if "Norm" in type(m).__name__ and m not in inside]
    seen: dict[Module, Any] = {}
    hooks = [norm.register_forward_hook(lambda m, _, out: seen.update({m: out})) for norm in norms]
    try:
        last = run().last_hidden_state
    finally:
        for hook in hooks:
            hook.remove()
    return next((norm for norm, out in seen.items() if same(out, last)), None)


def same(one: Any, other: Any) -> bool:  # noqa: ANN401  # tensors
    """Tell whether two states are equal up to rounding."""
    if one is None or one.shape != other.shape:
        return False
    return bool((one - other).abs().amax() < 1e-4)
