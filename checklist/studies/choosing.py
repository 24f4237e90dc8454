"""Which of a study's models are run: those asked for, or those that are here already."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from shakeproof.errors import SpecError, unknown
from shakeproof.metrics.models.files import ModelNotFound, find_model, require_libraries
from shakeproof.metrics.settings import Settings

NONE = "none"


def chosen(asked: Sequence[str] | None, known: Sequence[str], settings: Settings) -> list[str]:
    """Take the models asked for, by full or short name; without a word, all that need no download.

    `none` asks for no model at all: scores that need none are computed all the same.
    """
    if asked is None:
        here = replace(settings, offline=True)
        return [name for name in known if not _why_not(name, here)]
    if list(asked) == [NONE]:
        return []
    short = {name.rpartition("/")[2]: name for name in known}
    names = []
    for name in asked:
        if name not in known and name not in short:
            raise unknown("model", name, [*short, NONE])
        names.append(short.get(name, name))
    for name in names:
        if why := _why_not(name, settings):
            raise SpecError(why)
    return names


def _why_not(name: str, settings: Settings) -> str:
    try:
        require_libraries()
        find_model(name, offline=settings.offline, folder=Path(settings.folder))
    except ModelNotFound as error:
        return str(error)
    return ""
