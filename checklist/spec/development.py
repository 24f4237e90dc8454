"""Which part of the data is set aside for tuning, and who may tune on it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field

from shakeproof.spec.diagnostics import Notebook, Written
from shakeproof.spec.model import Development, MetricSpec
from shakeproof.validation import Trail, shown

EXAMPLE = "development: 0.1 or development: {share: 0.1, by: candidates}"
TUNED = "tuned"
TOP: Trail = ("development",)


class WrittenDevelopment(Written):
    """A development part as it stands in the file."""

    share: Annotated[float, Field(gt=0, lt=1)] | None = Field(
        None, description="The share of each data set, from its beginning, set aside for tuning."
    )
    by: Literal["segments", "candidates"] = Field(
        "segments", description="What is counted; candidates may split a segment."
    )


def read_development(raw: object, notebook: Notebook) -> Development | None:
    """Read a share, or a mapping with a share and what it is a share of."""
    if raw is None:
        return None
    if isinstance(raw, int | float) and not isinstance(raw, bool):
        raw = {"share": raw}
    if not isinstance(raw, dict):
        notebook.note(TOP, f"development must be a share, got {shown(raw)}; write {EXAMPLE}")
        return None
    written = notebook.model(WrittenDevelopment, raw, TOP)
    if written is None:
        return None
    if written.share is None:
        notebook.note(TOP, f"development without a share; write {EXAMPLE}", key=True)
        return None
    return Development(written.share, written.by)


def is_tuned(spec: MetricSpec) -> bool:
    """Say whether a metric has a parameter that ratings decide."""
    return getattr(spec.options, "omega", None) == TUNED


def check_tuning(
    metrics: Mapping[str, MetricSpec], development: Development | None, notebook: Notebook
) -> None:
    """Refuse a metric that would be tuned on what it is tested on, or that hides a tuned one."""
    tuned = {name for name, spec in metrics.items() if is_tuned(spec)}
    for name, spec in metrics.items():
        if name in tuned and development is None and not notebook.within(TOP):
            trail = ("metrics", name, spec.kind, "omega")
            message = "omega: tuned without a development part tunes on the test part"
            notebook.note(trail, f"{message}; write {EXAMPLE}, or give a number")
        for other in sorted(tuned & set(spec.options.refers)):
            message = f"metric {name!r} builds on {other!r}, whose omega is still to be tuned"
            notebook.note(("metrics", name), f"{message}; give {other!r} a number", key=True)
