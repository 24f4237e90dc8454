"""How a study is cut to the data files and models at hand."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Any

from shakeproof.data.loading import load_data
from shakeproof.data.segments import DataSet
from shakeproof.errors import SpecError, unknown
from shakeproof.files import shown_path
from shakeproof.metrics.kinds.stored import StoredOptions
from shakeproof.metrics.models.files import ModelNotFound, find_model, require_libraries
from shakeproof.metrics.settings import Settings
from shakeproof.spec.model import Check, Checklist, MetricSpec
from shakeproof.spec.read import build_checklist
from shakeproof.studies import FOLDER, Study
from shakeproof.studies.spaces import has_spaces

SPACED = "spaces are put between all characters, as the paper did, so that words are characters"
GET = "shakeproof data get"
NO_MODEL = "none"  # with --models: only the metrics that need no model


@dataclass(frozen=True, slots=True)
class AvailableStudy:
    """A study cut to the data files and models at hand."""

    study: Study
    checklists: tuple[Checklist, ...]
    left_out: Mapping[str, str]  # groups, metrics and checks, and why
    remarks: tuple[str, ...]  # the same for the terminal, in few lines
    unspaced: frozenset[str] = frozenset()  # files whose characters get spaces between them


@dataclass(frozen=True, slots=True)
class CutChecklist:
    """A checklist without the parts that cannot run, and which parts these are."""

    checklist: Checklist | None  # None: nothing of it can run
    missing_files: Mapping[str, str]  # by group
    metrics: Mapping[str, str] = field(default_factory=dict)  # left out, and why
    checks: Mapping[str, str] = field(default_factory=dict)  # that refer to those, and why
    unperturbed_files: tuple[str, ...] = ()  # without the perturbed texts that checks replay


def prepare_study(
    study: Study,
    folder: Path,
    settings: Settings,
    *,
    models: Sequence[str] | None = None,
    ours: bool = False,
) -> AvailableStudy:
    """Cut the checklists to the data in the folder and the models at hand; score nothing.

    With `ours`, the families perturb the texts again instead of replaying those of the authors,
    where the checklist names the language.
    """
    if not folder.is_dir():
        raise SpecError(
            f"{shown_path(folder)}: no such folder; name that of the data with --data, or run {GET}"
        )
    contents = [study.content(name) for name in study.checklists]
    if ours:
        contents = [without_replays(content) for content in contents]
    wholes = [
        build_checklist(content, folder / f"{name}.checklist.yaml")
        for name, content in zip(study.checklists, contents, strict=True)
    ]
    _require_data(wholes, folder)
    known = list(dict.fromkeys(model for whole in wholes for model in models_of(whole)))
    chosen = choose_models(models, known, replace(settings, folder=folder))
    cuts = [
        cut_checklist(whole, content, chosen)
        for whole, content in zip(wholes, contents, strict=True)
    ]
    missing = {group: file for cut in cuts for group, file in cut.missing_files.items()}
    unspaced = sorted(set(files_without_spaces(study, folder)))
    return AvailableStudy(
        study=study,
        checklists=tuple(cut.checklist for cut in cuts if cut.checklist),
        left_out=_left_out(cuts, missing),
        remarks=(
            *_remarks(
                files=list(missing.values()),
                models=[model for model in known if model not in chosen],
                unperturbed=[file for cut in cuts for file in cut.unperturbed_files],
                requested=models is not None,
            ),
            *(f"{file}: {SPACED}" for file in unspaced),
        ),
        unspaced=frozenset(unspaced),
    )


def _require_data(wholes: Sequence[Checklist], folder: Path) -> None:
    """Refuse a folder that has none of the files."""
    files = list(dict.fromkeys(file for whole in wholes for file in whole.data.values()))
    if not any((folder / file).is_file() for file in files):
        raise SpecError(f"{shown_path(folder)}: has none of {', '.join(files)}; run {GET}")


def _left_out(cuts: Sequence[CutChecklist], missing: Mapping[str, str]) -> dict[str, str]:
    """Return the groups, checks and metrics that cannot be measured, and why."""
    return {
        **{group: f"{file} is not in the folder" for group, file in missing.items()},
        **{name: reason for cut in cuts for name, reason in cut.checks.items()},
        **{name: reason for cut in cuts for name, reason in cut.metrics.items()},
    }


def files_without_spaces(study: Study, folder: Path) -> Iterator[str]:
    """Yield the files whose texts lack the spaces that the paper scored them with."""
    spaced = (variant.data for variant in study.variants.values() if variant.spaced)
    for file in chain.from_iterable(data.values() for data in spaced):
        if (path := find_data(file, folder)) and not has_spaces(read_data(path)):
            yield file


def read_data(path: Path, group: str = "") -> DataSet:
    """Read a data file of a study."""
    return load_data(str(path.absolute()), folder=path.parent, name=group)


def _remarks(
    files: Sequence[str], models: Sequence[str], unperturbed: Sequence[str], *, requested: bool
) -> Iterator[str]:
    if files:
        yield f"left out, not in the folder: {', '.join(files)}"
    if models and requested:
        yield f"left out, not among --models: {', '.join(models)}"
    elif models:
        yield (
            "left out, not on this machine (--models downloads the models that it names): "
            f"{', '.join(models)}"
        )
    if unperturbed:
        yield (
            f"attacks left out, no attacked references in: {', '.join(unperturbed)}; "
            "--ours attacks the English references again"
        )


def choose_models(
    requested: Sequence[str] | None, known: Sequence[str], settings: Settings
) -> list[str]:
    """Return the requested models, by full or short name; if None, all that need no download.

    `none` requests no model: the metrics that need none are run all the same.
    """
    if requested is None:
        offline = replace(settings, offline=True)
        return [name for name in known if not _why_no_model(name, offline)]
    if list(requested) == [NO_MODEL]:
        return []
    short = {name.rpartition("/")[2]: name for name in known}
    names = []
    for name in requested:
        if name not in known and name not in short:
            raise unknown("model", name, [*short, NO_MODEL])
        names.append(short.get(name, name))
    for name in names:
        if reason := _why_no_model(name, settings):
            raise SpecError(reason)
    return names


def _why_no_model(name: str, settings: Settings) -> str:
    try:
        require_libraries()
        find_model(name, offline=settings.offline, folder=Path(settings.folder))
    except ModelNotFound as error:
        return str(error)
    return ""


def models_of(checklist: Checklist) -> list[str]:
    """List the models that the metrics of a checklist use."""
    models = (getattr(spec.options, "model", None) for spec in checklist.metrics.values())
    return list(dict.fromkeys(model for model in models if model))


def find_data(file: str, folder: Path) -> Path | None:
    """Return the path of a data file: in the user's folder, or else shipped with the study."""
    return next((path / file for path in (folder, FOLDER) if (path / file).is_file()), None)


