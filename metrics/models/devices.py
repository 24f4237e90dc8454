"""The device that models compute on, and the number format they compute in."""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from difflib import get_close_matches
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shakeproof.metrics.settings import AUTO, PRECISIONS

if TYPE_CHECKING:
    import torch

KINDS = ("auto", "cpu", "cuda", "mps", "xpu")
NUMBERED = re.compile(r"(cuda|xpu)(:\d+)?")
NVIDIA_FILES = ("/dev/nvidiactl", "/dev/nvidia0")
ACCELERATOR_FILES = (*NVIDIA_FILES, "/dev/kfd", "/dev/dxg")
INSTALL = "pytorch.org/get-started/locally has the command that installs a build with it"
BFLOAT16_CAPABILITY = (8, 0)  # of the first GPUs that compute in bfloat16
# Families whose activations exceed what float16 holds (65,504).
WIDE_RANGE = ("t5", "mt5", "umt5", "longt5", "switch_transformers")
HALF_PRECISIONS = ("float16", "bfloat16")


class DeviceNotFound(ValueError):
    """The device that the user asked for is not there; the message is one line."""


class DeviceWarning(UserWarning):
    """The CPU is used although there seems to be a GPU."""


def split_devices(text: str) -> tuple[str, ...]:
    """Read the name of a device, or the names of several GPUs: cuda:0,cuda:1."""
    names = tuple(name.strip() for name in text.split(","))
    for name in names:
        if name not in KINDS and not NUMBERED.fullmatch(name):
            close = get_close_matches(name, KINDS, n=1)
            hint = f"did you mean {close[0]!r}?" if close else f"known: {', '.join(KINDS)}, cuda:0"
            raise ValueError(f"unknown device {name!r}; {hint}")
    numbered = [name for name in names if name.startswith("cuda:")]
    if len(names) > 1 and not len(set(numbered)) == len(names):
        raise ValueError(f"several devices are written as cuda:0,cuda:1, got {text!r}")
    return names


def find_device(name: str) -> str:
    """Replace `auto` by the best device there is: CUDA, then MPS, then the CPU."""
    return _best_device() if name == AUTO else name


@lru_cache(maxsize=1)
def _best_device() -> str:
    """Find the best device; torch is imported only where there may be more than a CPU."""
    if sys.platform == "linux" and not any(Path(file).exists() for file in ACCELERATOR_FILES):
        return "cpu"
    import torch

    available, remark = cuda_state()
    if available:
        return "cuda"
    if not is_built_with_cuda() and any(Path(file).exists() for file in NVIDIA_FILES):
        remark = f"torch was built without CUDA; {INSTALL}"
    if remark:
        warnings.warn(DeviceWarning(f"device auto: no GPU is used: {remark}"), stacklevel=2)
    return "mps" if torch.backends.mps.is_available() else "cpu"


def is_built_with_cuda() -> bool:
    """Return whether this build of torch can use GPUs of NVIDIA, or of AMD in their place."""
    import torch

    return bool(torch.backends.cuda.is_built())  # type: ignore[no-untyped-call]


def cuda_state() -> tuple[bool, str]:
    """Return whether CUDA can be used, and what torch says if not, such as of an old driver."""
    import torch

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        available = torch.cuda.is_available()
    remarks = [" ".join(str(warning.message).split()) for warning in caught]
    return available, "" if available else "; ".join(dict.fromkeys(remarks))


def require_device(device: str) -> None:
    """Raise DeviceNotFound, with the way out, if this machine does not have a device."""
    reason = _why_missing(device) if find_spec("torch") else ""  # metrics say how to install torch
    if reason:
        raise DeviceNotFound(f"device {device}: {reason}")


def _why_missing(device: str) -> str:
    import torch

    kind, _, number = device.partition(":")
    if kind == "mps":
        return "" if torch.backends.mps.is_available() else "this machine has none"
    if kind != "cuda":
        return ""
    if not is_built_with_cuda():
        return f"torch was built without CUDA; {INSTALL}"
    available, remark = cuda_state()
    count = torch.cuda.device_count() if available else 0
    if count == 0:
        return remark or "torch finds none on this machine"
    there = ", ".join(f"cuda:{index}" for index in range(count))
    return "" if int(number or 0) < count else f"this machine has {count} ({there})"


def find_precision(name: str, device: str) -> str:
    """Replace `auto` by float16 on CUDA and float32 elsewhere."""
    if name not in PRECISIONS:
        raise ValueError(f"unknown precision {name!r}; known: {', '.join(PRECISIONS)}")
    if name == AUTO:
        return "float16" if device.startswith("cuda") else "float32"
    return name


def wide_precision(device: str) -> str:
    """Return what `auto` is on CUDA for a model that exceeds float16: bfloat16 where it is fast.

    A machine without a GPU, which leads a cluster, takes for granted that the GPUs are recent.
    """
    import torch

    available, _ = cuda_state()
    recent = not available or torch.cuda.get_device_capability(device) >= BFLOAT16_CAPABILITY
    return "bfloat16" if recent else "float32"


def exceeds_float16(config: Mapping[str, Any]) -> bool:
    """Return whether a model, by its configuration, computes numbers that float16 cannot hold."""
    stored = config.get("dtype", config.get("torch_dtype"))
    return config.get("model_type") in WIDE_RANGE or stored == "bfloat16"


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
