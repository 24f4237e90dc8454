"""Runs in MLflow: the calls that are made, and what MLflow itself has of them if it is there."""

import builtins
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from built_runs import demo, many_results, wrap

import shakeproof
from shakeproof.errors import SpecError
from shakeproof.results import Outcome
from shakeproof.runs.archive import as_json


class Recorder:
    """A stand-in for mlflow that keeps what it is called with, in parts as large as MLflow's."""

    def __init__(self, *, active=False):
        self.metrics, self.params, self.tags, self.texts = {}, {}, {}, {}
        self.run = SimpleNamespace(info=SimpleNamespace(run_id="r1"))
        self.active, self.started = active, []

    def active_run(self):
        return self.run if self.active else None

    def start_run(self, run_name):
        self.started.append(run_name)
        return self

    def __enter__(self):
        return self.run

    def __exit__(self, *_):
        self.started.append("ended")

    def log_metrics(self, values):
        assert len(values) <= 1000
        assert all(isinstance(value, float) for value in values.values())
        self.metrics |= values

    def log_params(self, values):
        assert len(values) <= 100
        self.params |= values

    def set_tags(self, values):
        assert len(values) <= 100
        self.tags |= values

    def log_text(self, text, name):
        self.texts[name] = text


@pytest.fixture
def recorder(monkeypatch):
    recorder = Recorder()
    monkeypatch.setitem(sys.modules, "mlflow", recorder)
    return recorder


def test_every_estimate_is_a_metric(recorder):
    run = demo()
    result = next(r for r in run.results if r.estimate and len(r.parts) > 1)

    assert shakeproof.log_mlflow(run) == "r1"
    name = f"shakeproof/{'/'.join(result.id.split('::')[-3:])}".replace("'", "-")
    values = [v for key, v in recorder.metrics.items() if name in key and key.endswith("/value")]
    assert result.estimate.value in values
    assert recorder.started == [run.checklists[0].title, "ended"]
    assert recorder.metrics["shakeproof/outcomes/failed"] == sum(
        result.outcome is Outcome.FAILED for result in run.results
    )
    estimates = [
        estimate.value
        for result in run.results
        for estimate in (result.estimate, *(part.estimate for part in result.parts))
        if estimate and estimate.value is not None
    ]
    assert sorted(estimates) == sorted(
        value
        for key, value in recorder.metrics.items()
        if "/outcomes/" not in key and not key.endswith(("/low", "/high"))
    )


def test_settings_are_parameters_and_outcomes_are_tags(recorder):
    run = demo()
    shakeproof.log_mlflow(run)

    signatures = {value for key, value in recorder.params.items() if "signature/" in key}
    assert run.checklists[0].metrics[0].signature in signatures
    outcomes = [value for key, value in recorder.tags.items() if key.startswith("shakeproof/outc")]
    assert sorted(outcomes) == sorted(result.outcome.value for result in run.results)


def test_the_artifacts_are_page_run_and_table(recorder):
    run = demo()
    shakeproof.log_mlflow(run)

    assert set(recorder.texts) == {
        f"shakeproof/{name}" for name in ("report.html", "run.json", "estimates.csv")
    }
    assert recorder.texts["shakeproof/run.json"] == as_json(run)


def test_artifacts_can_be_left_out(recorder):
    shakeproof.log_mlflow(demo(), artifacts=False)

    assert not recorder.texts


def test_the_active_run_is_used_and_not_ended(monkeypatch):
    recorder = Recorder(active=True)
    monkeypatch.setitem(sys.modules, "mlflow", recorder)
    shakeproof.log_mlflow(demo(), artifacts=False)

    assert recorder.metrics
    assert recorder.started == []


def test_names_are_those_that_mlflow_accepts_and_none_is_lost(recorder):
    results = [
        result.model_copy(update={"id": f"a.yaml::deep::does {sign}it hold?::{'x' * 300}"})
        for sign, result in zip("?!(é", many_results(4), strict=True)
    ]
    shakeproof.log_mlflow(wrap(results), artifacts=False)

    names = [*recorder.metrics, *recorder.params, *recorder.tags]
    assert all(len(name) <= 250 and name.isascii() for name in names)
    assert not any(set(name) & set("?!()") for name in names)
    assert sum("outcome/deep" in name for name in recorder.tags) == 4


def test_a_long_run_is_logged_in_parts(recorder):
    shakeproof.log_mlflow(wrap(many_results(500)), artifacts=False)

    assert len(recorder.metrics) > 1000


def test_without_mlflow_a_line_says_what_to_install(monkeypatch):
    usual = builtins.__import__

    def without(name, *arguments):
        if name == "mlflow":
            raise ImportError(name)
        return usual(name, *arguments)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(SpecError, match="pip install mlflow-skinny"):
        shakeproof.log_mlflow(demo())


@pytest.mark.filterwarnings("default")
def test_mlflow_has_what_was_logged(tmp_path, monkeypatch):
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")  # mlflow-skinny has no database
    mlflow = pytest.importorskip("mlflow", reason="mlflow is not installed (57 MB)")
    mlflow.set_tracking_uri((tmp_path / "mlruns").as_uri())
    run = demo()
    logged = mlflow.get_run(shakeproof.log_mlflow(run))

    assert logged.data.metrics["shakeproof/outcomes/failed"] > 0
    assert len(logged.data.metrics) > 2 * len(run.results)
    assert logged.data.params["shakeproof/checklist"] == run.checklists[0].title
    folder = Path(logged.info.artifact_uri.removeprefix("file://")) / "shakeproof"
    assert (folder / "report.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
