"""Pytest's options, read into a session."""

from __future__ import annotations

from pathlib import Path

import pytest

from shakeproof.baseline import Baseline, read_baseline
from shakeproof.metrics.cache import Cache
from shakeproof.metrics.engine import Engine
from shakeproof.metrics.settings import Settings
from shakeproof.progress import shown_in
from shakeproof.rates import Stopwatch
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
    watch = Stopwatch(shown_in(config))
    return Session(
        settings=settings,
        cache=cache,
        engine=Engine(cache, progress=watch),
        watch=watch,
        limit=option("shakeproof_limit"),
        instead=dict(entry.split("=", 1) for entry in option("shakeproof_data")),
        strict=option("shakeproof_strict"),
        with_texts=not option("shakeproof_no_texts"),
        holm=option("shakeproof_adjust") == "holm",
        baseline=baseline_of(config),
    )


def baseline_path(config: pytest.Config) -> Path | None:
    """Say where the baseline lies, if one was named."""
    chosen = config.getoption("shakeproof_baseline")
    return config.invocation_params.dir / chosen if chosen else None


def baseline_of(config: pytest.Config) -> Baseline | None:
    """Read the baseline; one that is only about to be written need not be there."""
    path = baseline_path(config)
    if path is None or (config.getoption("shakeproof_update_baseline") and not path.exists()):
        return None
    return read_baseline(path)


def cache_path(rootdir: Path, chosen: str | None) -> Path | None:
    """Say where scores are kept; None keeps them in memory."""
    if chosen == "none":
        return None
    return Path(chosen) if chosen else rootdir / FOLDER / "scores.sqlite"
