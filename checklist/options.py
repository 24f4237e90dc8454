"""Pytest's options, read into a session."""

from __future__ import annotations

from pathlib import Path

import pytest

from shakeproof.metrics.cache import Cache
from shakeproof.metrics.engine import Engine
from shakeproof.metrics.settings import Settings
from shakeproof.progress import shown_in
from shakeproof.session import Session

FOLDER = ".shakeproof"

KEY = pytest.StashKey[Session]()


def session_of(config: pytest.Config) -> Session:
    """Give the session of this process, made at first use."""
    if KEY not in config.stash:
        config.stash[KEY] = make_session(config)
    return config.stash[KEY]


def make_session(config: pytest.Config) -> Session:
    """Read the options."""
    option = config.getoption
    settings = Settings(
        device=option("shakeproof_device"),
        offline=option("shakeproof_offline"),
        rootdir=config.rootpath,
    )
    cache = Cache(cache_path(config.rootpath, option("shakeproof_cache")))
    return Session(
        settings=settings,
        cache=cache,
        engine=Engine(cache, progress=shown_in(config)),
        limit=option("shakeproof_limit"),
        instead=dict(entry.split("=", 1) for entry in option("shakeproof_data")),
        strict=option("shakeproof_strict"),
        with_texts=not option("shakeproof_no_texts"),
        holm=option("shakeproof_adjust") == "holm",
    )


def cache_path(rootdir: Path, chosen: str | None) -> Path | None:
    """Say where scores are kept; None keeps them in memory."""
    if chosen == "none":
        return None
    return Path(chosen) if chosen else rootdir / FOLDER / "scores.sqlite"
