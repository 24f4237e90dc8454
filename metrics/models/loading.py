"""Loading of models and tokenizers: quietly, from local files, without running code of theirs."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from shakeproof.metrics.models.devices import require_device, torch_dtype
from shakeproof.metrics.models.files import ModelFiles, fetch

LOCAL_AND_SAFE = {"local_files_only": True, "trust_remote_code": False}


def load_for_inference(
    files: ModelFiles, device: str, precision: str, *, decodes: bool = False
) -> tuple[Any, Any]:
    """Load (tokenizer, model): an encoder, or with `decodes` a sequence-to-sequence model."""
    import transformers

    require_device(device)
    fetch(files)
    with _quiet(transformers):
        tokenizer = transformers.AutoTokenizer.from_pretrained(files.folder, **LOCAL_AND_SAFE)
        if decodes:
            kind = transformers.AutoModelForSeq2SeqLM
            model = kind.from_pretrained(files.folder, **LOCAL_AND_SAFE)
        else:
            model = _load_encoder(transformers, files)
    return tokenizer, model.to(device=device, dtype=torch_dtype(precision)).eval()


def _load_encoder(transformers: Any, files: ModelFiles) -> Any:  # noqa: ANN401  # untyped
    """Load an encoder; of a model that also decodes, only its encoder."""
    config = transformers.AutoConfig.from_pretrained(files.folder, **LOCAL_AND_SAFE)
    encodes = type(config) in transformers.MODEL_FOR_TEXT_ENCODING_MAPPING
    kind = transformers.AutoModelForTextEncoding if encodes else transformers.AutoModel
    model = kind.from_pretrained(files.folder, **LOCAL_AND_SAFE)
    return model.get_encoder() if hasattr(model, "decoder") else model


@contextmanager
def _quiet(transformers: Any) -> Iterator[None]:  # noqa: ANN401  # a module
    """Keep progress bars, reports and warnings of loading out of pytest's output."""
    logging = transformers.utils.logging
    level, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.set_verbosity(level)
        if bars:
            logging.enable_progress_bar()