def without_replays(content: Mapping[str, Any]) -> dict[str, Any]:
    """Return the content with checks that perturb texts again, if it names the language."""
    if not content.get("language"):
        return dict(content)
    return {**content, "checks": [_without_replay(check) for check in content["checks"]]}


def _without_replay(check: Mapping[str, Any]) -> Mapping[str, Any]:
    if "perturb" not in check:
        return check
    perturb = {
        family: {key: value for key, value in options.items() if key != "stored"}
        for family, options in check["perturb"].items()
    }
    return {**check, "perturb": perturb}


def cut_checklist(
    whole: Checklist, content: Mapping[str, Any], models: Collection[str]
) -> CutChecklist:
    """Return a checklist without what cannot run; `content` is what it was built from.

    Left out are groups without a file, metrics without a model or stored scores, and checks that
    would replay perturbed texts which the data do not have. Files are searched for in the folder of
    the checklist, then among those shipped with the study.
    """
    paths = {group: find_data(file, whole.path.parent) for group, file in whole.data.items()}
    missing = {group: whole.data[group] for group, path in paths.items() if path is None}
    data = [path for path in paths.values() if path]
    if not data:
        return CutChecklist(None, missing)
    unperturbed = tuple(path.name for path in data if b'"perturbed"' not in path.read_bytes())
    replays = {
        check.name for check in whole.checks if any(perturb.stored for perturb in check.perturb)
    }
    metrics = _unavailable_metrics(whole, models, data)
    cut = {
        **content,
        "data": _without(content["data"], missing),
        "metrics": _without(content["metrics"], metrics),
        "checks": [
            entry
            for check, written in zip(whole.checks, content["checks"], strict=True)
            if not (unperturbed and check.name in replays)
            for entry in _cut_check(check, written, metrics)
        ],
    }
    return CutChecklist(
        checklist=build_checklist(cut, whole.path) if cut["checks"] else None,
        missing_files=missing,
        metrics=metrics,
        checks={
            check.name: metrics[other]
            for check in whole.checks
            for other in check.expect.other_metrics
            if other in metrics
        },
        unperturbed_files=unperturbed if replays else (),
    )


def _without(mapping: Mapping[str, Any], names: Collection[str]) -> dict[str, Any]:
    return {name: value for name, value in mapping.items() if name not in names}


def _cut_check(
    check: Check, written: Mapping[str, Any], unavailable: Collection[str]
) -> Iterator[Mapping[str, Any]]:
    """Yield a check without the unavailable metrics, or nothing if it cannot do without them."""
    metrics = [name for name in check.metrics if name not in unavailable]
    if metrics and not any(name in unavailable for name in check.expect.other_metrics):
        yield {**written, "metrics": metrics} if "metrics" in written else written


def _unavailable_metrics(
    whole: Checklist, models: Collection[str], data: Iterable[Path]
) -> dict[str, str]:
    """Return the metrics that cannot run, and why; formulas over them cannot run either."""
    scores = _stored_scores(whole, data)

    def reason(name: str) -> str:
        spec = whole.metrics[name]
        own = _why_unavailable(spec, models, scores)
        return own or next(filter(None, map(reason, spec.options.refers)), "")

    return {name: why for name in whole.metrics if (why := reason(name))}


def _why_unavailable(spec: MetricSpec, models: Collection[str], scores: Collection[str]) -> str:
    model = getattr(spec.options, "model", None)
    if model and model not in models:
        return f"{model} was not run"
    if isinstance(spec.options, StoredOptions) and spec.options.name not in scores:
        return f"not every candidate of the data has a stored {spec.options.name}"
    return ""


def _stored_scores(whole: Checklist, data: Iterable[Path]) -> set[str]:
    """Return the names of the scores that every candidate has, if a metric uses stored scores."""
    if not any(isinstance(spec.options, StoredOptions) for spec in whole.metrics.values()):
        return set()
    names = [
        set(candidate.scores)
        for path in data
        for segment in read_data(path).segments
        for candidate in segment.candidates
    ]
    return set.intersection(*names) if names else set()
