"""The part of the data that is set aside for tuning, and which metrics may be tuned on it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from shakeproof.spec.diagnostics import Diagnostics
from shakeproof.spec.model import Development, MetricSpec
from shakeproof.spec.written import Written
from shakeproof.validation import Trail, shown

EXAMPLE = "development: 0.1 or development: {share: 0.1, by: candidates}"
TUNED = "tuned"
TOP: Trail = ("development",)
Share = Annotated[float, Field(gt=0, lt=1)]


class WrittenDevelopment(Written):
    """A development part as written in the file."""

    model_config = ConfigDict(json_schema_extra={"required": ["share"]})

    share: Share | None = Field(
        None, description="The share of each data set, from its beginning, set aside for tuning."
    )
    by: Literal["segments", "candidates"] = Field(
        "segments", description="What is counted; candidates may split a segment."
    )


def read_development(value: object, diagnostics: Diagnostics) -> Development | None:
    """Read a share, or a mapping with a share and what it is a share of."""
    if value is None:
        return None
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = {"share": value}
    if not isinstance(value, dict):
        message = f"development must be a share, got {shown(value)}; write {EXAMPLE}"
        diagnostics.add(TOP, message)
        return None
    written = diagnostics.model(WrittenDevelopment, value, TOP)
    if written is None:
        return None
    if written.share is None:
        diagnostics.add(TOP, f"development needs a share; write {EXAMPLE}", key=True)
        return None
    return Development(written.share, written.by)


def is_tuned(spec: MetricSpec) -> bool:
    """Return whether a metric has a parameter that is fitted to the ratings."""
    return getattr(spec.options, "omega", None) == TUNED


def check_tuning(
    metrics: Mapping[str, MetricSpec], development: Development | None, diagnostics: Diagnostics
) -> None:
    """Refuse metrics that would be tuned on the test data, or that build on a tuned one."""
    tuned = {name for name, spec in metrics.items() if is_tuned(spec)}
    for name, spec in metrics.items():
        if name in tuned and development is None and not diagnostics.any_inside(TOP):
            trail = ("metrics", name, spec.kind, "omega")
            message = "omega: tuned needs a development part, or it is tuned on the test data"
            diagnostics.add(trail, f"{message}; write {EXAMPLE}, or give a number")
        for other in sorted(tuned & set(spec.options.refers)):
            message = f"metric {name!r} builds on {other!r}, whose omega is still to be tuned"
            diagnostics.add(("metrics", name), f"{message}; give {other!r} a number", key=True)
