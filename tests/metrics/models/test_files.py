"""Models are found, and known by their content, without being loaded."""

import json
import subprocess
import sys
from functools import partial
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from socketserver import BaseRequestHandler, ThreadingTCPServer
from threading import Thread

import pytest

from shakeproof.metrics.models import files
from shakeproof.metrics.models.files import (
    MINILM_SHA256,
    ModelFiles,
    ModelNotFound,
    WrongWeights,
    find_model,
    layer_count,
    tokenizer_sha256,
    weights_sha256,
)
from shakeproof.metrics.models.layers import BEST, resolve_layer


@pytest.fixture
def folder(tmp_path):
    """A folder that looks like a model."""
    path = tmp_path / "mine"
    path.mkdir()
    (path / "config.json").write_text('{"num_hidden_layers": 12}', "utf-8")
    (path / "model.safetensors").write_bytes(b"weights")
    (path / "vocab.txt").write_text("a\nb\n", "utf-8")
    return path


@pytest.fixture(autouse=True)
def empty_hub(tmp_path, monkeypatch):
    """Keep tests away from the network and from what this machine has downloaded."""
    constants = pytest.importorskip("huggingface_hub.constants")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))


def test_a_folder_is_found_beside_the_checklist(folder):
    assert find_model("mine", folder=folder.parent).folder == folder


def test_a_folder_is_found_by_its_path(folder, tmp_path):
    assert find_model(str(folder), folder=tmp_path / "elsewhere").folder == folder


def test_a_folder_goes_by_its_own_name_and_not_by_its_path(folder):
    assert find_model(str(folder)).title == "mine"


def test_weights_are_known_by_their_sha256(folder):
    assert weights_sha256(find_model(str(folder))) == sha256(b"weights").hexdigest()


def test_changed_files_are_hashed_again(folder):
    model_files = find_model(str(folder))
    before = weights_sha256(model_files), tokenizer_sha256(model_files)
    (folder / "model.safetensors").write_bytes(b"other weights")
    (folder / "vocab.txt").write_text("a\nb\nc\n", "utf-8")

    assert weights_sha256(model_files) != before[0]
    assert tokenizer_sha256(model_files) != before[1]


def test_weights_in_several_files_all_count(folder):
    (folder / "model.safetensors").unlink()
    for number in (1, 2):
        (folder / f"model-0000{number}-of-00002.safetensors").write_bytes(b"part")
    model_files = find_model(str(folder))
    before = weights_sha256(model_files)
    (folder / "model-00002-of-00002.safetensors").write_bytes(b"another part")

    assert weights_sha256(model_files) != before


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "no-such-model",
            "no model 'no-such-model': no such folder, not in the local Hugging Face cache, and "
            "this run is offline; name a folder, or download the model first",
        ),
        (
            "some/such/model",
            "no model 'some/such/model': neither a folder with a config.json nor a name on "
            "the Hugging Face hub; check the path",
        ),
        (
            "../nowhere",
            "no model '../nowhere': neither a folder with a config.json nor a name on "
            "the Hugging Face hub; check the path",
        ),
    ],
)
def test_a_model_that_cannot_be_found_is_an_error_of_one_line(name, message, tmp_path):
    with pytest.raises(ModelNotFound) as caught:
        find_model(name, folder=tmp_path)

    assert str(caught.value) == message


def test_offline_is_respected_without_the_environment(monkeypatch, tmp_path):
    monkeypatch.delenv("HF_HUB_OFFLINE")

    with pytest.raises(ModelNotFound, match="offline"):
        find_model("no-such-model", offline=True, folder=tmp_path)


def test_a_folder_without_weights_is_reported_when_they_are_needed(folder):
    (folder / "model.safetensors").unlink()
    model_files = find_model(str(folder))

    with pytest.raises(ModelNotFound, match=r"no weights in .*mine'"):
        weights_sha256(model_files)


@pytest.mark.model
def test_minilm_is_found_in_its_package():
    model_files = find_model("minilm", offline=True)

    assert weights_sha256(model_files) == MINILM_SHA256
    assert model_files.title == "minilm"
    assert layer_count(model_files) == 6


@pytest.mark.model
def test_a_folder_called_minilm_comes_first_and_is_checked(folder, minilm):
    folder.rename(folder.parent / "minilm")

    with pytest.raises(
        WrongWeights,
        match=r"the weights of 'minilm' in .* but the official ones have 53aa51172d142c89",
    ):
        find_model("minilm", folder=folder.parent)


def test_minilm_is_looked_up_on_the_hub_last(monkeypatch):
    monkeypatch.setattr(files, "MINILM_PACKAGES", {"no_such_package": "model"})

    with pytest.raises(ModelNotFound, match="no model 'minilm'"):
        find_model("minilm", offline=True)


@pytest.mark.parametrize("key", ["num_hidden_layers", "n_layers", "num_layers", "n_layer"])
def test_every_name_for_the_number_of_layers_is_known(folder, key):
    (folder / "config.json").write_text(json.dumps({key: 5}), "utf-8")

    assert layer_count(find_model(str(folder))) == 5


def test_an_encoder_with_a_decoder_counts_its_own_layers(folder):
    config = {"encoder_layers": 6, "decoder_layers": 12, "num_hidden_layers": 12}
    (folder / "config.json").write_text(json.dumps(config), "utf-8")

    assert layer_count(find_model(str(folder))) == 6


@pytest.mark.parametrize(
    ("layer", "number"),
    [("first", 1), ("last", 12), (0, 0), (7, 7), ("mean", "mean"), ("mean-embedding",) * 2],
)
def test_layers_go_by_number_or_name(folder, layer, number):
    assert resolve_layer(layer, find_model(str(folder))) == number


