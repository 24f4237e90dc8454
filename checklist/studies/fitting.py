"""A checklist of a study, cut to the data and the models at hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from shakeproof.data.loading import load_data
from shakeproof.metrics.kinds.stored import StoredOptions
from shakeproof.spec.model import Checklist, MetricSpec
from shakeproof.spec.read import parse
from shakeproof.spec.yaml_writing import read_with_comments, write_with_comments
from shakeproof.studies import FOLDER


@dataclass(frozen=True, slots=True)
class Fitted:
    """A checklist that can be run, if anything of it can, and what was left out."""

    checklist: Checklist | None
    files: Mapping[str, str]  # groups whose file is not there
    metrics: Mapping[str, str]  # and why
    bare: tuple[str, ...] = ()  # files without the perturbed texts that checks would replay
    checks: Mapping[str, str] = field(default_factory=dict)  # that refer to such metrics, and why


def fit(text: str, path: Path, models: Iterable[str], *, ours: bool = False) -> Fitted:
    """Leave out what cannot be had.

    That is groups without a file, metrics without a model or stored scores, and checks that would
    replay perturbed texts which the data do not carry.

    `path` is where the checklist would lie: beside the data. With `ours` the families perturb
    anew instead of replaying the authors' texts, where the checklist names the language.
    """
    whole = parse(text, path)
    found = {group: find_data(place, path.parent) for group, place in whole.data.items()}
    absent = {group: whole.data[group] for group, place in found.items() if place is None}
    data = [place for place in found.values() if place]
    if not data:
        return Fitted(None, absent, {})
    content = read_with_comments(text)
    if ours and whole.language:
        _perturb_anew(content["checks"])
        whole = parse(write_with_comments(content), path)
    bare = tuple(one.name for one in data if b'"perturbed"' not in one.read_bytes())
    replays = {one.name for one in whole.checks if any(how.stored for how in one.perturb)}
    without = _metrics(whole, set(models), data)
    _remove(content["data"], absent)
    _remove(content["metrics"], without)
    _cut_checks(content["checks"], whole, without, replays if bare else set())
    left = parse(write_with_comments(content), path) if content["checks"] else None
    return Fitted(left, absent, without, bare if replays else (), _lost(whole, without))


def find_data(place: str, folder: Path) -> Path | None:
    """Find a data file in the user's folder, or among those that the study brings along."""
    return next((one / place for one in (folder, FOLDER) if (one / place).is_file()), None)


def models_of(checklist: Checklist) -> list[str]:
    """List the models that the metrics of a checklist name."""
    named = (getattr(spec.options, "model", None) for spec in checklist.metrics.values())
    return list(dict.fromkeys(model for model in named if model))


def _metrics(whole: Checklist, models: set[str], data: list[Path]) -> dict[str, str]:
    """Say which metrics cannot be had; whatever builds on one cannot either."""
    scores = _stored_scores(whole, data)

    def lack(name: str) -> str:
        spec = whole.metrics[name]
        why = _why_not(spec, models, scores)
        return why or next(filter(None, map(lack, spec.options.refers)), "")

    return {name: why for name in whole.metrics if (why := lack(name))}


def _why_not(spec: MetricSpec, models: set[str], scores: set[str]) -> str:
    options = spec.options
    model = getattr(options, "model", None)
    if model and model not in models:
        return f"{model} was not run"
    if isinstance(options, StoredOptions) and options.name not in scores:
        return f"the data store no {options.name} for every candidate"
    return ""


def _stored_scores(whole: Checklist, data: list[Path]) -> set[str]:
    """List the scores that every candidate of the data carries, where a metric asks for any."""
    if not any(isinstance(spec.options, StoredOptions) for spec in whole.metrics.values()):
        return set()
    carried = [
        set(candidate.scores)
        for path in data
        for segment in load_data(str(path.absolute()), folder=path.parent).segments
        for candidate in segment.candidates
    ]
    return set.intersection(*carried) if carried else set()


def _remove(mapping: dict[str, Any], names: Iterable[str]) -> None:
    for name in names:
        mapping.pop(name, None)


def _cut_checks(
    checks: list[Any], whole: Checklist, without: Mapping[str, str], unfit: set[str]
) -> None:
    """Take metrics out of the checks, and checks out that then say nothing."""
    for position in reversed(range(len(checks))):
        check, written = whole.checks[position], checks[position].get("metrics")
        left = [name for name in check.metrics if name not in without]
        missing = any(other in without for other in check.expect.other_metrics)
        if not left or missing or check.name in unfit:
            del checks[position]
        elif isinstance(written, list):
            for name in [name for name in written if name in without]:
                written.remove(name)


def _lost(whole: Checklist, without: Mapping[str, str]) -> dict[str, str]:
    """Say why checks went that refer to a metric which did."""
    return {
        check.name: without[other]
        for check in whole.checks
        for other in check.expect.other_metrics
        if other in without
    }


def _perturb_anew(checks: list[Any]) -> None:
    perturbs = (check.get("perturb") for check in checks)
    for perturb in perturbs:
        for how in perturb.values() if isinstance(perturb, dict) else ():
            if isinstance(how, dict):
                how.pop("stored", None)
