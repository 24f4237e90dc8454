"""Accelerators simulated on the CPU: tensors carry a device, and what a GPU would do is counted.

Under `SimulatedDevices` a tensor that is moved to "cuda:1" stays in the memory of the CPU, and its
device is noted beside it. An operation that mixes devices raises as it does with CUDA. Functions
are checked as Python calls them; what a function of torch does inside is not looked at.
"""

from collections.abc import Callable
from types import SimpleNamespace

import torch
from torch.overrides import TorchFunctionMode
from torch.utils._pytree import tree_leaves, tree_map
from torch.utils.weak import WeakTensorKeyDictionary

CPU = torch.device("cpu")
DEVICES = WeakTensorKeyDictionary()  # of tensors that are not on the CPU
PINNED = WeakTensorKeyDictionary()

READ = frozenset(  # numbers that Python gets to know, so it waits until the device has them
    [
        "item",
        "tolist",
        "__bool__",
        "__int__",
        "__float__",
        "__index__",
        "__complex__",
        "equal",
        "allclose",
        "is_nonzero",
        "__contains__",
        "__repr__",
        "__format__",
    ]
)
OF_UNKNOWN_SIZE = frozenset(  # the size of the result depends on the numbers
    ["nonzero", "argwhere", "masked_select", "unique", "unique_consecutive", "bincount"]
)
NOT_ON_THE_HOST = ("numpy", "__array__")
COPIED_DATA = ("tensor", "as_tensor", "asarray", "new_tensor")
UNTOUCHED = ("device", "_parse_to", "_has_compatible_shallow_copy_type", "is_pinned")


