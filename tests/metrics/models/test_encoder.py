"""An encoder gives the same vectors whatever layers, batches and neighbours are asked for."""

from concurrent.futures import ThreadPoolExecutor
from threading import get_ident

import numpy as np
import pytest

from shakeproof.metrics.models import batches
from shakeproof.metrics.models.devices import inference
from shakeproof.metrics.models.encoder import MEAN, Encoder, load_encoder
from shakeproof.metrics.models.tokens import token_limit

TEXTS = ["ab", "hello", "hello world", "a b c d e f g h", "the cat sat on the mat, did it not?"]
LAYERED = [
    "albert",
    "bart",
    "bert",
    "byt5",
    "deberta",
    "deberta-v2",
    "distilbert",
    "electra",
    "gpt2",
    "mbart",
    "modernbert",
    "mpnet",
    "roberta",
    "xlm",
    "xlm-roberta",
    "xlnet",
]


def load(model_files) -> Encoder:
    return load_encoder(model_files, "cpu", "float32")


def tokens_of(encoder, texts=TEXTS):
    return sorted(encoder.tokenize(texts), key=len)


def vectors(encoder, states, texts=TEXTS):
    embedded = encoder.embed(tokens_of(encoder, texts), states)
    return [embedded.vectors[state].numpy() for state in states]


@pytest.mark.parametrize("kind", LAYERED)
def test_a_layer_alone_equals_that_layer_among_all(tiny, kind):
    encoder = load(tiny(kind))
    states = [(layer, True) for layer in range(encoder.layer_count + 1)]
    together = vectors(encoder, states)
    alone = [vectors(encoder, [state])[0] for state in states]

    np.testing.assert_allclose(together, alone, atol=1e-6)


@pytest.mark.parametrize("kind", LAYERED)
def test_the_last_layer_is_the_output_of_the_whole_model(tiny, kind):
    import torch

    encoder = load(tiny(kind))
    (found,) = vectors(encoder, [(encoder.layer_count, True)], ["hello world"])
    with torch.no_grad():
        tokens = torch.tensor(encoder.tokenize(["hello world"]))
        output = encoder.model(tokens, attention_mask=torch.ones_like(tokens))
    expected = torch.nn.functional.normalize(output.last_hidden_state[0], dim=-1)

    np.testing.assert_allclose(found, expected.numpy(), atol=1e-6)


@pytest.mark.parametrize("kind", sorted({*LAYERED} - {"albert", "xlm"}))
def test_a_pass_stops_at_the_highest_layer_needed_and_leaves_the_model_whole(tiny, kind):
    encoder = load(tiny(kind))
    layers = encoder.layer_cut.layer_list.layers
    ran = set()
    hooks = [
        layer.register_forward_hook(lambda *_, number=number: ran.add(number))
        for number, layer in enumerate(layers)
    ]
    vectors(encoder, [(0, True), (1, True)])
    for hook in hooks:
        hook.remove()
    layer_list = encoder.layer_cut.layer_list

    assert ran == {0}
    assert getattr(layer_list.owner, layer_list.name) is layers


def test_a_pass_that_fails_leaves_the_model_whole(tiny, monkeypatch):
    encoder = load(tiny("bert"))
    expected = vectors(encoder, [(3, True)])

    def broken(self, batch, **options):
        raise RuntimeError("shape mismatch")

    with monkeypatch.context() as patch:
        patch.setattr(Encoder, "_run", broken)
        with pytest.raises(RuntimeError, match="shape mismatch"):
            vectors(encoder, [(1, True)])

    np.testing.assert_array_equal(vectors(encoder, [(3, True)]), expected)


@pytest.mark.parametrize(
    ("kind", "normed"),
    [("bert", False), ("roberta", False), ("byt5", True), ("modernbert", True), ("mbart", True)],
)
def test_a_norm_after_the_last_layer_is_found(tiny, kind, normed):
    encoder = load(tiny(kind))

    assert (encoder.layer_cut.final_norm is not None) is normed


def test_the_mean_state_is_the_mean_of_what_the_model_shows(tiny):
    import torch

    encoder = load(tiny("byt5"))
    (found,) = vectors(encoder, [MEAN], ["hello"])
    with torch.no_grad():
        ids = torch.tensor(encoder.tokenize(["hello"]))
        states = encoder.model(ids, output_hidden_states=True).hidden_states
    expected = torch.nn.functional.normalize(torch.stack(states).mean(0)[0], dim=-1)

    np.testing.assert_allclose(found, expected.numpy(), atol=1e-6)


@pytest.mark.parametrize("kind", LAYERED)
@pytest.mark.parametrize("budget", [1, 40, 10_000])
def test_batches_of_any_size_give_the_same_vectors(tiny, kind, budget, monkeypatch):
    encoder = load(tiny(kind))
    states = [(1, True), (encoder.layer_count, True)]
    monkeypatch.setattr(encoder, "budget", 7)
    expected = vectors(encoder, states)
    monkeypatch.setattr(encoder, "budget", budget)

    np.testing.assert_allclose(vectors(encoder, states), expected, atol=2e-6)


def test_inner_layers_of_canine_are_refused(tiny):
    encoder = load(tiny("canine"))

    with pytest.raises(
        ValueError, match="layer 2 of this model has no vector for each token; use layer: last"
    ):
        vectors(encoder, [(2, True)])


