"""Devices and number formats: what is asked for, what there is, and what a model needs."""

import json
import warnings

import pytest
from simulated_device import report_gpus

from shakeproof.metrics.models import devices
from shakeproof.metrics.models.devices import (
    DeviceNotFound,
    DeviceWarning,
    find_device,
    find_precision,
    require_device,
    split_devices,
)
from shakeproof.metrics.models.files import find_model
from shakeproof.metrics.models.runtime import ModelRuntime

torch = pytest.importorskip("torch")

OLD_DRIVER = (
    "CUDA initialization: The NVIDIA driver on your system is too old (found version 11040).\n"
    "Please update your GPU driver. (Triggered internally at CUDAFunctions.cpp:119.)"
)


@pytest.fixture
def old_driver(monkeypatch):
    """Let torch say that the driver is too old, as it does: with a warning."""

    def is_available():
        warnings.warn(OLD_DRIVER, stacklevel=2)
        return False

    report_gpus(monkeypatch, 0)
    monkeypatch.setattr(torch.cuda, "is_available", is_available)


@pytest.fixture
def nvidia_file(monkeypatch, tmp_path):
    """Let the machine seem to have a GPU of NVIDIA."""
    monkeypatch.setattr(devices, "NVIDIA_FILES", (str(tmp_path),))
    monkeypatch.setattr(devices, "ACCELERATOR_FILES", (str(tmp_path),))
    devices._best_device.cache_clear()
    yield
    devices._best_device.cache_clear()


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("auto", ("auto",)),
        ("cpu", ("cpu",)),
        ("cuda:3", ("cuda:3",)),
        ("cuda:0, cuda:1", ("cuda:0", "cuda:1")),
    ],
)
def test_devices_are_read(text, names):
    assert split_devices(text) == names


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("cdua", "unknown device 'cdua'; did you mean 'cuda'?"),
        ("gpu7", "unknown device 'gpu7'; known: auto, cpu, cuda, mps, xpu, cuda:0"),
        ("cuda:x", "unknown device 'cuda:x'; did you mean 'cuda'?"),
        ("cuda,cuda", "several devices are written as cuda:0,cuda:1, got 'cuda,cuda'"),
        ("cuda:0,cuda:0", "several devices are written as cuda:0,cuda:1, got 'cuda:0,cuda:0'"),
        ("cpu,cuda:0", "several devices are written as cuda:0,cuda:1, got 'cpu,cuda:0'"),
    ],
)
def test_a_wrong_device_is_one_line(text, message):
    with pytest.raises(ValueError) as raised:  # noqa: PT011 - the whole message is compared
        split_devices(text)

    assert str(raised.value) == message


@pytest.mark.parametrize("device", ["cpu", "cuda", "cuda:0", "cuda:1"])
def test_a_device_that_is_there_is_accepted(monkeypatch, device):
    report_gpus(monkeypatch, count=2)

    require_device(device)


@pytest.mark.parametrize(
    ("device", "count", "message"),
    [
        ("cuda:3", 2, "device cuda:3: this machine has 2 (cuda:0, cuda:1)"),
        ("cuda", 0, "device cuda: torch finds none on this machine"),
    ],
)
def test_a_device_that_is_not_there_is_one_line(monkeypatch, device, count, message):
    report_gpus(monkeypatch, count)
    with pytest.raises(DeviceNotFound) as raised:
        require_device(device)

    assert str(raised.value) == message


def test_a_build_without_cuda_names_the_way_out(monkeypatch):
    monkeypatch.setattr(torch.backends.cuda, "is_built", lambda: False)

    with pytest.raises(
        DeviceNotFound, match=r"^device cuda: torch was built without CUDA; pytorch\.org/get-star"
    ):
        require_device("cuda")


def test_an_old_driver_is_one_line(old_driver):
    with pytest.raises(DeviceNotFound, match=r"^device cuda: CUDA initialization: .* too old .*$"):
        require_device("cuda")


def test_auto_says_why_no_gpu_is_used(old_driver, nvidia_file):
    with pytest.warns(DeviceWarning, match="device auto: no GPU is used: CUDA init.* too old"):
        assert find_device("auto") == "cpu"


def test_auto_says_that_torch_was_built_without_cuda(monkeypatch, nvidia_file):
    monkeypatch.setattr(torch.backends.cuda, "is_built", lambda: False)

    with pytest.warns(DeviceWarning, match="no GPU is used: torch was built without CUDA"):
        assert find_device("auto") == "cpu"


def test_auto_is_quiet_where_gpus_are_hidden_on_purpose(monkeypatch, nvidia_file):
    report_gpus(monkeypatch, 0)

    assert find_device("auto") == "cpu"


def test_auto_is_cuda_where_it_can_be_used(monkeypatch, nvidia_file):
    report_gpus(monkeypatch)

    assert find_device("auto") == "cuda"


@pytest.fixture
def model(tmp_path):
    """Make the files of a model with some entries in its configuration."""

    def make(**config):
        (tmp_path / "config.json").write_text(json.dumps(config))
        (tmp_path / "model.safetensors").touch()
        return find_model(str(tmp_path), offline=True)

    return make


@pytest.mark.parametrize(
    ("config", "capability", "precision"),
    [
        pytest.param({"model_type": "bert"}, (8, 0), "float16", id="most models"),
        pytest.param({"model_type": "bert"}, (7, 5), "float16", id="most models, older GPU"),
        pytest.param({"model_type": "t5"}, (8, 0), "bfloat16", id="T5"),
        pytest.param({"model_type": "mt5"}, (7, 5), "float32", id="mT5, older GPU"),
        pytest.param({"dtype": "bfloat16"}, (9, 0), "bfloat16", id="stored as bfloat16"),
        pytest.param({"torch_dtype": "bfloat16"}, (7, 0), "float32", id="stored so, older GPU"),
        pytest.param({"dtype": "float32"}, (9, 0), "float16", id="stored as float32"),
    ],
)
def test_auto_precision_fits_the_model_and_the_gpu(
    monkeypatch, model, config, capability, precision
):
    report_gpus(monkeypatch, 1, capability)
    files = model(**config)

    assert ModelRuntime(files, "cuda:0").resolve()[2] == precision
    assert ModelRuntime(files, "cuda:0", "float32").resolve()[2] == "float32"
    assert ModelRuntime(files, "cpu").resolve()[2] == "float32"


def test_without_a_gpu_a_cluster_is_taken_to_have_recent_ones(monkeypatch, model):
    report_gpus(monkeypatch, 0)

    assert ModelRuntime(model(model_type="t5"), "cuda").resolve()[2] == "bfloat16"


def test_an_unknown_precision_names_the_known_ones():
    with pytest.raises(ValueError, match="unknown precision 'half'; known: auto, float32, tf32, f"):
        find_precision("half", "cpu")
