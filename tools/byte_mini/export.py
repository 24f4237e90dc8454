"""Write a trained model to a folder that transformers can load."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from safetensors.torch import save_file

TOKENIZER = {
    "tokenizer_class": "ByT5Tokenizer",
    "extra_ids": 125,
    "model_max_length": 2048,
    "pad_token": "<pad>",
    "eos_token": "</s>",
    "unk_token": "<unk>",
}


def export(student: Any, folder: Path) -> str:  # noqa: ANN401
    """Write configuration, tokenizer and weights as float16; return the weights' sha256."""
    folder.mkdir(parents=True, exist_ok=True)
    weights = {name: value.half().contiguous() for name, value in student.state_dict().items()}
    path = folder / "model.safetensors"
    save_file(weights, path, metadata={"format": "pt"})  # more metadata would have no fixed order
    path.chmod(0o644)
    config = {
        **student.config.to_diff_dict(),
        "architectures": ["BertModel"],
        "dtype": "float16",
        "tokenizer_class": TOKENIZER["tokenizer_class"],
    }
    config.pop("transformers_version", None)
    _write(folder / "config.json", config)
    _write(folder / "tokenizer_config.json", TOKENIZER)
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _write(path: Path, content: dict[str, Any]) -> None:
    path.write_text(json.dumps(content, indent=2, sort_keys=True) + "\n", "utf-8")
