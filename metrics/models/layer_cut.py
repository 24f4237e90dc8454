"""Runs only the first layers of an encoder, where its live model allows that."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeAlias

Module: TypeAlias = Any  # a torch module, which is untyped here


@dataclass(frozen=True, slots=True)
class LayerList:
    """The list of layers in a model: the module that holds it, and the attribute's name."""

    owner: Module
    name: str
    layers: Module  # all of them, whatever the model runs at the moment

    def keep(self, number: int) -> None:
        """Make the model run its first layers only."""
        setattr(self.owner, self.name, self.layers[:number])

    def restore(self) -> None:
        """Make the model run all its layers."""
        setattr(self.owner, self.name, self.layers)


@dataclass(frozen=True, slots=True)
class LayerCut:
    """How the layers above one are left out of a pass, and the norm after the last layer.

    Both are None where the model has none, or where leaving out a layer changes the others.
    """

    layer_count: int
    layer_list: LayerList | None = None
    final_norm: Module | None = None

    @contextmanager
    def up_to(self, layer: int | None) -> Iterator[int]:
        """Take the layers above `layer` out of the live model, and put them back at the end.

        Yields the layer that the model then ends with: all layers run for None, or where none
        can be left out, and the first one always runs.
        """
        if self.layer_list is None or layer is None:
            yield self.layer_count
            return
        last = max(layer, 1)
        self.layer_list.keep(last)
        try:
            yield last
        finally:
            self.layer_list.restore()


def find_layer_cut(model: Module, layer_count: int, run: Callable[[], Any]) -> LayerCut:
    """Find the layers of a model, and check on a sample that leaving one out works.

    `run` passes the sample through the model; without its last layer, the model must return what
    it had before that layer.
    """
    layer_list = find_layer_list(model, layer_count)
    if layer_list is None:
        return LayerCut(layer_count)
    final_norm = find_final_norm(model, layer_list, run)
    state = run().hidden_states[-2]
    expected = final_norm(state) if final_norm else state
    if layer_count > 1 and not is_close(_without_last(layer_list, run), expected):
        return LayerCut(layer_count)
    return LayerCut(layer_count, layer_list, final_norm)


def _without_last(layer_list: LayerList, run: Callable[[], Any]) -> Any:  # noqa: ANN401  # a tensor
    """Run the model without its last layer; None if it then fails."""
    try:
        layer_list.keep(len(layer_list.layers) - 1)
        return run().last_hidden_state
    except (IndexError, ValueError, RuntimeError):
        return None
    finally:
        layer_list.restore()


def find_layer_list(model: Module, layer_count: int) -> LayerList | None:
    """Find the outermost list of as many modules as the model has layers."""
    for path, module in model.named_modules():
        if type(module).__name__ == "ModuleList" and len(module) == layer_count:
            owner, _, name = path.rpartition(".")
            return LayerList(model.get_submodule(owner), name, module)
    return None


def find_final_norm(model: Module, layer_list: LayerList, run: Callable[[], Any]) -> Module | None:
    """Find the norm between the last layer and the output, which T5 and ModernBERT have.

    It is the norm outside the layers whose output is the output of the model.
    """
    inside = set(layer_list.layers.modules())
    norms = [m for m in model.modules() if "Norm" in type(m).__name__ and m not in inside]
    outputs: dict[Module, Any] = {}
    hooks = [
        norm.register_forward_hook(lambda module, _, output: outputs.update({module: output}))
        for norm in norms
    ]
    try:
        last = run().last_hidden_state
    finally:
        for hook in hooks:
            hook.remove()
    return next((norm for norm, output in outputs.items() if is_close(output, last)), None)


def is_close(state: Any, other: Any) -> bool:  # noqa: ANN401  # tensors
    """Return whether two states are equal up to rounding."""
    if state is None or state.shape != other.shape:
        return False
    return bool((state - other).abs().amax() < 1e-4)
