"""Small models with random weights, made on the spot: real architectures, no downloads."""

import string
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

from shakeproof.metrics.models.files import ModelFiles, find_model

SMALL = {
    "hidden_size": 16,
    "num_hidden_layers": 3,
    "num_attention_heads": 2,
    "intermediate_size": 32,
    "vocab_size": 400,
}
HALVES = {
    "d_model": 16,
    "encoder_layers": 3,
    "decoder_layers": 1,
    "encoder_ffn_dim": 32,
    "decoder_ffn_dim": 32,
    "encoder_attention_heads": 2,
    "decoder_attention_heads": 2,
    "vocab_size": 400,
    "pad_token_id": 0,
}
T5 = {"d_model": 16, "num_layers": 3, "num_decoder_layers": 1, "d_ff": 32, "num_heads": 2}
MODELS: dict[str, tuple[str, dict]] = {
    "albert": ("Albert", {**SMALL, "embedding_size": 8}),
    "bart": ("Bart", HALVES),
    "bert": ("Bert", SMALL),
    "byt5": ("T5", {**T5, "d_kv": 8, "vocab_size": 400}),
    "byt5-decoding": ("T5", {**T5, "d_kv": 8, "vocab_size": 400, "decoder_start_token_id": 0}),
    "canine": ("Canine", {**SMALL, "num_hash_buckets": 64}),
    "deberta": ("Deberta", {**SMALL, "relative_attention": True, "pos_att_type": "c2p|p2c"}),
    "deberta-v2": ("DebertaV2", {**SMALL, "relative_attention": True, "conv_kernel_size": 3}),
    "distilbert": ("DistilBert", {"dim": 16, "n_layers": 3, "n_heads": 2, "hidden_dim": 32}),
    "electra": ("Electra", {**SMALL, "embedding_size": 8}),
    "gpt2": ("GPT2", {"n_embd": 16, "n_layer": 3, "n_head": 2, "vocab_size": 400}),
    "mbart": ("MBart", HALVES),
    "modernbert": ("ModernBert", {**SMALL, "pad_token_id": 0}),
    "mpnet": ("MPNet", SMALL),
    "roberta": ("Roberta", SMALL),
    "xlm": ("XLM", {"emb_dim": 16, "n_layers": 3, "n_heads": 2}),
    "xlm-roberta": ("XLMRoberta", SMALL),
    "xlnet": ("XLNet", {"d_model": 16, "n_layer": 3, "n_head": 2, "d_inner": 32}),
}
WORD_PIECES = ("albert", "bert", "deberta", "deberta-v2", "distilbert", "electra", "modernbert")
LIMIT = 512


def word_pieces(transformers):
    """A tokenizer of single letters, as BERT cuts words that it does not know."""
    specials = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    signs = [*string.ascii_lowercase, *string.digits, *string.punctuation]
    numbers = {sign: i for i, sign in enumerate([*specials, *signs, *("##" + s for s in signs)])}
    return transformers.BertTokenizer(vocab=numbers, model_max_length=LIMIT)


def byte_pairs(transformers, *, spaced=True):
    """A tokenizer of single bytes, as RoBERTa cuts words that it does not know."""
    from tokenizers.pre_tokenizers import ByteLevel

    signs = ["<s>", "<pad>", "</s>", "<unk>", "<mask>", *sorted(ByteLevel.alphabet())]
    numbers = {sign: i for i, sign in enumerate(signs)}
    return transformers.RobertaTokenizer(
        vocab=numbers, merges=[], add_prefix_space=spaced, model_max_length=LIMIT
    )


def tokenizer_for(kind, transformers):
    if kind.startswith("byt5"):
        return transformers.ByT5Tokenizer(model_max_length=LIMIT)
    if kind == "canine":
        return transformers.CanineTokenizer(model_max_length=LIMIT)
    return word_pieces(transformers) if kind in WORD_PIECES else byte_pairs(transformers)


@pytest.fixture(scope="session")
def rate():
    """Rate one instance by a metric, without engine or cache."""

    def rate(metric, instance):
        scores = [scorer.score([texts])[0] for scorer, texts in metric.needs(instance)]
        return metric.combine(instance, scores)

    return rate


@pytest.fixture(autouse=True)
def one_thread_for_small_models(request):
    """Compute with one thread: small models gain nothing from more, and wait for each other."""
    if "tiny" not in request.fixturenames:
        yield
        return
    torch = pytest.importorskip("torch")
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="session")
def tiny(tmp_path_factory) -> Callable[[str], ModelFiles]:
    """Make a small model of an architecture, once, and say where it is."""
    transformers = pytest.importorskip("transformers")
    torch = pytest.importorskip("torch")
    folder = tmp_path_factory.mktemp("models")

    def make(kind: str) -> ModelFiles:
        if not (folder / kind).exists():
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # DeBERTa's module uses what torch deprecates
                save(kind, folder / kind, transformers, torch)
        return find_model(str(folder / kind), offline=True)

    return make


def save(kind, path, transformers, torch):
    """Save a model with random weights; fresh norms are all alike, which would hide mistakes."""
    name, options = MODELS[kind]
    config = getattr(transformers, f"{name}Config")(**options)
    model = getattr(transformers, f"{name}Model")(config)
    torch.manual_seed(len(kind))
    for parameter in model.parameters():
        noise = torch.randn_like(parameter) * 0.3
        parameter.data = parameter.data + noise if parameter.dim() == 1 else noise
    model.save_pretrained(path)
    tokenizer_for(kind, transformers).save_pretrained(path)


@pytest.fixture(scope="session")
def minilm_files(minilm) -> ModelFiles:
    """Where MiniLM's real weights are."""
    return find_model(str(Path(minilm)), offline=True)
