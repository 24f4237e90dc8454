"""The device that models compute on, and the number format they compute in."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch

PRECISIONS = ("float32", "tf32", "float16", "bfloat16")
ACCELERATOR_FILES = ("/dev/nvidiactl", "/dev/nvidia0", "/dev/kfd", "/dev/dxg")


def find_device(name: str) -> str:
    """Replace `auto` by the best device there is: CUDA, then MPS, then the CPU."""
    return _best_device() if name == "auto" else name


@lru_cache(maxsize=1)
def _best_device() -> str:
    """Find the best device; torch is imported only where there may be more than a CPU."""
    if sys.platform == "linux" and not any(Path(file).exists() for file in ACCELERATOR_FILES):
        return "cpu"
    import torch

    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"


def find_precision(name: str, device: str) -> str:
    """Replace `auto` by half precision on CUDA and float32 elsewhere."""
    if name == "auto":
        return "float16" if device.startswith("cuda") else "float32"
    if name not in PRECISIONS:
        raise ValueError(f"unknown precision {name!r}; known: auto, {', '.join(PRECISIONS)}")
    return name


def torch_dtype(precision: str) -> torch.dtype:
    """Return torch's type of a precision; with TF32 numbers are stored as float32."""
    import torch

    formats = {"float16": torch.float16, "bfloat16": torch.bfloat16}
    return formats.get(precision, torch.float32)


@contextmanager
def inference(precision: str) -> Iterator[None]:
    """Compute without gradients, and in full float32 unless the precision is TF32.

    torch's own setting, which the user may have changed, is restored afterwards.
    """
    import torch

    before = torch.get_float32_matmul_precision()
    torch.set_float32_matmul_precision("high" if precision == "tf32" else "highest")
    try:
        with torch.inference_mode():
            yield
    finally:
        torch.set_float32_matmul_precision(before)
