"""What torch finds on this machine: its build, the devices, and how fast they multiply."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from statistics import median

from shakeproof.metrics.models.batches import run_in_threads
from shakeproof.metrics.models.devices import (
    ACCELERATOR_FILES,
    INSTALL,
    find_precision,
    inference,
    torch_dtype,
)

ROCM_FILE = "/dev/kfd"  # the other files belong to NVIDIA's driver
MATRIX_SIZES = {"cpu": 1024, "mps": 4096, "cuda": 8192}
MIN_PRODUCTS = 3
MATMUL_SECONDS = 0.5  # for which products are repeated


@dataclass(frozen=True, slots=True)
class Device:
    """A device that models can run on; memory is in bytes, 0 if it is not known."""

    name: str
    model: str
    memory: int
    precision: str  # that `auto` stands for


@dataclass(frozen=True, slots=True)
class Torch:
    """The installed torch; `problem` says why it or its GPU cannot be used, and what to do."""

    version: str
    build: str = ""  # "CPU", "CUDA 12.8" or "ROCm 6.4"
    accelerators: tuple[Device, ...] = ()
    problem: str = ""
    broken: bool = False  # the problem is a fault, not something that is absent


def find_torch() -> Torch | None:
    """Import torch and ask it for its devices; None if it is not installed."""
    if find_spec("torch") is None:
        return None
    try:
        import torch
    except (ImportError, OSError) as error:
        problem = f"torch cannot be imported: {_one_line(error)}; install it again"
        return Torch("?", problem=problem, broken=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what torch warns of is found below
        devices = (*_cuda_devices(torch.cuda.is_available()), *_mps_devices())
        driver = next(filter(lambda file: Path(file).exists(), ACCELERATOR_FILES), "")
        problem, broken = ("", False) if devices or not driver else _why_no_gpu(driver)
    return Torch(torch.__version__, torch_build(), devices, problem, broken)


def torch_build() -> str:
    """Return what torch was built for."""
    import torch

    if torch.version.hip:
        return f"ROCm {torch.version.hip}"
    return f"CUDA {torch.version.cuda}" if torch.version.cuda else "CPU"


def _cuda_devices(available: bool) -> list[Device]:
    import torch

    found = []
    for number in range(torch.cuda.device_count() if available else 0):
        name, facts = f"cuda:{number}", torch.cuda.get_device_properties(number)
        found.append(Device(name, facts.name, facts.total_memory, find_precision("auto", name)))
    return found


def _mps_devices() -> list[Device]:
    import torch

    if not torch.backends.mps.is_available():
        return []
    memory = torch.mps.recommended_max_memory()
    return [Device("mps", "Apple GPU", memory, find_precision("auto", "mps"))]


def _why_no_gpu(driver: str) -> tuple[str, bool]:
    """Say why torch does not use a GPU whose driver is there, and whether that is a fault."""
    import torch

    wanted = "ROCm" if driver == ROCM_FILE else "CUDA"
    if not torch_build().startswith(wanted):
        return f"{driver} exists, but torch was built without {wanted}; {INSTALL}", False
    try:
        torch.cuda.current_device()
    except (RuntimeError, AssertionError) as error:  # such as a driver that is too old
        return f"{driver} exists, but torch cannot use the GPU: {_one_line(error)}", True
    return f"{driver} exists, but torch finds no GPU; is CUDA_VISIBLE_DEVICES empty?", False


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())[:300] or type(error).__name__


def synchronize(device: str) -> None:
    """Wait until a device has computed everything."""
    import torch

    if device.startswith("cuda"):
        torch.cuda.synchronize(device)
    elif device == "mps":
        torch.mps.synchronize()


def matmul_rate(device: str, precision: str) -> float:
    """Measure how many operations per second products of two square matrices reach.

    As in an encoder, a CPU computes several products at the same time, each in one thread.
    """
    import torch

    size = MATRIX_SIZES.get(device.partition(":")[0], MATRIX_SIZES["cpu"])
    numbers = torch.rand((size, size), generator=torch.Generator().manual_seed(0))
    matrix = numbers.to(device=device, dtype=torch_dtype(precision))
    products = torch.get_num_threads() if device == "cpu" else 1

    def multiply(_: range) -> None:
        matrix @ matrix
        synchronize(device)

    def multiply_all() -> None:
        if device != "cpu" or not run_in_threads([1] * products, multiply, budget=1):
            multiply(range(1))

    with inference(precision):
        multiply_all()
        return 2 * products * size**3 / median(_times(multiply_all))


def _times(action: Callable[[], None]) -> list[float]:
    """Time an action, several times and for a while."""
    times: list[float] = []
    while len(times) < MIN_PRODUCTS or sum(times) < MATMUL_SECONDS:
        start = time.perf_counter()
        action()
        times.append(time.perf_counter() - start)
    return times
