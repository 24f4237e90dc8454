"""Models on the hub: in its local cache, or downloaded to it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from fnmatch import fnmatch
from functools import cache
from pathlib import Path
from typing import Any

CONFIG = "config.json"
TIMEOUT = 3.0  # seconds that the hub has for its first answer
TIMEOUT_VARIABLE = "HF_HUB_ETAG_TIMEOUT"  # of the hub's library; wins over TIMEOUT


class ModelNotFound(ValueError):
    """A model cannot be found or used; the message is one line and says what to do."""


def is_offline() -> bool:
    """Return whether the environment variable of the Hugging Face hub forbids downloads."""
    return os.environ.get("HF_HUB_OFFLINE", "").upper() in {"1", "ON", "YES", "TRUE"}


def cached_config(repository: str, revision: str | None) -> Path | None:
    """Return the configuration of a repository in the local cache, if it is there."""
    with _hub(repository) as hub:
        path = hub.try_to_load_from_cache(repository, CONFIG, revision=revision)
        return Path(path) if isinstance(path, str) else None


def fetch_config(repository: str, revision: str | None) -> Path:
    """Download the configuration of a repository."""
    with _hub(repository) as hub:
        _require_connection(repository)
        return Path(hub.hf_hub_download(repository, CONFIG, revision=revision))


def fetch_files(
    repository: str, commit: str, wanted: Iterable[str], weights: Iterable[str]
) -> None:
    """Download all files that match `wanted`, and those of the first of `weights` that match."""
    with _hub(repository) as hub:
        _require_connection(repository)
        info = hub.HfApi().model_info(repository, revision=commit)
        names = [file.rfilename for file in info.siblings]
        kinds = ([name for name in names if fnmatch(name, pattern)] for pattern in weights)
        chosen = [name for name in names if any(fnmatch(name, pattern) for pattern in wanted)]
        for name in [*chosen, *next(filter(None, kinds), [])]:
            if "/" not in name:
                hub.hf_hub_download(repository, name, revision=commit)


def _require_connection(repository: str) -> None:
    """Raise an error if the hub cannot be reached; its library would try for 23 s per model."""
    error = _connection_error()
    if error:
        raise ModelNotFound(
            f"no model {repository!r}: no such folder, and the Hugging Face hub cannot be reached "
            f"({error}); name a folder, or connect to the network and start again"
        )


@cache
def _connection_error() -> str:
    """Ask the hub for any answer, once per process; return the error if there is none."""
    from huggingface_hub import constants, get_hf_file_metadata
    from huggingface_hub.utils import HfHubHTTPError

    chosen = constants.HF_HUB_ETAG_TIMEOUT if TIMEOUT_VARIABLE in os.environ else TIMEOUT
    try:
        get_hf_file_metadata(constants.ENDPOINT, timeout=chosen)
    except HfHubHTTPError:
        return ""  # a refusal is an answer too
    except Exception as error:  # the network fails in many ways
        return _one_line(error)
    return ""


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())[:160] or type(error).__name__


@contextmanager
def _hub(repository: str) -> Iterator[Any]:
    """Import the hub's library, without progress bars, and turn its errors into one line."""
    try:
        import huggingface_hub as hub
        from huggingface_hub import utils
    except ImportError:
        raise ModelNotFound(
            f"no model {repository!r}: no such folder, and the hub needs a library that is not "
            "installed; run pip install 'shakeproof[models]'"
        ) from None
    bars: Any = utils  # its types do not list these functions
    silent = bars.are_progress_bars_disabled()
    bars.disable_progress_bars()
    try:
        yield hub
    except ModelNotFound:
        raise
    except Exception as error:  # the network fails in many ways
        raise ModelNotFound(
            f"no model {repository!r}: no such folder, and the Hugging Face hub answers: "
            f"{_one_line(error)}"
        ) from error
    finally:
        if not silent:
            bars.enable_progress_bars()