class SimulatedDevices(TorchFunctionMode):
    """Counts what passes between host and devices while it is active.

    `largest` is the number of bytes above which one allocation is out of memory.
    """

    def __init__(self, largest: int | None = None) -> None:
        super().__init__()
        self.largest = largest
        self.largest_seen = 0  # bytes of one allocation
        self.sent: list[int] = []  # bytes of each transfer from the host to a device
        self.returned: list[int] = []  # bytes of each transfer from a device to the host
        self.waits: list[str] = []  # what made the host wait for a device

    def __torch_function__(self, func, types, args=(), kwargs=None):
        kwargs = dict(kwargs or {})
        name = getattr(func, "__name__", "")
        if name == "__get__":
            return self._read_attribute(func, args)
        if name == "__set__":
            return self._set_attribute(func, args)
        if name in UNTOUCHED:
            return args[0] in PINNED if name == "is_pinned" else func(*args, **kwargs)
        action = getattr(self, f"_call_{name.strip('_')}", None) or self._call
        return action(func, args, kwargs)

    def _read_attribute(self, func, args):
        attribute, (tensor, *_) = func.__self__.__name__, args
        if attribute == "device":
            return device_of(tensor)
        if attribute in ("is_cuda", "is_mps", "is_cpu"):
            return device_of(tensor).type == attribute.removeprefix("is_")
        return tree_map(lambda value: self._note(value, device_of(tensor), args), func(*args))

    def _set_attribute(self, func, args):
        func(*args)
        if func.__self__.__name__ == "data":
            put_on(args[0], device_of(args[1]))

    def _call(self, func, args, kwargs):
        """Call any other function: all tensors are on one device, and so is the result."""
        name = func.__name__
        asked = asked_device(args, kwargs)
        pinned = kwargs.pop("pin_memory", False)
        device = common_device(args, kwargs)
        self._count_waits(name, device, args, kwargs)
        result = func(*on_cpu(args), **on_cpu(kwargs))
        if pinned:
            PINNED[result] = True
        if asked not in (None, CPU) and name in COPIED_DATA:
            self._transfer(result, CPU, asked, non_blocking=False)
        return tree_map(lambda value: self._note(value, asked or device, (args, kwargs)), result)

    def _count_waits(self, name, device, args, kwargs):
        if device == CPU:
            return
        if name in NOT_ON_THE_HOST:
            raise TypeError(
                f"can't convert {device} device type tensor to numpy. Use Tensor.cpu() to copy the "
                "tensor to host memory first."
            )
        repeats = name == "repeat_interleave" and kwargs.get("output_size") is None
        if name in READ | OF_UNKNOWN_SIZE or repeats or (name == "where" and len(args) == 1):
            self.waits.append(name)
        if name in ("item", "tolist"):
            self.returned.append(args[0].nbytes)

    def _call_to(self, func, args, kwargs):
        tensor = args[0]
        tensors = [value for value in (*args[1:], *kwargs.values()) if is_tensor(value)]
        asked = asked_device(args[1:], kwargs)
        target = device_of(tensors[0]) if tensors else asked or device_of(tensor)
        booleans = [value for value in args[1:] if isinstance(value, bool)]
        non_blocking = kwargs.pop("non_blocking", bool(booleans and booleans[0]))
        arguments = [value for value in args[1:] if not isinstance(value, bool)]
        result = func(tensor, *on_cpu(arguments), **on_cpu(kwargs))
        return self._moved(result, tensor, target, non_blocking=non_blocking)

    def _call_cpu(self, func, args, kwargs):
        return self._moved(func(*args), args[0], CPU, non_blocking=False)

    def _call_cuda(self, func, args, kwargs):
        target = asked_device(args[1:], kwargs) or torch.device("cuda:0")
        blocking = not kwargs.get("non_blocking", False)
        return self._moved(args[0], args[0], target, non_blocking=not blocking)

    def _moved(self, result, tensor, target, *, non_blocking):
        """Return a result on the target, as a copy if the tensor was elsewhere."""
        source = device_of(tensor)
        if source == target:
            return self._note(result, target, (tensor,))
        copy = result.clone() if result is tensor else result
        if tensor in PINNED:
            PINNED[copy] = True
        self._transfer(copy, source, target, non_blocking=non_blocking)
        return self._note(copy, target, (tensor,))

    def _transfer(self, tensor, source, target, *, non_blocking):
        """Count a transfer; only one from pinned memory that is asked for so does not wait."""
        if source == CPU:
            self.sent.append(tensor.nbytes)
        elif target == CPU:
            self.returned.append(tensor.nbytes)
        if not (non_blocking and source == CPU and tensor in PINNED):
            self.waits.append(f"{source.type} to {target.type}")

    def _call_copy(self, func, args, kwargs):
        """`copy_` and `__copy__`: the result stays where the target is."""
        target, source = args[0], args[1]
        if device_of(source) != device_of(target):
            non_blocking = kwargs.pop("non_blocking", False)
            self._transfer(source, device_of(source), device_of(target), non_blocking=non_blocking)
        return func(*args, **kwargs)

    def _call_pin_memory(self, func, args, kwargs):
        if device_of(args[0]) != CPU:
            raise RuntimeError("cannot pin a tensor of a device: only dense CPU tensors")
        pinned = args[0].clone()
        PINNED[pinned] = True
        return pinned

    def _call_getitem(self, func, args, kwargs):
        tensor, index = args
        self._use_index(tensor, index)
        return self._note(func(tensor, index), device_of(tensor), args)

    def _call_setitem(self, func, args, kwargs):
        tensor, index, value = args
        self._use_index(tensor, index)
        if is_tensor(value) and device_of(value) != device_of(tensor):
            positions = [part for part in tree_leaves(index) if is_tensor(part)]
            if positions and value.dim():
                raise mixed(device_of(tensor), device_of(value))
            self._transfer(value, device_of(value), device_of(tensor), non_blocking=False)
        return func(tensor, index, value)

    def _use_index(self, tensor, index):
        """Check an index: one from the CPU is sent, one of truth values has to be read."""
        for part in tree_leaves(index):
            if not is_tensor(part):
                continue
            if device_of(part) not in (CPU, device_of(tensor)):
                raise RuntimeError(
                    "indices should be either on cpu or on the same device as the indexed tensor "
                    f"({device_of(tensor)})"
                )
            if device_of(tensor) != CPU and device_of(part) == CPU and part.dim():
                self._transfer(part, CPU, device_of(tensor), non_blocking=False)
            if device_of(part) != CPU and (part.dtype == torch.bool or not part.dim()):
                self.waits.append("index of truth values" if part.dim() else "index of one number")

    def _note(self, value, device, inputs):
        """Note the device of a result; fail if it is a new tensor that the device cannot hold."""
        if not is_tensor(value) or device == CPU:
            return value
        if device.type == "mps" and value.dtype == torch.float64:
            raise TypeError("Cannot convert a MPS Tensor to float64 dtype")
        storages = {
            part.untyped_storage().data_ptr() for part in tree_leaves(inputs) if is_tensor(part)
        }
        storage = value.untyped_storage()
        if storage.data_ptr() not in storages:
            self.largest_seen = max(self.largest_seen, storage.nbytes())
            if self.largest is not None and storage.nbytes() > self.largest:
                size = storage.nbytes()
                raise torch.OutOfMemoryError(f"CUDA out of memory. Tried to allocate {size} bytes")
        put_on(value, device)
        return value


