"""Where to compute and in which number format."""

from __future__ import annotations

import sys
from functools import lru_cache
from pathlib import Path

PRECISIONS = ("float32", "tf32", "float16", "bfloat16")
ACCELERATORS = ("/dev/nvidiactl", "/dev/nvidia0", "/dev/kfd", "/dev/dxg")


def find_device(name: str) -> str:
    """Turn `auto` into the best device there is: CUDA, then MPS, then the CPU."""
    return _best() if name == "auto" else name


@lru_cache(maxsize=1)
def _best() -> str:
    """Find the best device; torch is only asked where there may be more than a CPU."""
    if sys.platform == "linux" and not any(map(Path.exists, map(Path, ACCELERATORS))):
        return "cpu"
    from shakeproof.metrics.models.encoder import best_device

    return best_device()


def find_precision(name: str, device: str) -> str:
    """Turn `auto` into half precision on CUDA and float32 elsewhere."""
    if name == "auto":
        return "float16" if device.startswith("cuda") else "float32"
    if name not in PRECISIONS:
        raise ValueError(f"unknown precision {name!r}; known: auto, {', '.join(PRECISIONS)}")
    return name
