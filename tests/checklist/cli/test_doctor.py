"""`shakeproof doctor`: one screen, JSON, and its exit codes."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from waiting import wait_until

from shakeproof.cli import doctor
from shakeproof.cli.doctor import without_user
from shakeproof.cli.main import main
from shakeproof.metrics.engine.cache_state import CacheState
from shakeproof.metrics.models.hardware import Device, Torch
from shakeproof.metrics.models.hub_cache import CachedModel
from shakeproof.runs import device_bench
from shakeproof.runs import doctor as facts_module
from shakeproof.runs.device_bench import Deviation, DeviceBench, Speed
from shakeproof.runs.doctor import FoundData, FoundModel, MachineFacts, Missing

CPU = Device("cpu", "Some Processor", 32 * 10**9, "float32")
GPUS = tuple(Device(f"cuda:{n}", "NVIDIA A10", 24 * 10**9, "float16") for n in range(2))
FACTS = MachineFacts(
    versions={"python": "3.12.1", "shakeproof": "0.1.0", "pytest": "9.2.0"},
    package=Path("/opt/shakeproof"),
    platform="Linux x86_64",
    plugin="",
    torch=None,
    cpu=CPU,
    cores=8,
    device="",
    precision="",
    workers=8,
    models=(FoundModel("minilm"), FoundModel("byte-mini", Path("/opt/byte-mini"), 4_400_000)),
    hub=None,
    hub_models=(),
    data=(FoundData("sample", 96), FoundData("sts-captions")),
    cache=CacheState(Path("scores.sqlite"), exists=False, writable=True),
    missing=(Missing("models", "metrics that use a model", 'pip install "shakeproof[models]"'),),
    broken=(),
)
WITH_GPU = replace(
    FACTS,
    versions=FACTS.versions | {"transformers": "5.22.2", "ray": "2.60.0"},
    torch=Torch("2.13.0", "CUDA 12.8", GPUS),
    device="cuda",
    precision="float16",
    workers=2,
    hub=Path("/data/hub"),
    hub_models=tuple(CachedModel(f"org/model-{n}", 10**9 * n) for n in range(1, 7)),
    cache=CacheState(Path("s.sqlite"), exists=True, writable=True, bytes=2_000_000, scores=1234),
    missing=(),
)
SPEED = Speed(586, 15568, (0.1, 0.2, 0.4), 2500.0, 40e12, 4 * 10**11)
BENCH = DeviceBench(
    "minilm", "53aa", 6, 6, "cuda", "float16", SPEED, Deviation(1e-3, 5e-3, {"torch": "2.13.0"})
)


@pytest.fixture(autouse=True)
def terminal(folder, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")


@pytest.fixture
def show(monkeypatch, capsys):
    """Run the command on a machine with these facts; return exit code and output."""

    def show(facts, *arguments, bench=BENCH):
        def run_bench(model, device, precision):
            if isinstance(bench, Exception):
                raise bench
            return bench

        monkeypatch.setattr(facts_module, "find_facts", lambda cache: facts)
        monkeypatch.setattr(device_bench, "run_bench", run_bench)
        code = main(["doctor", *arguments])
        return code, capsys.readouterr().out

    return show


def test_without_extras_the_screen_says_what_to_install(show):
    code, output = show(FACTS)
    lines = output.splitlines()

    assert code == 0
    assert "torch       not installed" in lines
    assert "used        none: models cannot run; --shakeproof-workers=auto starts 8" in lines
    assert "            Hugging Face cache: its library is not installed" in lines
    assert 'pip install "shakeproof[models]"' in output
    assert lines[-1] == "result      nothing is broken"


def test_a_machine_with_gpus_fits_on_one_screen(show):
    code, output = show(WITH_GPU)
    lines = output.splitlines()

    assert code == 0
    assert "torch       2.13.0 (built for CUDA 12.8), transformers 5.22.2" in lines
    assert "            cuda:1: NVIDIA A10, 24.0 GB, float16" in lines
    assert "used        cuda in float16; --shakeproof-workers=auto starts 2" in lines
    assert "org/model-3 (3.0 GB), 2 more" in " ".join(output.split())
    assert "cache       s.sqlite: 2.0 MB, 1,234 scores, writable" in lines
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 100


def test_something_broken_is_a_line_and_exit_code_1(show):
    code, output = show(replace(FACTS, broken=("the driver is too old",)))

    assert code == 1
    assert output.endswith("BROKEN      the driver is too old\n")


def test_a_torch_without_cuda_is_a_note(show):
    torch = Torch("2.13.0", "CPU", problem="/dev/nvidiactl exists, but torch is for the CPU")
    code, output = show(replace(WITH_GPU, torch=torch))

    assert code == 0
    assert "note        /dev/nvidiactl exists, but torch is for the CPU\n" in output


def test_the_benchmark_says_speed_share_and_whether_scores_are_right(show):
    code, output = show(WITH_GPU, "--bench")

    assert code == 0
    assert output.splitlines()[-4:] == [
        "bench   BERTScore on cuda in float16: minilm, layer 6 of 6; 500 pairs (586 texts, "
        "15,568 tokens)",
        "speed   2,500 pairs per second (median of 3; 0.100 to 0.400 s)",
        "matmul  the encoder reaches 5% of 40 Tflop/s, of plain matrix products",
        "scores  within 0.005 of the stored CPU scores (torch 2.13.0): largest deviation 1.0e-03",
    ]


def test_scores_that_are_wrong_have_exit_code_1(show):
    wrong = replace(BENCH, deviation=Deviation(0.3, 5e-3, {"torch": "2.13.0"}))
    code, output = show(WITH_GPU, "--bench", bench=wrong)

    assert code == 1
    assert "scores  NOT within 0.005 of the stored CPU scores" in output


def test_other_weights_have_nothing_to_compare_with(show):
    code, output = show(WITH_GPU, "--bench", bench=replace(BENCH, deviation=None))

    assert code == 0
    assert "scores  no stored scores for these weights" in output


def test_a_model_whose_operations_are_not_counted_has_no_share(show):
    unknown = replace(BENCH, speed=replace(SPEED, operations=None))
    _, output = show(WITH_GPU, "--bench", bench=unknown)

    assert "matmul  40 Tflop/s; the operations of this kind of model are not counted" in output


def test_a_device_that_fails_is_one_line_and_exit_code_1(show):
    error = RuntimeError("CUDA error: no kernel image is available\nfor execution on the device")
    code, output = show(WITH_GPU, "--bench", bench=error)

    assert code == 1
    assert output.splitlines()[-1] == (
        "bench failed: CUDA error: no kernel image is available for execution on the device"
    )


def test_json_has_all_facts_and_the_benchmark(show):
    code, output = show(WITH_GPU, "--bench", "--json")
    content = json.loads(output)

    assert code == 0
    assert len(content["hub_models"]) == 6
    assert content["torch"]["accelerators"][1]["memory"] == 24 * 10**9
    assert content["bench"]["speed"]["share_of_matmul"] == 0.05
    assert content["bench"]["deviation"]["is_within"] is True


def test_json_stays_valid_where_a_score_is_missing(show):
    wrong = replace(BENCH, deviation=Deviation(float("nan"), 5e-3, {"torch": "2.13.0"}))
    code, output = show(WITH_GPU, "--bench", "--json", bench=wrong)
    found = json.loads(output, parse_constant=pytest.fail)["bench"]["deviation"]

    assert code == 1
    assert (found["largest"], found["is_within"]) == (None, False)


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        pytest.param("/home/al/x", "~/x", id="below the home folder"),
        pytest.param("in '/home/al'", "in '~'", id="the home folder"),
        pytest.param("/home/alice/x", "/home/alice/x", id="a longer name"),
        pytest.param("/scratch/al/x", "/scratch/USER/x", id="elsewhere"),
        pytest.param("/scratch/al: none", "/scratch/USER: none", id="at the end of a path"),
    ],
)
def test_the_name_of_the_user_is_not_shown(monkeypatch, path, shown):
    monkeypatch.setenv("HOME", "/home/al")

    assert without_user(path) == shown


def test_a_user_whose_home_is_the_root_folder_sees_paths_as_they_are(monkeypatch):
    monkeypatch.setenv("HOME", "/")

    assert without_user("/opt/x") == "/opt/x"


@pytest.mark.parametrize("option", ["--model=minilm", "--device=cpu", "--precision=float16"])
def test_options_of_the_benchmark_need_it(capsys, option):
    assert main(["doctor", option]) == 2
    assert "add --bench" in capsys.readouterr().err


def test_slow_work_is_announced_and_quick_work_is_not(monkeypatch, capsys):
    monkeypatch.setattr(doctor, "PATIENCE", 0.01)
    slow = ""

    def is_announced():
        nonlocal slow
        slow += capsys.readouterr().err
        return slow

    with doctor.patience("importing torch"):
        wait_until(is_announced)
    monkeypatch.setattr(doctor, "PATIENCE", 60.0)
    with doctor.patience("importing torch"):
        pass

    assert slow == "… importing torch\n"
    assert capsys.readouterr().err == ""


def test_a_real_machine_is_shown_and_nothing_is_written(folder, capsys):
    code = main(["doctor", "--json"])
    content = json.loads(capsys.readouterr().out)

    assert code == (1 if content["broken"] else 0)
    assert content["cache"]["path"] == ".shakeproof/scores.sqlite"
    assert not list(folder.iterdir())
