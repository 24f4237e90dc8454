"""Runs read again from the run.json in which they were archived."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shakeproof.errors import SpecError, one_line
from shakeproof.files import read_text, shown_path

if TYPE_CHECKING:
    from shakeproof.results import Run

MOST = 200  # characters of another library's words in a message


def read_run(path: Path) -> Run:
    """Read the JSON of a run, or say in one line why it is none."""
    from pydantic import ValidationError

    from shakeproof.results import Run

    content = _of_known_version(_content(path), shown_path(path))
    try:
        return Run.model_validate(content)
    except ValidationError as error:
        first = error.errors()[0]
        why = f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
        raise SpecError(f"{shown_path(path)}: not a run: {one_line(why)[:MOST]}") from None


def _content(path: Path) -> Any:  # noqa: ANN401 - whatever the file holds
    text = read_text(path)
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        place = f"{shown_path(path)}:{error.lineno}:{error.colno}"
        raise SpecError(f"{place}: not JSON: {error.msg.lower()}") from None
    except RecursionError:
        raise SpecError(f"{shown_path(path)}: not a run: nested too deeply") from None


def _of_known_version(content: Any, shown: str) -> Any:  # noqa: ANN401 - as above
    """Refuse what no version of the schema describes; what is older is read as it is."""
    from shakeproof.results import READABLE, SCHEMA

    version = content.get("schema_version") if isinstance(content, dict) else None
    if version is None:
        raise SpecError(f"{shown}: not a run: no schema_version; --shakeproof-json writes runs")
    if version not in READABLE:
        told = one_line(repr(version))[:MOST]
        raise SpecError(
            f"{shown}: schema_version {told} is unknown here, this shakeproof reads {SCHEMA!r}; "
            "a newer one may read it"
        )
    return content