@pytest.mark.parametrize(
    "message",
    [
        "CUDA out of memory. Tried",
        "CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`",
        "DefaultCPUAllocator: can't allocate memory",
    ],
)
def test_running_out_of_memory_halves_the_batches_and_goes_on(tiny, monkeypatch, message):
    encoder = load(tiny("bert"))
    expected = vectors(encoder, [(2, True)])
    monkeypatch.setattr(encoder, "budget", 1000)
    sizes, run = [], Encoder._run

    def short_of_memory(self, batch, **options):
        sizes.append(len(batch))
        if len(batch) > 1:
            raise RuntimeError(message)
        return run(self, batch, **options)

    monkeypatch.setattr(Encoder, "_run", short_of_memory)
    found = vectors(encoder, [(2, True)])

    np.testing.assert_allclose(found, expected, atol=1e-6)
    assert sizes[0] == 5
    assert sizes[-1] == 1
    assert encoder.budget < 100


@pytest.fixture
def two_threads(monkeypatch):
    """Let texts, few as they are, be encoded by two threads."""
    import torch

    monkeypatch.setattr(batches, "MIN_BATCH_TOKENS", 1)
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    yield
    torch.set_num_threads(before)


@pytest.mark.parametrize("kind", LAYERED)
def test_threads_give_the_vectors_of_one_thread(tiny, kind, two_threads, monkeypatch):
    import torch

    encoder = load(tiny(kind))
    monkeypatch.setattr(encoder, "budget", 10)
    states = [(0, True), (1, True), (encoder.layer_count, True)]
    threads, run = set(), Encoder._run

    def noted(self, batch, **options):
        threads.add((get_ident(), torch.get_num_threads()))
        return run(self, batch, **options)

    monkeypatch.setattr(Encoder, "_run", noted)
    found = vectors(encoder, states)
    torch.set_num_threads(1)
    expected = vectors(encoder, states)

    assert np.array_equal(found, expected)  # to the last digit
    assert {number for _, number in threads} == {1}
    assert (get_ident(), 1) in threads  # the second time
    assert len(threads) > 1


def test_threads_leave_the_number_of_threads_as_it_was(tiny, two_threads):
    import torch

    vectors(load(tiny("bert")), [(2, True)])

    assert torch.get_num_threads() == 2
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(torch.get_num_threads).result() == 2


def test_what_does_not_fit_side_by_side_is_done_one_by_one(tiny, two_threads, monkeypatch):
    encoder = load(tiny("bert"))
    expected = vectors(encoder, [(2, True)])
    main, run = get_ident(), Encoder._run

    def short_of_memory(self, batch, **options):
        if get_ident() != main:
            raise RuntimeError("not enough memory: you tried to allocate")
        return run(self, batch, **options)

    monkeypatch.setattr(Encoder, "_run", short_of_memory)

    np.testing.assert_allclose(vectors(encoder, [(2, True)]), expected, atol=1e-6)


def test_an_error_in_a_thread_is_raised(tiny, two_threads, monkeypatch):
    def broken(self, batch, **options):
        raise RuntimeError("shape mismatch")

    monkeypatch.setattr(Encoder, "_run", broken)

    with pytest.raises(RuntimeError, match="shape mismatch"):
        vectors(load(tiny("bert")), [(2, True)])


def test_one_text_beyond_memory_is_an_error(tiny, monkeypatch):
    encoder = load(tiny("bert"))

    def no_memory(self, batch, **options):
        raise RuntimeError("out of memory")

    monkeypatch.setattr(Encoder, "_run", no_memory)

    with pytest.raises(RuntimeError, match="out of memory"):
        vectors(encoder, [(1, True)], ["hello"])


def test_other_errors_are_not_taken_for_a_lack_of_memory(tiny, monkeypatch):
    encoder = load(tiny("bert"))

    def broken(self, batch, **options):
        raise RuntimeError("shape mismatch")

    monkeypatch.setattr(Encoder, "_run", broken)

    with pytest.raises(RuntimeError, match="shape mismatch"):
        vectors(encoder, [(1, True)])


def test_global_settings_of_torch_are_as_before(tiny):
    import torch

    before = torch.get_float32_matmul_precision(), torch.get_num_threads()
    with inference("tf32"):
        inside = torch.get_float32_matmul_precision(), torch.is_grad_enabled()

    assert inside == ("high", False)
    assert (torch.get_float32_matmul_precision(), torch.get_num_threads()) == before
    assert torch.is_grad_enabled()


def test_loading_prints_nothing(tiny, capfd):
    load_encoder.__wrapped__(tiny("bert"), "cpu", "float32")

    assert capfd.readouterr() == ("", "")


def test_bfloat16_is_close_to_float32(tiny):
    model_files = tiny("bert")
    exact = vectors(load(model_files), [(3, True)])
    rough = vectors(load_encoder(model_files, "cpu", "bfloat16"), [(3, True)])

    np.testing.assert_allclose(rough, exact, atol=0.05)
    assert not np.allclose(rough, exact, atol=1e-6)


@pytest.mark.parametrize(
    ("kind", "limit"), [("bert", 512), ("roberta", 510), ("xlnet", 512), ("byt5", 512)]
)
def test_texts_are_cut_off_at_the_limit_of_the_model(tiny, kind, limit):
    encoder = load(tiny(kind))
    (tokens,) = encoder.tokenize(["a " * 5_000])
    cut, *none = encoder.count_overflow(["a " * 5_000, "a", ""])

    assert len(tokens) == limit
    assert cut > 4_000
    assert none == [0, 0]


def test_a_model_without_a_limit_takes_everything(tiny, monkeypatch):
    encoder = load(tiny("byt5"))
    encoder.tokenizer.model_max_length, before = int(1e30), encoder.tokenizer.model_max_length
    monkeypatch.setattr(encoder, "limit", token_limit(encoder.tokenizer, encoder.model))
    encoder.tokenizer.model_max_length = before

    assert len(encoder.tokenize(["a" * 10_000])[0]) == 10_001
