"""Numbers on their way between the host and the device that a model computes on.

A transfer makes the host wait for all that the device has to do before it, unless it comes from
pinned memory. So what a batch needs is sent in one such transfer, results stay on the device, and
the host reads them once, at the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from shakeproof.metrics.protocols import IntArray, Matrix, Vector

if TYPE_CHECKING:
    import torch

    Tensor: TypeAlias = torch.Tensor


def exact_type(device: str) -> torch.dtype:
    """Return the type in which scores are added up: float64, which Apple's MPS does not have.

    It is slow on most GPUs, but these sums are less than a thousandth of a batch's operations.
    """
    import torch

    return torch.float32 if device.startswith("mps") else torch.float64


def zeros(shape: Sequence[int], device: str, dtype: torch.dtype | None = None) -> Tensor:
    """Return zeros on a device, of the exact type unless another is given."""
    import torch

    return torch.zeros(tuple(shape), dtype=dtype or exact_type(device), device=device)


def send_floats(numbers: Matrix, device: str) -> Tensor:
    """Copy numbers to a device, in the exact type there."""
    import torch

    return _send(torch.from_numpy(numbers).to(exact_type(device)), device)


def send_integers(device: str, *arrays: IntArray) -> tuple[Tensor, ...]:
    """Copy arrays of integers to a device, all in one transfer."""
    import torch

    packed = torch.from_numpy(np.concatenate([array.ravel() for array in arrays]))
    sent, ends = _send(packed, device), np.cumsum([array.size for array in arrays]).tolist()
    return tuple(
        sent[end - array.size : end].view(array.shape)
        for end, array in zip(ends, arrays, strict=True)
    )


def _send(tensor: Tensor, device: str) -> Tensor:
    if device.startswith("cuda"):
        return tensor.pin_memory().to(device, non_blocking=True)
    return tensor.to(device)


def read(tensor: Tensor) -> Any:  # noqa: ANN401  # an array of any shape
    """Copy numbers to the host, in float64."""
    return tensor.cpu().double().numpy()


def side_by_side(*columns: Tensor) -> Tensor:
    """Join tensors of one shape along a new last axis."""
    import torch

    return torch.stack(columns, dim=-1)


def sum_products(subscripts: str, weights: Tensor, values: Tensor) -> Tensor:
    """Multiply and add up as `einsum` does.

    NumPy does it on a CPU: torch adds in another order, and stored scores would change in their
    last digits.
    """
    import torch

    if weights.device.type == "cpu":
        return torch.from_numpy(np.einsum(subscripts, weights.numpy(), values.numpy()))
    return torch.einsum(subscripts, weights, values)


def pair_cosines(vectors: Tensor, pairs: IntArray) -> Vector:
    """Return the cosine of each pair of unit vectors; as above, NumPy adds up on a CPU."""
    device = str(vectors.device)
    if device == "cpu":
        exact: Matrix = vectors.double().numpy()
        cosines: Vector = (exact[pairs[:, 0]] * exact[pairs[:, 1]]).sum(axis=1)
        return cosines
    first, second = send_integers(device, pairs[:, 0], pairs[:, 1])
    exact_vectors = vectors.to(exact_type(device))
    products: Vector = read((exact_vectors[first] * exact_vectors[second]).sum(1))
    return products
