"""What a checklist may say about a metric, and how that becomes a metric."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from pydantic import BaseModel, ConfigDict

from shakeproof.metrics.formulas import Free
from shakeproof.metrics.protocols import Metric
from shakeproof.metrics.settings import Settings


class Options(BaseModel):
    """The settings of one kind of metric; reading them loads nothing heavy."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    summary: ClassVar[str]
    scalar: ClassVar[str | None] = None  # the field that a plain value in YAML fills

    @property
    def refers(self) -> tuple[str, ...]:
        """Name the other metrics of the checklist that this one builds on."""
        return ()

    def build(self, others: Mapping[str, Metric], settings: Settings) -> Metric:
        """Make the metric without loading a model."""
        raise NotImplementedError


def other(
    name: str | None, others: Mapping[str, Metric], default: Options, settings: Settings
) -> Metric:
    """Take the named metric of the checklist, or build the default; it must use references."""
    metric = default.build(others, settings) if name is None else others[name]
    if "references" not in metric.requires:
        raise ValueError(f"{name!r} does not compare with references, so nothing can build on it")
    return metric


def reference_free(kind: type[Options]) -> type[Options]:
    """Derive the twin that compares with the source where `kind` compares with references."""

    class Twin(kind):  # type: ignore[valid-type, misc]  # the base is only known at run time
        summary: ClassVar[str] = f"{kind.summary}, compared with the source instead of references"

        def build(self, others: Mapping[str, Metric], settings: Settings) -> Metric:
            """Make the metric and turn it towards the source."""
            return Free(super().build(others, settings))

    Twin.__name__ = Twin.__qualname__ = f"{kind.__name__}Free"
    Twin.__doc__ = kind.__doc__
    return Twin
