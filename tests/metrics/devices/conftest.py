"""What torch says of the simulated devices."""

import pytest


@pytest.fixture(autouse=True)
def four_gpus(monkeypatch):
    """Let torch report GPUs, and MPS beside them, as no real machine does."""
    torch = pytest.importorskip("torch")
    from simulated_device import report_gpus

    report_gpus(monkeypatch, count=4)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: True)
