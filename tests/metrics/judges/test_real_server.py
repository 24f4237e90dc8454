"""A real OpenAI-compatible server, `transformers serve`, with a tiny model made on the spot.

A model with random weights never answers in JSON. What is tested is that the server understands
the requests and that its answers are counted: nothing but the form of the answers is wrong. It
needs `pip install accelerate fastapi openai uvicorn`, and is skipped without.
"""

import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from importlib.util import find_spec
from pathlib import Path

import pytest

from shakeproof.metrics.protocols import Instance

NEEDED = ("torch", "transformers", "accelerate", "fastapi", "uvicorn", "openai")
MISSING = [name for name in NEEDED if find_spec(name) is None]
SERVE = Path(sys.executable).with_name("transformers")
TEMPLATE = "{% for message in messages %}{{ message.content }}\n{% endfor %}"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)}"),
    pytest.mark.skipif(not SERVE.exists(), reason="no program transformers beside Python"),
]


def save_model(folder):
    """Save a language model of single bytes with random weights."""
    import torch
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast

    signs = ["<end>", *sorted(pre_tokenizers.ByteLevel.alphabet())]
    tokenizer = Tokenizer(models.BPE({sign: at for at, sign in enumerate(signs)}, []))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    fast = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, eos_token="<end>", pad_token="<end>", chat_template=TEMPLATE
    )
    fast.save_pretrained(folder)
    torch.manual_seed(0)
    config = GPT2Config(
        vocab_size=len(signs), n_positions=4096, n_embd=16, n_layer=2, n_head=2,
        bos_token_id=0, eos_token_id=0, pad_token_id=0,
    )  # fmt: skip
    GPT2LMHeadModel(config).save_pretrained(folder)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """The address of the server and the name of its model."""
    folder = tmp_path_factory.mktemp("judge")
    save_model(folder / "tiny")
    port, log = free_port(), folder / "server.log"
    command = [str(SERVE), "serve", str(folder / "tiny"), "--host", "127.0.0.1"]
    with log.open("w") as output:
        process = subprocess.Popen(
            [*command, "--port", str(port), "--device", "cpu"],
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    try:
        wait_for(f"http://127.0.0.1:{port}/health", process, log)
        yield f"http://127.0.0.1:{port}/v1", str(folder / "tiny")
    finally:
        process.terminate()
        process.wait(30)


def wait_for(url, process, log):
    limit = time.monotonic() + 120
    while time.monotonic() < limit:
        if process.poll() is not None:
            pytest.fail(f"transformers serve does not start: {log.read_text()[-300:]}")
        try:
            with urllib.request.urlopen(url, timeout=2):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.3)
    pytest.fail(f"transformers serve does not answer: {log.read_text()[-300:]}")


def test_a_real_server_understands_the_questions_and_its_answers_are_counted(judge, served):
    url, model = served
    judged = judge(url, model=model, format="none", max_tokens=8, concurrency=2, timeout=120)
    rated = [Instance(f"Bus {number} is late.") for number in range(4)]
    judged.rate(rated)
    reasons = [*judged.failures, *judged.errors.values()]
    (by_model,) = judged.engine.used().values()
    (usage,) = by_model.values()

    assert reasons
    assert all("does not fit" in reason or "cut off" in reason for reason in reasons), reasons
    assert "tiny" in next(iter(by_model))
    assert 4 <= usage.calls <= 8
    assert usage.input_tokens > 4 * 100
    assert 0 < usage.output_tokens <= 8 * usage.calls


def test_a_real_server_says_that_a_model_is_not_there(judge, served):
    url, _ = served
    judged = judge(f"{url}/nowhere", model="no-such-model")
    judged.rate([Instance("Bus 1 is late.")])

    assert "HTTP 404" in judged.error
