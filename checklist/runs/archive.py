"""Runs as run.json files: written, and read again whatever version wrote them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shakeproof.errors import SpecError, cut
from shakeproof.files import read_text, shown_path

if TYPE_CHECKING:
    from shakeproof.results import Run


def as_json(run: Run) -> str:
    """Return a run as run.json holds it."""
    return run.model_dump_json(indent=1) + "\n"


def read_run(path: Path) -> Run:
    """Read a run; SpecError says in one line why a file is none."""
    from pydantic import ValidationError

    from shakeproof.results import Run

    content = _checked_version(_content(path), shown_path(path))
    try:
        run = Run.model_validate(content)
    except ValidationError as error:
        first = error.errors()[0]
        why = f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
        raise SpecError(f"{shown_path(path)}: not a run: {cut(why)}") from None
    _check_influences(run, shown_path(path))
    return run


def _check_influences(run: Run, shown: str) -> None:
    from shakeproof.stats.compare import unpack_influence

    for position, result in enumerate(run.results):
        try:
            unpack_influence(result.influence)
        except ValueError as error:
            where = f"results.{position}.influence"
            raise SpecError(f"{shown}: not a run: {where}: {error}") from None


def _content(path: Path) -> Any:  # noqa: ANN401 - whatever the file holds
    text = read_text(path)
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        place = f"{shown_path(path)}:{error.lineno}:{error.colno}"
        raise SpecError(f"{place}: not JSON: {error.msg.lower()}") from None
    except ValueError:  # a number of thousands of digits
        raise SpecError(f"{shown_path(path)}: not a run: a number is too long") from None
    except RecursionError:
        raise SpecError(f"{shown_path(path)}: not a run: nested too deeply") from None


def _checked_version(content: Any, shown: str) -> Any:  # noqa: ANN401 - as above
    """Refuse a version that is not known; convert an old one."""
    from shakeproof.results import READABLE, SCHEMA
    from shakeproof.runs.old_versions import converted

    version = content.get("schema_version") if isinstance(content, dict) else None
    if version is None:
        raise SpecError(f"{shown}: not a run: no schema_version; --shakeproof-json writes runs")
    if version not in READABLE:
        quoted = cut(repr(version))
        raise SpecError(
            f"{shown}: schema_version {quoted} is unknown here, this shakeproof reads {SCHEMA!r}; "
            "a newer one may read it"
        )
    return content if version == SCHEMA else converted(content)
