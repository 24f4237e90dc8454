"""What a check may require of the machine."""

import pytest

from shakeproof.metrics.settings import Settings
from shakeproof.runs import requirements
from shakeproof.runs.requirements import first_unmet


@pytest.fixture(autouse=True)
def online(monkeypatch):
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)


def device(name):
    def find(_):
        if isinstance(name, Exception):
            raise name
        return name

    return find


@pytest.mark.parametrize(
    ("device_name", "reason"),
    [
        pytest.param("cuda", "", id="there"),
        pytest.param("cpu", "requires cuda, and there is none", id="none"),
        pytest.param(
            ImportError("no torch"), "requires cuda, and it cannot be used: no torch", id="no torch"
        ),
    ],
)
def test_cuda_is_looked_for_as_models_do(monkeypatch, device_name, reason):
    monkeypatch.setattr(requirements, "find_device", device(device_name))

    assert first_unmet(["cuda"], Settings()) == reason


def test_the_network_is_there_unless_it_is_switched_off(monkeypatch):
    online, offline = Settings(), Settings(offline=True)

    assert first_unmet(["network"], online) == ""
    assert first_unmet(["network"], offline) == "requires network, and --shakeproof-offline is set"
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    assert first_unmet(["network"], online) == "requires network, and HF_HUB_OFFLINE is set"


def test_the_first_requirement_that_is_not_met_is_reported(monkeypatch, tmp_path):
    monkeypatch.setattr(requirements, "find_device", device("cpu"))
    settings = Settings(offline=True, folder=tmp_path)

    assert first_unmet([], settings) == ""
    assert first_unmet(["model:./none", "cuda"], settings).startswith(
        "requires model:./none: no model"
    )
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "config.json").write_text("{}")
    assert first_unmet(["model:here"], settings) == ""
