"""Operations are counted as torch counts them."""

import warnings

import pytest

from shakeproof.metrics.models.files import read_config
from shakeproof.metrics.models.loading import load_for_inference
from shakeproof.metrics.models.operations import LayerShape, count_operations, layer_shape

LENGTH, LAYERS, WIDTH = 9, 3, 16
POOLER = 2 * WIDTH * WIDTH  # BERT's head over the first token, which no score needs
POSITIONS = LAYERS * 2 * 2 * 2 * LENGTH * WIDTH * WIDTH  # DeBERTa's, once for a batch


@pytest.mark.parametrize(
    ("kind", "uncounted"),
    [
        pytest.param("bert", POOLER, id="BERT"),
        pytest.param("roberta", POOLER, id="RoBERTa"),
        pytest.param("byt5", 0, id="T5"),
        pytest.param("deberta", POSITIONS, id="DeBERTa"),
        pytest.param("bart", 0, id="the encoder of BART"),
    ],
)
def test_operations_are_those_that_torch_counts(tiny, kind, uncounted):
    import torch
    from torch.utils.flop_counter import FlopCounterMode

    files = tiny(kind)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # DeBERTa's module uses what torch deprecates
        _, model = load_for_inference(files, "cpu", "float32")
    model.set_attn_implementation("eager")
    tokens = torch.arange(10, 10 + LENGTH)[None]
    with FlopCounterMode(display=False) as counter:
        model.requires_grad_(False)(input_ids=tokens, attention_mask=torch.ones_like(tokens))
    counted = count_operations(layer_shape(read_config(files)), LAYERS, [LENGTH])

    assert counted + uncounted == counter.get_total_flops()


def test_a_gated_feed_forward_has_three_products():
    config = {"model_type": "t5", "d_model": 4, "d_ff": 8, "num_heads": 2, "d_kv": 3}
    gated = layer_shape({**config, "feed_forward_proj": "gated-gelu"})

    assert layer_shape(config).weights == 4 * 4 * 6 + 2 * 4 * 8
    assert gated.weights == 4 * 4 * 6 + 3 * 4 * 8


@pytest.mark.parametrize("config", [{}, {"model_type": "canine", "hidden_size": 4}])
def test_other_models_have_no_known_number_of_operations(config):
    assert layer_shape(config) is None


def test_no_texts_need_no_operations():
    assert count_operations(LayerShape(4, 4, 8), 3, []) == 0
