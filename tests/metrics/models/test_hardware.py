"""What is said about devices, with a torch that claims to have others than this machine."""

import sys
from types import SimpleNamespace

import pytest

from shakeproof.metrics.models import hardware
from shakeproof.metrics.models.hardware import Device, find_torch, matmul_rate

torch = pytest.importorskip("torch")
TOO_OLD = "The NVIDIA driver on your system is too old (found version 11040).\nPlease update"


@pytest.fixture
def driver(monkeypatch, tmp_path):
    """Pretend that the file of a driver exists."""

    def make(name="nvidiactl"):
        file = tmp_path / name
        file.touch()
        monkeypatch.setattr(hardware, "ACCELERATOR_FILES", (str(file),))
        return str(file)

    monkeypatch.setattr(hardware, "ACCELERATOR_FILES", ())
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    return make


def raise_error(error):
    raise error


def test_without_torch_there_is_nothing_to_ask(monkeypatch):
    monkeypatch.setattr(hardware, "find_spec", lambda name: None)

    assert find_torch() is None


def test_a_torch_that_cannot_be_imported_is_a_fault(monkeypatch):
    monkeypatch.setattr(hardware, "find_spec", lambda name: name)
    monkeypatch.setitem(sys.modules, "torch", None)
    found = find_torch()

    assert found.broken
    assert found.problem.startswith("torch cannot be imported: ")


@pytest.mark.usefixtures("driver")
def test_a_machine_without_a_driver_has_no_problem():
    found = find_torch()

    assert (found.accelerators, found.problem, found.broken) == ((), "", False)


def test_a_build_without_cuda_beside_a_driver_is_named(driver, monkeypatch):
    file = driver()
    monkeypatch.setattr(torch.version, "cuda", None)
    found = find_torch()

    assert found.problem.startswith(f"{file} exists, but torch was built without CUDA; ")
    assert "installs a build" in found.problem
    assert not found.broken


def test_a_build_without_rocm_beside_its_driver_is_named(driver, monkeypatch):
    monkeypatch.setattr(hardware, "ROCM_FILE", driver("kfd"))

    assert "torch was built without ROCm" in find_torch().problem


def test_a_driver_that_is_too_old_is_a_fault(driver, monkeypatch):
    file = driver()
    monkeypatch.setattr(torch.version, "cuda", "12.8")
    monkeypatch.setattr(torch.cuda, "current_device", lambda: raise_error(RuntimeError(TOO_OLD)))
    found = find_torch()

    assert found.broken
    assert found.problem == (
        f"{file} exists, but torch cannot use the GPU: {TOO_OLD.replace(chr(10), ' ')}"
    )


def test_every_gpu_is_listed_with_its_memory_and_precision(monkeypatch):
    facts = SimpleNamespace(name="NVIDIA T4", total_memory=16 * 10**9)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    monkeypatch.setattr(torch.cuda, "get_device_properties", lambda number: facts)
    monkeypatch.setattr(hardware, "find_precision", lambda name, device: f"half on {device}")
    found = find_torch()

    assert found.accelerators == (
        Device("cuda:0", "NVIDIA T4", 16 * 10**9, "half on cuda:0"),
        Device("cuda:1", "NVIDIA T4", 16 * 10**9, "half on cuda:1"),
    )
    assert not found.problem


@pytest.mark.parametrize(
    ("cuda", "hip", "build"),
    [
        pytest.param(None, None, "CPU", id="CPU"),
        pytest.param("12.8", None, "CUDA 12.8", id="CUDA"),
        pytest.param(None, "6.4", "ROCm 6.4", id="ROCm"),
    ],
)
def test_the_build_of_torch_is_named(monkeypatch, cuda, hip, build):
    monkeypatch.setattr(torch.version, "cuda", cuda)
    monkeypatch.setattr(torch.version, "hip", hip)

    assert hardware.torch_build() == build


def test_the_rate_of_products_is_positive_and_leaves_torch_as_it_was(monkeypatch):
    monkeypatch.setattr(hardware, "MATRIX_SIZES", {"cpu": 64})
    monkeypatch.setattr(hardware, "MATMUL_SECONDS", 0.0)
    before = torch.random.get_rng_state()
    rate = matmul_rate("cpu", "float32")

    assert rate > 0
    assert torch.equal(torch.random.get_rng_state(), before)
