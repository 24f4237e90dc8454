"""Pytest's options, read into a session."""

from __future__ import annotations

from pathlib import Path

import pytest

from shakeproof.metrics.engine.cache import Cache
from shakeproof.metrics.engine.engine import Engine
from shakeproof.metrics.settings import Settings
from shakeproof.plugin.options import chosen, file_of, replacements_of
from shakeproof.plugin.xdist_progress import shown_in
from shakeproof.runs.baseline import Baseline, read_baseline
from shakeproof.runs.session import Session
from shakeproof.scoring.rates import Stopwatch

FOLDER = ".shakeproof"
IN_MEMORY = "none"

KEY = pytest.StashKey[Session]()


def session_of(config: pytest.Config) -> Session:
    """Give the session of this process, made at first use."""
    if KEY not in config.stash:
        config.stash[KEY] = make_session(config)
    return config.stash[KEY]


def make_session(config: pytest.Config) -> Session:
    """Read the options."""
    settings = Settings(
        device=chosen(config, "device"),
        offline=chosen(config, "offline"),
        rootdir=config.rootpath,
    )
    cache = Cache(cache_path(config))
    shown = shown_in(config)
    watch = Stopwatch(shown)
    return Session(
        settings=settings,
        cache=cache,
        engine=Engine(cache, progress=watch),
        watch=watch,
        shown=shown,
        limit=chosen(config, "limit"),
        instead=replacements_of(config),
        strict=chosen(config, "strict"),
        with_texts=not chosen(config, "no-texts"),
        search_budget=chosen(config, "search"),
        matrices=bool(chosen(config, "report") or chosen(config, "json")),
        holm=chosen(config, "adjust") == "holm",
        baseline=baseline_of(config),
    )


def baseline_of(config: pytest.Config) -> Baseline | None:
    """Read the baseline; one that is only about to be written need not be there."""
    path = file_of(config, "baseline")
    if path is None or (chosen(config, "update-baseline") and not path.exists()):
        return None
    return read_baseline(path)


def cache_path(config: pytest.Config) -> Path | None:
    """Say where scores are kept; None keeps them in memory."""
    if chosen(config, "cache") == IN_MEMORY:
        return None
    return file_of(config, "cache") or config.rootpath / FOLDER / "scores.sqlite"