def is_tensor(value: object) -> bool:
    return isinstance(value, torch.Tensor)


def device_of(tensor: torch.Tensor) -> torch.device:
    """Return the simulated device of a tensor."""
    return DEVICES.get(tensor, CPU)


def put_on(tensor: torch.Tensor, device: torch.device) -> None:
    if device == CPU:
        DEVICES.pop(tensor, None)
    else:
        DEVICES[tensor] = device


def as_device(value: object) -> torch.device | None:
    """Read a device that is given as an argument; None if it is something else."""
    if isinstance(value, str) and value.partition(":")[0] in ("cpu", "cuda", "mps"):
        value = torch.device(value)
    if not isinstance(value, torch.device):
        return None
    return torch.device("cuda:0") if value == torch.device("cuda") else value


def asked_device(args, kwargs) -> torch.device | None:
    """Return the device that a call asks for."""
    named = (as_device(value) for value in (*args, kwargs.get("device")))
    return next((device for device in named if device), None)


def on_cpu(arguments):
    """Replace devices by the CPU, where the numbers are computed."""
    return tree_map(lambda value: "cpu" if as_device(value) else value, arguments)


def common_device(args, kwargs) -> torch.device:
    """Return the device of all tensors; single numbers from the CPU may be mixed with any."""
    tensors = [value for value in tree_leaves((args, kwargs)) if is_tensor(value)]
    devices = list(dict.fromkeys(map(device_of, tensors)))
    binding = dict.fromkeys(device_of(t) for t in tensors if t.dim() or device_of(t) != CPU)
    if len(binding) > 1:
        raise mixed(*list(binding)[:2])
    return next(iter(binding), devices[0] if devices else CPU)


def mixed(first: torch.device, second: torch.device) -> RuntimeError:
    return RuntimeError(
        "Expected all tensors to be on the same device, but found at least two devices, "
        f"{first} and {second}!"
    )


def report_gpus(monkeypatch, count: int = 2, capability: tuple[int, int] = (8, 0)) -> None:
    """Let torch report some GPUs of a compute capability."""
    facts: dict[str, Callable[..., object]] = {
        "is_available": lambda: count > 0,
        "device_count": lambda: count,
        "get_device_capability": lambda device=None: capability,
        "get_device_name": lambda device=None: "simulated GPU",
        "get_device_properties": lambda device=None: SimpleNamespace(
            name="simulated GPU", major=capability[0], minor=capability[1], total_memory=2**34
        ),
        "is_bf16_supported": lambda including_emulation=True: (
            including_emulation or capability >= (8, 0)
        ),
    }
    for name, fact in facts.items():
        monkeypatch.setattr(torch.cuda, name, fact)
    monkeypatch.setattr(torch.backends.cuda, "is_built", lambda: True)
