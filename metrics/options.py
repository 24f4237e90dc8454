"""The settings of a metric in a checklist, and how a metric is built from them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

from pydantic import BaseModel, ConfigDict

from shakeproof.metrics.files import find_file
from shakeproof.metrics.formulas import ReferenceFree
from shakeproof.metrics.protocols import Metric
from shakeproof.metrics.settings import Settings


class Options(BaseModel):
    """The settings of one kind of metric; reading them loads no model."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    summary: ClassVar[str]
    scalar: ClassVar[str | None] = None  # the field that a plain value in YAML fills
    with_variables: ClassVar[tuple[str, ...]] = ()  # fields that may have ${NAME}
    with_files: ClassVar[tuple[str, ...]] = ()  # fields that name a file

    @property
    def refers(self) -> tuple[str, ...]:
        """Return the names of other metrics in the checklist that this one is built from."""
        return ()

    def build(self, others: Mapping[str, Metric], settings: Settings) -> Metric:
        """Build the metric without loading a model; `others` are the metrics it refers to."""
        raise NotImplementedError

    def mistakes(self, settings: Settings) -> Iterator[tuple[str, str]]:
        """Yield each field that names what is not in the user's files, and what is wrong.

        Nothing of the user is run. What other machines may have, such as a model, is no mistake.
        """
        for field in self.with_files:
            try:
                if name := getattr(self, field):
                    find_file(name, settings)
            except ValueError as error:
                yield field, str(error)

    def variants(self, settings: Settings) -> dict[str, Options]:
        """Return slightly wrong options by name, for mutants of the metric; load no model."""
        if getattr(self, "lowercase", False):  # a field of several kinds
            return {"cased variant": self.model_copy(update={"lowercase": False})}
        return {}


def metric_or_default(
    name: str | None, others: Mapping[str, Metric], default: Options, settings: Settings
) -> Metric:
    """Return the named metric of the checklist, or build the default; it must use references."""
    metric = default.build(others, settings) if name is None else others[name]
    if "references" not in metric.requires:
        raise ValueError(
            f"{name!r} does not compare with references, so no metric can be built from it"
        )
    return metric


def reference_free(kind: type[Options]) -> type[Options]:
    """Derive the kind that compares with the source where `kind` compares with references."""

    class Derived(kind):  # type: ignore[valid-type, misc]  # the base is only known at run time
        summary: ClassVar[str] = f"{kind.summary}, compared with the source instead of references"

        def build(self, others: Mapping[str, Metric], settings: Settings) -> Metric:
            return ReferenceFree(super().build(others, settings))

    Derived.__name__ = Derived.__qualname__ = f"{kind.__name__}Free"
    Derived.__doc__ = kind.__doc__
    return Derived
