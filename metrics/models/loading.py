"""How models are loaded: quietly, from local files, and without running code of their own."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from shakeproof.metrics.models.files import ModelFiles

CAREFUL = {"local_files_only": True, "trust_remote_code": False}  # runs no code of a model's own


def load_model(transformers: Any, place: ModelFiles) -> Any:  # noqa: ANN401  # transformers is untyped
    """Load the encoder; of a model that also decodes, only its encoding half."""
    config = transformers.AutoConfig.from_pretrained(place.folder, **CAREFUL)
    encoding = type(config) in transformers.MODEL_FOR_TEXT_ENCODING_MAPPING
    kind = transformers.AutoModelForTextEncoding if encoding else transformers.AutoModel
    model = kind.from_pretrained(place.folder, **CAREFUL)
    return model.get_encoder() if hasattr(model, "decoder") else model


@contextmanager
def quiet(transformers: Any) -> Iterator[None]:  # noqa: ANN401  # a module
    """Keep loading from printing bars, reports and warnings into pytest's output."""
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
