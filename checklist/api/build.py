"""Checklists built in code: the same shapes, kept as the YAML that says the same."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from io import StringIO
from pathlib import Path
from typing import Any, TypeAlias, TypedDict, Unpack

from pydantic import BaseModel

from shakeproof.errors import SpecError
from shakeproof.expectations import Expectation
from shakeproof.metrics.options import Options
from shakeproof.metrics.registry import METRICS
from shakeproof.spec.model import Check, Checklist, KnownFailure, Perturb, Severity
from shakeproof.spec.read import parse

WIDTH = 100  # of the YAML

# A metric as options, or as a checklist writes it: a kind, or a kind with its options.
WrittenMetric: TypeAlias = Options | Mapping[str, Any] | str
Place: TypeAlias = str | Path


class Settings(TypedDict, total=False):
    """What else a checklist may say, in its own words."""

    language: str
    source_language: str
    seed: int
    seeds: int
    confidence: float
    draws: int
    development: float | Mapping[str, Any]
    extend_with_copies: int
    cluster: str
    families: Mapping[str, Mapping[str, Any]]


def check(
    name: str,
    expect: Expectation,
    *,
    perturb: Perturb | Sequence[Perturb] = (),
    metrics: Sequence[str] = (),
    known_failure: KnownFailure | str | None = None,
    severity: Severity = "fail",
    requires: Sequence[str] = (),
) -> Check:
    """Make a check; without `metrics` it is about all of them."""
    perturbs = (perturb,) if isinstance(perturb, Perturb) else tuple(perturb)
    known = KnownFailure(known_failure) if isinstance(known_failure, str) else known_failure
    return Check(name, 0, tuple(metrics), perturbs, expect, known, severity, tuple(requires))


def checklist(
    checks: Iterable[Check],
    *,
    data: Place | Mapping[str, Place] | Sequence[Mapping[str, Any]],
    metrics: Mapping[str, WrittenMetric],
    title: str = "built in code",
    file: Place = "code.checklist.yaml",
    **settings: Unpack[Settings],
) -> Checklist:
    """Put a checklist together; its mistakes are told as if `file` held it.

    The data are a name, a path, several by group, or segments as a line of a data file has them.
    Its `text` is the YAML that says the same, ready to be written to `file`.
    """
    written = {
        "checklist": title,
        "data": data,
        **settings,
        "metrics": {name: _metric(one) for name, one in metrics.items()},
        "checks": [_check(one) for one in checks],
    }
    return parse(as_yaml(written), Path(file))


def as_yaml(content: Mapping[str, Any]) -> str:
    """Write plain values as YAML."""
    from ruamel.yaml import YAML

    yaml = YAML(typ="safe", pure=True)
    yaml.default_flow_style = False
    yaml.sort_base_mapping_type_on_output = False  # type: ignore[assignment]  # None by its types
    yaml.allow_unicode, yaml.width = True, WIDTH
    stream = StringIO()
    yaml.dump(_plain(content), stream)
    return stream.getvalue()


def _plain(value: Any) -> Any:  # noqa: ANN401 - what YAML can say
    """Make lists and dictionaries of whatever holds several values."""
    if isinstance(value, Mapping):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_plain(one) for one in value]
    return str(value) if isinstance(value, Path) else value


def _metric(written: WrittenMetric) -> Mapping[str, Any] | str:
    if not isinstance(written, Options):
        return written
    kind = next((kind for kind, model in METRICS.items() if model is type(written)), None)
    if kind is None:
        raise SpecError(f"{type(written).__name__} is no registered kind of metric")
    return {kind: _settings(written)}


def _check(one: Check) -> dict[str, Any]:
    written: dict[str, Any] = {
        "check": one.name,
        "expect": {one.expect.name: _settings(one.expect)},
    }
    more: dict[str, Any] = {
        "metrics": one.metrics,
        "perturb": [{each.family: _perturbation(each)} for each in one.perturb],
        "known_failure": one.known_failure and _known_failure(one.known_failure),
        "severity": one.severity if one.severity != "fail" else None,
        "requires": one.requires,
    }
    return written | {key: value for key, value in more.items() if value}


def _perturbation(one: Perturb) -> dict[str, Any]:
    written: dict[str, Any] = {"on": one.on}
    if one.levels:
        written["levels"] = one.levels
    return written | ({"stored": True} if one.stored else {})


def _known_failure(known: KnownFailure) -> dict[str, Any]:
    found = {"reason": known.reason, "metrics": known.metrics, "levels": known.levels}
    return {key: value for key, value in found.items() if value is not None}


def _settings(model: BaseModel) -> dict[str, Any]:
    return model.model_dump(mode="json", by_alias=True, exclude_defaults=True)
