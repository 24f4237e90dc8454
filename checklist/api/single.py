"""Use a single metric or a single perturbation, for example in a notebook."""

from __future__ import annotations

import os
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
from shakeproof.scoring.cache_errors import cache_errors
from shakeproof.spec.metrics import expanded, read_options

# The references of one candidate: a text, or several.
References: TypeAlias = str | Sequence[str]

ARGUMENTS = {"source": "source=", "references": "references=", "neighbour": "other="}


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

    The metric is named as in a checklist: `"chrf"` or `{"bertscore": {"layer": "last"}}`. A
    candidate that it cannot rate gets NaN; if it fails on all of them, MetricFailed is raised.
    """
    built = build(metric, Settings(device=device, offline=offline))
    instances = _instances(candidates, references, sources)
    _refuse_missing(built, references, sources)
    with cache_errors(), Cache(None if cache is None else Path(cache)) as store:
        engine = Engine(store)
        engine.fill([(built, instance)] for instance in instances)
        try:
            return [float(score) for score in engine.read(built, instances)]
        except MissingScores as error:
            raise MetricFailed(str(error)) from None


def build(metric: str | Mapping[str, Any] | Options, settings: Settings) -> Metric:
    """Build a metric that is not a formula over other metrics of a checklist."""
    options = metric if isinstance(metric, Options) else _options(metric)
    if options.refers:
        names = ", ".join(map(repr, options.refers))
        raise SpecError(f"the metric builds on {names}; only a checklist can name several")
    return expanded(options, os.environ).build({}, settings)


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


def _instances(
    candidates: Sequence[str],
    references: Sequence[References] | None,
    sources: Sequence[str] | None,
) -> list[Instance]:
    if isinstance(candidates, str):
        raise ValueError("candidates must be a list of texts, got one text")
    for name, texts in (("references", references), ("sources", sources)):
        if texts is not None and len(texts) != len(candidates):
            raise ValueError(f"{len(texts)} {name} for {len(candidates)} candidates")
    rows = zip(candidates, references or repeat(()), sources or repeat(None), strict=False)
    return [
        Instance(candidate, (own,) if isinstance(own, str) else tuple(own), source)
        for candidate, own, source in rows
    ]


def _refuse_missing(
    metric: Metric, references: Sequence[References] | None, sources: Sequence[str] | None
) -> None:
    arguments = {"references": references, "source": sources}
    for need in sorted(metric.requires):
        if arguments.get(need) is None:
            advice = "use it in a checklist whose data have that"
            if need in arguments:
                advice = f"give {need.removesuffix('s')}s="
            raise SpecError(f"the metric needs {need}; {advice}")


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
    """Return a text with random edits, as `shakeproof perturb` shows it; same seed, same text."""
    kind = family if isinstance(family, Family) else _family(family)
    if not kind.takes(level):
        raise SpecError(f"{kind.name!r} takes no level {level:g}: {kind.level_means}")
    texts = {"source": source, "references": references or None, "neighbour": other}
    for need in sorted(kind.needs):
        if texts[need] is None:
            raise SpecError(f"{kind.name!r} needs {ARGUMENTS[need]}")
    neighbour = None if other is None else Context(other, (other,), (other,))
    context = Context(source, tuple(references), (text,), neighbour)
    return kind(text, level, Random(seed), context)


def _family(name: str) -> Family:
    if name not in PERTURBATIONS:
        raise unknown("perturbation", name, PERTURBATIONS)
    return PERTURBATIONS[name]
