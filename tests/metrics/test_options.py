"""What options of all kinds of metrics have in common."""

import pytest

from shakeproof.metrics.models.layers import neighbour_layer
from shakeproof.metrics.registry import METRICS
from shakeproof.metrics.settings import Settings

OFFLINE = Settings(offline=True)


@pytest.mark.parametrize(
    "kind", [kind for kind, options in METRICS.items() if "lowercase" in options.model_fields]
)
def test_a_metric_that_ignores_case_has_a_cased_variant(kind):
    options = METRICS[kind](lowercase=True)

    assert options.variants(OFFLINE) == {"cased variant": METRICS[kind](lowercase=False)}
    assert METRICS[kind]().variants(OFFLINE) == {}


@pytest.mark.model
@pytest.mark.parametrize("kind", ["bertscore", "bertscore-free", "moverscore"])
@pytest.mark.parametrize(
    ("layer", "neighbour"),
    [pytest.param("last", 5, id="last of 6"), pytest.param("first", 2, id="first")],
)
def test_a_metric_with_layers_has_a_variant_one_layer_off(kind, layer, neighbour, minilm):
    (variant,) = METRICS[kind](layer=layer).variants(OFFLINE).values()

    assert variant == METRICS[kind](layer=neighbour)


def test_a_mean_over_layers_has_no_neighbour():
    assert neighbour_layer("mean") is None
