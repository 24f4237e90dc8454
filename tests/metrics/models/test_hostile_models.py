"""A model folder of somebody else: its code and its pickles are not executed."""

import json
import pickle
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from shakeproof.metrics.models.files import find_model
from shakeproof.metrics.models.loading import load_for_inference


class Executed:
    """A pickle of it makes a file when it is read."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return Path.touch, (self.path,)


@pytest.fixture
def folder(tiny, tmp_path):
    return Path(shutil.copytree(tiny("bert").folder, tmp_path / "bert"))


def load(folder):
    return load_for_inference(find_model(str(folder), offline=True), "cpu", "float32")


def amend(path, **values):
    content = json.loads(path.read_text("utf-8")) if path.exists() else {}
    path.write_text(json.dumps({**content, **values}), "utf-8")


def test_code_that_a_configuration_names_is_not_executed(folder, tmp_path):
    mark = tmp_path / "executed"
    (folder / "theirs.py").write_text(f"import pathlib\npathlib.Path({str(mark)!r}).touch()\n")
    names = ("AutoConfig", "AutoModel", "AutoModelForTextEncoding")
    amend(folder / "config.json", auto_map={name: f"theirs.{name}" for name in names})
    amend(folder / "tokenizer_config.json", auto_map={"AutoTokenizer": ["theirs.T", "theirs.T"]})
    load(folder)

    assert not mark.exists()


def test_code_of_an_unknown_architecture_is_refused(folder, tmp_path):
    mark = tmp_path / "executed"
    (folder / "theirs.py").write_text(f"import pathlib\npathlib.Path({str(mark)!r}).touch()\n")
    names = ("AutoConfig", "AutoModel")
    auto_map = {name: f"theirs.{name}" for name in names}
    amend(folder / "config.json", model_type="theirs", auto_map=auto_map)
    with pytest.raises(ValueError, match="trust_remote_code"):
        load(folder)

    assert not mark.exists()


@pytest.mark.parametrize("legacy", [True, False], ids=["plain pickle", "torch archive"])
def test_a_pickle_in_place_of_weights_is_not_executed(folder, tmp_path, legacy):
    torch = pytest.importorskip("torch")
    mark = tmp_path / "executed"
    (folder / "model.safetensors").unlink()
    if legacy:
        (folder / "pytorch_model.bin").write_bytes(pickle.dumps(Executed(mark)))
    else:
        torch.save({"weights": Executed(mark)}, folder / "pytorch_model.bin")
    with pytest.raises(Exception):  # noqa: B017, PT011  # whatever torch and transformers raise
        load(folder)

    assert not mark.exists()


SIGNATURE = """
import sys
from pathlib import Path
from shakeproof.metrics.registry import METRICS
from shakeproof.metrics.settings import Settings
settings = Settings(folder=Path(sys.argv[1]), offline=True)
print(METRICS["bertscore"](model="bert", layer="last").build({}, settings).signature)
"""


def test_weights_that_changed_under_the_same_name_have_another_signature(folder):
    """In another process: a process that has loaded a model keeps the model and its signature."""
    command = [sys.executable, "-c", SIGNATURE, str(folder.parent)]
    before = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    weights = folder / "model.safetensors"
    content = bytearray(weights.read_bytes())
    content[-1] ^= 1
    weights.write_bytes(content)
    after = subprocess.run(command, capture_output=True, text=True, check=True).stdout

    assert before.startswith("bertscore")
    assert after != before
