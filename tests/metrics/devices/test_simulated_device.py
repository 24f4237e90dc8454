"""The simulated devices fail, count and run out of memory as real ones do."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from simulated_device import SimulatedDevices  # noqa: E402 - it imports torch


@pytest.fixture
def devices():
    with SimulatedDevices() as devices:
        yield devices


@pytest.fixture
def vector(devices):
    """Three numbers on a device; moving them there is not counted."""
    vector = torch.arange(3.0, device="cuda:0")

    assert (devices.sent, devices.returned, devices.waits) == ([], [], [])
    return vector


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(lambda v: v.view(1, 3), id="a view"),
        pytest.param(lambda v: v[1:], id="a slice"),
        pytest.param(lambda v: v + 1, id="a sum with a number"),
        pytest.param(lambda v: v + torch.tensor(2.0), id="a sum with one number of the CPU"),
        pytest.param(lambda v: v.add_(1), id="an operation in place"),
        pytest.param(lambda v: v.new_empty((2, 2)), id="a new tensor like it"),
        pytest.param(lambda v: torch.zeros_like(v), id="zeros like it"),
        pytest.param(lambda v: v.max(0)[1], id="one of two results"),
        pytest.param(lambda v: torch.nn.functional.softmax(v, 0), id="a Python function"),
        pytest.param(lambda v: torch.ones(3).to(v), id="moved to where it is"),
    ],
)
def test_results_are_where_their_inputs_are(vector, make):
    assert make(vector).device == torch.device("cuda:0")


def test_a_slice_assigned_keeps_the_device(devices, vector):
    table = torch.zeros((2, 3), device="cuda:0")
    table[1:2] = vector

    assert table.device == torch.device("cuda:0")
    assert table.cpu().tolist() == [[0, 0, 0], [0, 1, 2]]
    assert devices.waits == ["cuda to cpu"]


def test_a_module_moves_with_its_parameters():
    module = torch.nn.Linear(2, 2)
    with SimulatedDevices():
        module.to(device="cuda:1", dtype=torch.float16)

        assert {weight.device for weight in module.parameters()} == {torch.device("cuda:1")}
        with pytest.raises(RuntimeError, match="at least two devices, cpu and cuda:1"):
            module(torch.zeros(1, 2, dtype=torch.float16))


@pytest.mark.parametrize("other", ["cpu", "cuda:1"])
def test_devices_do_not_mix(vector, other):
    with pytest.raises(RuntimeError, match="Expected all tensors to be on the same device"):
        vector + torch.ones(3).to(other)


def test_one_number_of_a_device_does_not_mix_with_the_cpu(vector):
    with pytest.raises(RuntimeError, match="Expected all tensors to be on the same device"):
        torch.ones(3) + vector.sum()


@pytest.mark.parametrize("convert", [torch.Tensor.numpy, np.asarray], ids=["numpy", "asarray"])
def test_numpy_cannot_read_a_device(vector, convert):
    with pytest.raises(TypeError, match="can't convert cuda:0 device type tensor to numpy"):
        convert(vector)

    np.testing.assert_array_equal(vector.cpu().numpy(), [0, 1, 2])


def test_transfers_are_counted_by_direction_and_bytes(devices):
    there = torch.zeros(5).to("cuda:0")
    torch.tensor([1.0, 2.0], device="cuda:0")
    there.cpu()

    assert devices.sent == [20, 8]
    assert devices.returned == [20]
    assert devices.waits == ["cpu to cuda", "cpu to cuda", "cuda to cpu"]


@pytest.mark.parametrize(
    ("pinned", "non_blocking", "waits"),
    [
        pytest.param(True, True, 0, id="pinned"),
        pytest.param(False, True, 1, id="not pinned"),
        pytest.param(True, False, 1, id="blocking"),
    ],
)
def test_only_pinned_memory_is_sent_without_waiting(devices, pinned, non_blocking, waits):
    here = torch.zeros(5, pin_memory=True) if pinned else torch.zeros(5)
    here.to("cuda:0", non_blocking=non_blocking)

    assert here.is_pinned() is pinned
    assert devices.sent == [20]
    assert len(devices.waits) == waits


@pytest.mark.parametrize(
    "read",
    [
        pytest.param(lambda v: v.sum().item(), id="item"),
        pytest.param(lambda v: v.tolist(), id="tolist"),
        pytest.param(lambda v: v.nonzero(), id="nonzero"),
        pytest.param(lambda v: v[v > 1], id="an index of truth values"),
        pytest.param(lambda v: v.masked_select(v > 1), id="a selection"),
        pytest.param(lambda v: v.cpu(), id="cpu"),
        pytest.param(lambda v: bool(v.sum() > 1), id="bool"),
        pytest.param(lambda v: float(v[0]), id="float"),
        pytest.param(lambda v: torch.equal(v, v), id="equal"),
        pytest.param(lambda v: torch.where(v > 1), id="where, alone"),
        pytest.param(lambda v: v.repeat_interleave(v.long()), id="repetitions"),
        pytest.param(lambda v: v[torch.tensor([0, 1])], id="an index from the CPU"),
        pytest.param(lambda v: v[v.long().max()], id="an index of one number"),
        pytest.param(lambda v: torch.zeros(3).copy_(v), id="a copy to the CPU"),
    ],
)
def test_what_waits_for_the_device_is_counted(devices, vector, read):
    read(vector)

    assert len(devices.waits) == 1


@pytest.mark.parametrize(
    "compute",
    [
        pytest.param(lambda v: v.where(v > 1, 0.0), id="where"),
        pytest.param(lambda v: v[v.long()], id="an index of the device"),
        pytest.param(lambda v: v.index_select(0, v.long()), id="index_select"),
        pytest.param(lambda v: (v.shape, v.dim(), v.numel(), len(v)), id="shapes"),
        pytest.param(lambda v: v.to(torch.float16), id="another type"),
    ],
)
def test_what_stays_on_the_device_is_not_counted(devices, vector, compute):
    compute(vector)

    assert (devices.sent, devices.returned, devices.waits) == ([], [], [])


def test_a_tensor_of_the_cpu_is_not_indexed_by_a_device(vector):
    with pytest.raises(RuntimeError, match="indices should be either on cpu or on the same device"):
        torch.zeros(3)[vector.long()]


def test_an_allocation_above_the_limit_is_out_of_memory():
    with SimulatedDevices(largest=100) as devices:
        table = torch.zeros(5, 5, device="cuda:0")

        assert table.view(25)[:20].device == torch.device("cuda:0")  # no new memory
        with pytest.raises(torch.OutOfMemoryError, match="CUDA out of memory"):
            torch.zeros(26, device="cuda:0")
        assert devices.largest_seen == 104
        torch.zeros(26)


def test_mps_has_no_float64(devices):
    with pytest.raises(TypeError, match="Cannot convert a MPS Tensor to float64"):
        torch.zeros(3, device="mps").double()


def test_outside_nothing_is_simulated():
    with SimulatedDevices():
        there = torch.zeros(3, device="cuda:0")

    assert there.device == torch.device("cpu")
    assert there.numpy().tolist() == [0, 0, 0]
