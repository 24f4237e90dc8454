"""A metric or a perturbation on its own, as in a notebook."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import repeat
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

from shakeproof.errors import SpecError, unknown
from shakeproof.metrics.engine.cache import Cache
from shakeproof.metrics.engine.engine import Engine, MissingScores
from shakeproof.metrics.options import Options
from shakeproof.metrics.protocols import Instance, Metric
from shakeproof.metrics.registry import METRICS
from shakeproof.metrics.settings import Settings
from shakeproof.perturbations import PERTURBATIONS, Context, Family
from shakeproof.runs.evaluate import MetricFailed
from shakeproof.spec.metrics import read_options

# The references of one candidate: a text, or several.
References: TypeAlias = str | Sequence[str]

NEEDED = {"source": "source=", "references": "references=", "neighbour": "other="}


def score(
    metric: str | Mapping[str, Any] | Options,
    candidates: Sequence[str],
    references: Sequence[References] | None = None,
    sources: Sequence[str] | None = None,
    *,
    device: str = "auto",
    offline: bool = False,
    cache: str | Path | None = None,
) -> list[float]:
    """Rate candidates, each with its own references and source; higher is better.

    The metric is named as in a checklist: `"chrf"` or `{"bertscore": {"layer": "last"}}`.
    """
    built = build(metric, Settings(device=device, offline=offline))
    items = _items(candidates, references, sources)
    _refuse_missing(built, references, sources)
    with Cache(None if cache is None else Path(cache)) as store:
        engine = Engine(store)
        engine.fill([(built, item)] for item in items)
        try:
            return [float(one) for one in engine.read(built, items)]
        except MissingScores as error:
            raise MetricFailed(str(error)) from None


def build(metric: str | Mapping[str, Any] | Options, settings: Settings) -> Metric:
    """Make a metric that builds on no other."""
    options = metric if isinstance(metric, Options) else _options(metric)
    if options.refers:
        names = ", ".join(map(repr, options.refers))
        raise SpecError(f"the metric builds on {names}; a checklist can name several metrics")
    return options.build({}, settings)


def _options(metric: str | Mapping[str, Any]) -> Options:
    written = {metric: None} if isinstance(metric, str) else dict(metric)
    if len(written) != 1:
        raise SpecError(f"a metric has one kind with its options, got {', '.join(written)}")
    ((kind, value),) = written.items()
    if kind not in METRICS:
        raise unknown("metric kind", kind, METRICS)
    options, problems = read_options(kind, value)
    if options is None:
        raise SpecError(f"{kind}: {problems[0].message}")
    return options


def _items(
    candidates: Sequence[str],
    references: Sequence[References] | None,
    sources: Sequence[str] | None,
) -> list[Instance]:
    if isinstance(candidates, str):
        raise ValueError("candidates must be a list of texts, got one text")
    for name, given in (("references", references), ("sources", sources)):
        if given is not None and len(given) != len(candidates):
            raise ValueError(f"{len(given)} {name} for {len(candidates)} candidates")
    rows = zip(candidates, references or repeat(()), sources or repeat(None), strict=False)
    return [Instance(candidate, _several(some), source) for candidate, some, source in rows]


def _several(references: References) -> tuple[str, ...]:
    return (references,) if isinstance(references, str) else tuple(references)


def _refuse_missing(
    metric: Metric, references: Sequence[References] | None, sources: Sequence[str] | None
) -> None:
    given = {"references": references, "source": sources}
    for need in sorted(metric.requires):
        if given.get(need) is None:
            way = f"give {need.removesuffix('s')}s=" if need in given else "only data carry that"
            raise SpecError(f"the metric needs {need}; {way}")


def perturb(
    family: str | Family,
    text: str,
    level: float = 1.0,
    *,
    seed: int = 0,
    source: str | None = None,
    references: Sequence[str] = (),
    other: str | None = None,
) -> str:
    """Damage a text as the command `shakeproof perturb` does; same seed, same result."""
    kind = family if isinstance(family, Family) else _family(family)
    if not kind.takes(level):
        raise SpecError(f"{kind.name!r} takes no level {level:g}: {kind.level_means}")
    given = {"source": source, "references": references or None, "neighbour": other}
    for need in sorted(kind.needs):
        if given[need] is None:
            raise SpecError(f"{kind.name!r} needs {NEEDED[need]}")
    beside = None if other is None else Context(other, (other,), (other,))
    context = Context(source, tuple(references), (text,), beside)
    return kind(text, level, Random(seed), context)


def _family(name: str) -> Family:
    if name not in PERTURBATIONS:
        raise unknown("perturbation", name, PERTURBATIONS)
    return PERTURBATIONS[name]
