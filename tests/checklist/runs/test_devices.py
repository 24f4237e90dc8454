"""Devices and number formats of a run: mistakes are one line; several GPUs have a worker each."""

import os
from dataclasses import replace
from pathlib import Path

import pytest
from simulated_device import SimulatedDevices, report_gpus

import shakeproof
from shakeproof.cli.main import main
from shakeproof.errors import SpecError
from shakeproof.metrics.engine.cache import Cache
from shakeproof.metrics.engine.engine import Engine
from shakeproof.metrics.engine.executors.local import VISIBLE_GPUS
from shakeproof.metrics.protocols import Instance
from shakeproof.metrics.settings import Settings
from shakeproof.plan.items import make_plan
from shakeproof.plan.metrics import settings_of
from shakeproof.runs.config import RunConfig
from shakeproof.runs.workers import NoWorkers, _workers, recipe_of
from shakeproof.spec.read import load, parse

pytest.importorskip("torch")

CHECKLIST = """\
data: sample
language: en
{precision}
metrics:
  bytes: {{bertscore: {{model: byte-mini}}}}
checks:
  - check: typing errors
    perturb: {{keyboard-typo: {{on: candidate, levels: [0.1]}}}}
    expect: {{score_change: {{at_most: 0.2}}}}
"""


@pytest.fixture
def write(tmp_path, monkeypatch):
    """Write a checklist with one metric that uses a model."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "noise.checklist.yaml"

    def write(precision=""):
        path.write_text(CHECKLIST.format(precision=precision))
        return path

    return write


@pytest.mark.parametrize("workers", [None, 1], ids=["this process", "a worker"])
def test_a_device_that_is_not_there_ends_a_run_before_it_scores(write, monkeypatch, workers):
    report_gpus(monkeypatch, count=2)
    with pytest.raises(SpecError) as raised:
        shakeproof.run(write(), device="cuda:3", offline=True, limit=3, workers=workers)

    assert str(raised.value) == "device cuda:3: this machine has 2 (cuda:0, cuda:1)"


def test_known_scores_need_no_device(write, monkeypatch, tmp_path):
    arguments = {"device": "cuda:0", "limit": 3, "search": 0, "offline": True}
    arguments |= {"cache": tmp_path / "scores.sqlite", "precision": "float32"}
    report_gpus(monkeypatch, count=1)
    with SimulatedDevices():
        first = shakeproof.run(write(), **arguments)
    report_gpus(monkeypatch, count=0)
    second = shakeproof.run(write(), **arguments)

    assert second.results == first.results
    assert first.results[0].estimate is not None


def test_after_the_scoring_step_a_missing_device_fails_its_metric_alone(write, monkeypatch):
    """So the search for counterexamples goes without new scores, and the verdict stays."""
    report_gpus(monkeypatch, count=1)
    plan = make_plan(load(write()), Settings("cuda:1", offline=True), limit=3)
    with Cache() as cache:
        errors = Engine(cache).fill([[(plan.metrics["bytes"], Instance("a", ("b",)))]])

    assert list(errors.values()) == ["DeviceNotFound: device cuda:1: this machine has 1 (cuda:0)"]


def test_a_command_says_so_in_one_line(write, monkeypatch, capsys):
    report_gpus(monkeypatch, count=1)
    write()
    code = main(["score", "noise.checklist.yaml", "--device=cuda:1", "--offline", "--limit=3"])

    assert code == 2
    assert "device cuda:1: this machine has 1 (cuda:0)" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("device=cdua", "unknown device 'cdua'; did you mean 'cuda'?"),
        ("precision=half", "'half' is not one of auto, float32, tf32, float16, bfloat16"),
    ],
)
def test_a_mistyped_name_is_found_before_anything_is_read(pytester, option, message):
    result = pytester.runpytest_inprocess(f"--shakeproof-{option}")

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"*{message.replace('[', '[[]')}"])


@pytest.mark.parametrize("name", ["device", "precision"])
def test_python_refuses_a_mistyped_name(write, name):
    with pytest.raises(SpecError, match=f"^{name}: "):
        shakeproof.run(write(), **{name: "flaot16"})


@pytest.mark.parametrize(
    ("written", "chosen", "precision"),
    [
        pytest.param("", "auto", "float32", id="neither"),
        pytest.param("precision: bfloat16", "auto", "bfloat16", id="in the checklist"),
        pytest.param("", "float16", "float16", id="of the run"),
        pytest.param("precision: bfloat16", "float32", "float32", id="the run comes first"),
    ],
)
def test_precision_is_part_of_the_signature(write, written, chosen, precision):
    checklist = load(write(written))
    config = RunConfig(device="cpu", precision=chosen, offline=True)
    plan = make_plan(checklist, config.settings, limit=3)

    assert f"|precision:{precision}|" in plan.metrics["bytes"].signature
    recipe = recipe_of(plan, config.settings)
    assert recipe.settings.precision == settings_of(checklist, config.settings).precision


def test_a_wrong_precision_has_its_line():
    text = CHECKLIST.format(precision="precision: half")
    with pytest.raises(SpecError, match=r"noise.checklist.yaml:3:12: .*precision.*float32"):
        parse(text, Path("noise.checklist.yaml"))


def visible(workers):
    return [workers._environment(place).get(VISIBLE_GPUS) for place in range(workers.size)]


@pytest.mark.parametrize(
    ("device", "choice", "gpus"),
    [
        pytest.param("cuda:0,cuda:2", "auto", ["0", "2"], id="one worker each"),
        pytest.param("cuda:2,cuda:0", "3", ["2", "0", "2"], id="shared by more workers"),
        pytest.param("cuda:1", "2", [None, None], id="all workers on one"),
        pytest.param("cpu", "2", [None, None], id="none"),
    ],
)
def test_workers_share_the_devices(monkeypatch, device, choice, gpus):
    monkeypatch.delenv(VISIBLE_GPUS, raising=False)
    workers = _workers(RunConfig(device=device), choice, [])

    assert visible(workers) == gpus


def test_several_devices_are_used_by_workers_without_asking_for_them(write, monkeypatch):
    """Here the second one is not there, which the start of workers finds."""
    report_gpus(monkeypatch, count=1)
    with pytest.raises(SpecError, match=r"^device cuda:1: this machine has 1 \(cuda:0\)$"):
        shakeproof.run(write(), device="cuda:0,cuda:1", offline=True, limit=3)


def test_this_process_uses_the_first_of_several_devices():
    config = RunConfig(device="cuda:1,cuda:0")

    assert config.settings == Settings("cuda:1")
    assert replace(config, device="auto").devices == ("auto",)


def test_ray_shares_out_gpus_itself():
    with pytest.raises(NoWorkers, match="with Ray say cuda"):
        _workers(RunConfig(device="cuda:0,cuda:1"), "ray://head:10001", [])


def test_a_visible_subset_keeps_its_names(monkeypatch):
    monkeypatch.setitem(os.environ, VISIBLE_GPUS, "4,6,7")

    assert visible(_workers(RunConfig(device="cuda:0,cuda:2"), "auto", [])) == ["4", "7"]