@pytest.mark.parametrize(
    ("name", "layer"),
    [
        ("bert-base-uncased", 9),
        ("google-bert/bert-base-uncased", 9),
        ("roberta-large", 17),
        ("google/byt5-small", 1),
        ("google/byt5-base", 17),
        ("google/byt5-large", 30),
    ],
)
def test_the_best_layer_is_the_published_one(folder, name, layer):
    (folder / "config.json").write_text('{"num_hidden_layers": 36}', "utf-8")

    assert resolve_layer("best", ModelFiles(name, folder, repository=name)) == layer


def test_the_best_layers_are_those_of_bert_score():
    utils = pytest.importorskip("bert_score.utils", reason="the peer is not installed")
    theirs = {name.rpartition("/")[2]: layer for name, layer in utils.model2layers.items()}
    theirs.pop("tiny-mbart")  # a model for tests

    assert theirs == BEST


def test_finding_a_model_imports_nothing_heavy(folder):
    code = (
        "import sys; from shakeproof.metrics.settings import Settings\n"
        "from shakeproof.metrics.bertscore.scorer import BertScoreOptions\n"
        f"metric = BertScoreOptions(model={str(folder)!r}).build({{}}, Settings(device='cpu'))\n"
        "metric.signature\n"
        "print({'torch', 'transformers', 'pandas', 'scipy'} & sys.modules.keys())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "set()"


class Hub(BaseHTTPRequestHandler):
    """As much of the hub as downloading takes."""

    commit = "c" * 40

    def __init__(self, *args, folder, requests):
        self.folder, self.requests = folder, requests
        super().__init__(*args)

    def do_GET(self):
        *_, name = self.path.partition("?")[0].split("/")
        self.requests.append(f"{self.command} {name}")
        if "/api/" in self.path:
            files = [{"rfilename": path.name} for path in sorted(self.folder.iterdir())]
            self.answer(
                json.dumps({"id": "some/model", "sha": self.commit, "siblings": files}).encode()
            )
        elif (self.folder / name).is_file():
            self.answer((self.folder / name).read_bytes())
        else:
            self.send_response(404)
            self.send_header("X-Error-Code", "EntryNotFound")
            self.end_headers()

    do_HEAD = do_GET  # noqa: N815

    def answer(self, body):
        self.send_response(200)
        self.send_header("X-Repo-Commit", self.commit)
        self.send_header("ETag", f'"{sha256(body).hexdigest()}"')
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, *args):
        pass


@pytest.fixture
def hub(folder):
    """A hub on this machine that holds one model; the requests that it got."""
    (folder / "pytorch_model.bin").write_bytes(b"the same weights again")
    requests = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Hub, folder=folder, requests=requests))
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}", requests
    server.shutdown()
    server.server_close()


def on_hub(endpoint, cache, code, **environment):
    names = "ModelNotFound, find_model, weights_sha256"
    program = f"from shakeproof.metrics.models.files import {names}\n{code}"
    variables = {"HF_ENDPOINT": endpoint, "HF_HUB_CACHE": str(cache), "HF_HUB_DISABLE_XET": "1"}
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        env={"PATH": "", **variables, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_model_on_the_hub_is_downloaded_when_it_is_needed(hub, tmp_path):
    endpoint, requests = hub
    found = on_hub(endpoint, tmp_path / "cache", "print(find_model('some/model').folder)")
    first = list(requests)
    code = "print(weights_sha256(find_model('some/model')))"
    hashed = on_hub(endpoint, tmp_path / "cache", code)
    again = on_hub(endpoint, tmp_path / "cache", code, HF_HUB_OFFLINE="1")

    assert Path(found.stdout.strip()).name == Hub.commit
    assert "GET config.json" in first
    assert "GET model.safetensors" not in first
    assert hashed.stdout.strip() == sha256(b"weights").hexdigest()
    assert again.stdout == hashed.stdout
    assert "GET pytorch_model.bin" not in requests
    assert (found.stderr, hashed.stderr, again.stderr) == ("", "", "")


def test_a_hub_that_cannot_be_reached_is_an_error_of_one_line(tmp_path):
    code = "\n".join(
        ["try: find_model('some/model')", "except ModelNotFound as error: print(error)"]
    )
    done = on_hub("http://127.0.0.1:9", tmp_path / "cache", code)

    start = "no model 'some/model': no such folder, and the Hugging Face hub cannot be reached ("
    assert done.stdout.startswith(start)
    assert done.stdout.count("\n") == 1
    assert done.stderr == ""  # the hub's library writes a line for each time it tries again


@pytest.fixture
def broken_hub():
    """A server that closes every connection without an answer; the connections that it got."""
    connections = []

    class Close(BaseRequestHandler):
        def handle(self):
            connections.append(self.client_address)

    server = ThreadingTCPServer(("127.0.0.1", 0), Close)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}", connections
    server.shutdown()
    server.server_close()


def test_a_hub_that_cannot_be_reached_is_asked_once_for_all_models(broken_hub, tmp_path):
    endpoint, connections = broken_hub
    code = "\n".join(
        [
            "for name in ('some/model', 'other/model'):",
            "    try: find_model(name)",
            "    except ModelNotFound as error: print(error)",
        ]
    )
    done = on_hub(endpoint, tmp_path / "cache", code)
    first, second = done.stdout.splitlines()

    assert first.startswith(
        "no model 'some/model': no such folder, and the Hugging Face hub cannot be reached ("
    )
    assert first.endswith("); name a folder, or connect to the network and start again")
    assert second == first.replace("some/model", "other/model")
    assert len(connections) == 1
    assert done.stderr == ""
