"""Models on the hub: in its local cache, or downloaded to it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

CONFIG = "config.json"


class ModelNotFound(ValueError):
    """A model that cannot be had; the message is one line and names the way out."""


def is_offline() -> bool:
    """Tell whether the environment forbids downloads, in the hub's own words for it."""
    return os.environ.get("HF_HUB_OFFLINE", "").upper() in {"1", "ON", "YES", "TRUE"}


def cached_config(repository: str, revision: str | None) -> Path | None:
    """Return the configuration of a repository in the local cache, if it is there."""
    with _hub(repository) as hub:
        found = hub.try_to_load_from_cache(repository, CONFIG, revision=revision)
        return Path(found) if isinstance(found, str) else None


def fetch_config(repository: str, revision: str | None) -> Path:
    """Download the configuration of a repository."""
    with _hub(repository) as hub:
        return Path(hub.hf_hub_download(repository, CONFIG, revision=revision))


def fetch_files(repository: str, commit: str, wanted: Iterable[str], either: Iterable[str]) -> None:
    """Download files by pattern: all that are wanted, and the first kind of `either` there is."""
    with _hub(repository) as hub:
        info = hub.HfApi().model_info(repository, revision=commit)
        names = [each.rfilename for each in info.siblings]
        kinds = ([name for name in names if fnmatch(name, pattern)] for pattern in either)
        chosen = [name for name in names if any(fnmatch(name, pattern) for pattern in wanted)]
        for name in [*chosen, *next(filter(None, kinds), [])]:
            if "/" not in name:
                hub.hf_hub_download(repository, name, revision=commit)


@contextmanager
def _hub(repository: str) -> Iterator[Any]:
    """Import the hub's library, keep it from drawing bars, and make its errors one line."""
    try:
        import huggingface_hub as hub
        from huggingface_hub import utils
    except ImportError:
        raise ModelNotFound(f"no model {repository!r}: install shakeproof[models]") from None
    bars: Any = utils  # which does not say that it exports them
    silent = bars.are_progress_bars_disabled()
    bars.disable_progress_bars()
    try:
        yield hub
    except Exception as error:  # the network fails in many ways, all of them one line to a user
        line = " ".join(str(error).split())[:160]
        raise ModelNotFound(
            f"no model {repository!r}: not a folder, and the hub says: {line}"
        ) from error
    finally:
        if not silent:
            bars.enable_progress_bars()
