"""A real OpenAI-compatible server, `transformers serve`, with a tiny model made on the spot.

The model is trained for some seconds to give any question the same answer.
"""

import json
import os
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from importlib.util import find_spec
from pathlib import Path

import pytest
from waiting import wait_until

from shakeproof.metrics.protocols import Instance

NEEDED = ("torch", "transformers", "accelerate", "fastapi", "uvicorn", "openai")
MISSING = [name for name in NEEDED if find_spec(name) is None]
SERVE = Path(sys.executable).with_name("transformers")
ASKED, ANSWER = "<asked>", '{"score": 4}'
TEMPLATE = f"{{% for message in messages %}}{{{{ message.content }}}}\n{{% endfor %}}{ASKED}"
STEPS, TEXTS, LENGTH, POSITIONS = 60, 4, 64, 4096
CHECKLIST = """\
data: data.jsonl
language: en
metrics:
  judge:
    judge:
      endpoint: ${JUDGE_URL}
      model: ${JUDGE_MODEL}
      prompt: fluency
      format: none
      repeats: 2
      max_tokens: 8
checks:
  - check: the score is the one that it learned
    expect: {score_range: {low: 4, high: 4}}
  - check: the judge gives the same answer twice
    expect: {stable: {at_most: 0.1, unit: raw}}
"""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)}"),
    pytest.mark.skipif(not SERVE.exists(), reason="no program transformers beside Python"),
]


def save_model(folder):
    """Save a language model of single bytes that has learned to answer."""
    import torch
    from transformers import GPT2Config, GPT2LMHeadModel

    tokenizer = make_tokenizer()
    tokenizer.save_pretrained(folder)
    torch.manual_seed(0)
    config = GPT2Config(
        vocab_size=len(tokenizer), n_positions=POSITIONS, n_embd=16, n_layer=2, n_head=2,
        bos_token_id=0, eos_token_id=0, pad_token_id=0,
    )  # fmt: skip
    model = GPT2LMHeadModel(config)
    train(model, *tokenizer.convert_tokens_to_ids([ASKED, ANSWER]))
    model.save_pretrained(folder)


def make_tokenizer():
    from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    signs = ["<end>", *sorted(pre_tokenizers.ByteLevel.alphabet())]
    tokenizer = Tokenizer(models.BPE({sign: at for at, sign in enumerate(signs)}, []))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_tokens([AddedToken(text, normalized=False) for text in (ASKED, ANSWER)])
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, eos_token="<end>", pad_token="<end>", chat_template=TEMPLATE
    )


def train(model, asked, answer):
    """Teach a model to answer after `asked`, whatever the text before and wherever it stands."""
    import torch

    optimizer = torch.optim.Adam(model.parameters(), 0.02)
    ends = torch.tensor([[asked, answer, 0]] * TEXTS)
    for _ in range(STEPS):
        texts = torch.randint(1, 257, (TEXTS, LENGTH))
        tokens = torch.cat([texts, ends], 1)
        wanted = torch.cat([torch.full((TEXTS, LENGTH + 1), -100), ends[:, 1:]], 1)
        first = torch.randint(0, POSITIONS - tokens.shape[1], (TEXTS, 1))
        positions = first + torch.arange(tokens.shape[1])
        logits = model(tokens, position_ids=positions).logits[:, :-1]
        loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1), wanted[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


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
    def answers():
        if process.poll() is not None:
            pytest.fail(f"transformers serve does not start: {log.read_text()[-300:]}")
        try:
            with urllib.request.urlopen(url, timeout=2):
                return True
        except (urllib.error.URLError, OSError):
            return False

    wait_until(answers)


def test_a_checklist_is_judged_by_a_real_server(served, tmp_path):
    url, model = served
    (tmp_path / "judge.checklist.yaml").write_text(CHECKLIST.replace("${JUDGE_MODEL}", model))
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "judge.checklist.yaml"]
    rows = [{"id": f"{at}", "candidates": [{"text": f"Bus {at} is late."}]} for at in range(30)]
    (tmp_path / "data.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    options = ["--shakeproof-json=run.json", "--shakeproof-report=a.html"]
    done = subprocess.run(
        [*command, *options],
        cwd=tmp_path,
        env={**os.environ, "JUDGE_URL": url},
        capture_output=True,
        text=True,
        check=False,
    )
    run = json.loads((tmp_path / "run.json").read_text("utf-8"))
    verdicts = {result["check"]: result["verdict"] for result in run["results"]}
    (metric,) = run["checklists"][0]["metrics"]
    calls = [answers["run"]["calls"] for answers in metric["usage"]["answers"]]
    tokens = [answers["run"]["output_tokens"] for answers in metric["usage"]["answers"]]

    assert done.returncode == 0, done.stdout
    assert verdicts == {
        "the score is the one that it learned": "pass",
        "the judge gives the same answer twice": "pass",
    }
    assert calls == [30, 30]
    assert all(0 < number <= 3 * count for number, count in zip(tokens, calls, strict=True))
    assert "Judges" in (tmp_path / "a.html").read_text("utf-8")


def test_a_real_server_says_that_a_model_is_not_there(judge, served):
    url, _ = served
    judged = judge(f"{url}/nowhere", model="no-such-model")
    judged.rate([Instance("Bus 1 is late.")])

    assert "HTTP 404" in judged.error
