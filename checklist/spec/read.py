"""Read a checklist: YAML in, a `Checklist` or all its mistakes out."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from shakeproof.errors import SpecError
from shakeproof.files import read_text, shown_path
from shakeproof.results import Tolerance
from shakeproof.spec.checks import read_checks
from shakeproof.spec.development import check_tuning, read_development
from shakeproof.spec.diagnostics import Notebook, Written
from shakeproof.spec.families import read_families
from shakeproof.spec.inline import check_segments, written_out
from shakeproof.spec.metrics import read_metrics
from shakeproof.spec.model import Check, Checklist, KnownFailure, MetricSpec, Perturb
from shakeproof.spec.positions import read_yaml
from shakeproof.spec.scope import Known
from shakeproof.stats.intervals import METHODS
from shakeproof.validation import shown

__all__ = ["Check", "Checklist", "KnownFailure", "MetricSpec", "Perturb", "load", "parse"]

OWN = "x-"  # keys that begin so are the user's, such as for anchors
EXAMPLE = "checklist: …, data: …, metrics: …, checks: …"
DATA = "data: sample, data: file.jsonl or data: {gu-en: a.jsonl, kk-en: b.jsonl}"
LANGUAGE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*")


class WrittenTolerance(Written):
    """Changes since a baseline that are overlooked, as they stand in the file."""

    correlation: Annotated[float, Field(ge=0)] | None = Field(
        None, description="Of correlations and shares; 0.005 if left out."
    )
    spread: Annotated[float, Field(ge=0)] | None = Field(
        None, description="Of scores, in spreads; 0.05 if left out."
    )


class WrittenChecklist(Written):
    """A checklist as it stands in the file."""

    checklist: str | None = Field(None, description="What the checklist is about.")
    data: Any = Field(
        None, description="sample, a path, a mapping from group to path, or segments written out."
    )
    language: str | None = Field(None, description="BCP 47 tag of references and candidates.")
    source_language: str | None = Field(None, description="BCP 47 tag of the sources.")
    seed: Annotated[int, Field(ge=0)] = Field(0, description="The first seed of perturbations.")
    seeds: Annotated[int, Field(ge=1)] = Field(1, description="How many seeds to average over.")
    confidence: Annotated[float, Field(ge=0.5, lt=1)] = Field(
        0.95, description="Of the intervals that verdicts go by."
    )
    draws: Annotated[int, Field(ge=100)] = Field(10_000, description="Bootstrap draws.")
    interval: Literal["expanded", "bca"] = Field(
        "expanded", description="How draws become an interval: expanded percentile, or BCa."
    )
    tolerance: WrittenTolerance | None = Field(
        None, description="Changes since a baseline that are overlooked."
    )
    development: Any = Field(
        None, description="The share of the data, from its beginning, set aside for tuning."
    )
    extend_with_copies: Annotated[int, Field(ge=1)] | None = Field(
        None, description="Every so many inputs get a copy of the source as a candidate, rated 0."
    )
    cluster: str | None = Field(
        None, description="A key of the segments, such as document; what shares it is drawn as one."
    )
    families: Any = Field(None, description="Perturbations of your own, by name.")
    metrics: Any = Field(None, description="Names of metrics, each with a kind and its options.")
    checks: Any = Field(None, description="What is expected of the metrics.")


def load(path: Path, *, rootdir: Path | None = None) -> Checklist:
    """Read a checklist file; all its mistakes are raised at once, one line each.

    Functions that it names are looked up beside it, then under `rootdir`, then on sys.path.
    """
    return parse(read_text(path), path, rootdir=rootdir)


def parse(text: str, path: Path, *, rootdir: Path | None = None) -> Checklist:
    """Read the text of a checklist that lies, or will lie, at `path`."""
    notebook = Notebook(read_yaml(text, shown_path(path)))
    written = notebook.written(WrittenChecklist, _own(notebook, shown_path(path)), ())
    _check_languages(written, notebook)
    metrics = read_metrics(written.metrics, notebook)
    development = read_development(written.development, notebook)
    check_tuning(metrics, development, notebook)
    known = _known(written, (path.parent, rootdir) if rootdir else (path.parent,), notebook)
    checklist = Checklist(
        path=path,
        text=text,
        sha256=hashlib.sha256(text.encode()).hexdigest(),
        title=written.checklist or path.name,
        data=_data(written.data, notebook),
        segments=tuple(written.data) if written_out(written.data) else (),
        metrics=metrics,
        checks=read_checks(written.checks, known, notebook),
        language=known.language,
        source_language=known.source_language,
        seed=written.seed,
        seeds=written.seeds,
        confidence=written.confidence,
        draws=written.draws,
        interval=METHODS[written.interval],
        development=development,
        extend_with_copies=written.extend_with_copies,
        cluster=written.cluster,
        families=known.families,
        declared_families=written.families if isinstance(written.families, dict) else {},
        tolerance=_tolerance(written.tolerance),
    )
    notebook.close()
    return checklist


def _tolerance(written: WrittenTolerance | None) -> Tolerance:
    given = {} if written is None else written.model_dump(exclude_none=True)
    return Tolerance(**given)


def _own(notebook: Notebook, file: str) -> dict[str, object]:
    """Take the keys of the file, those left out that are the user's own."""
    content = notebook.document.content
    if content is None:
        raise SpecError(f"{file}:1:1: the file is empty; a checklist has {EXAMPLE}")
    top = notebook.mapping(content, (), EXAMPLE)
    if top is None:
        notebook.close()
    return {key: value for key, value in (top or {}).items() if not key.startswith(OWN)}


def _known(written: WrittenChecklist, folders: tuple[Path, ...], notebook: Notebook) -> Known:
    """Gather what the checks may name."""
    return Known(
        metrics=tuple(written.metrics) if isinstance(written.metrics, dict) else (),
        families=read_families(written.families, folders, notebook),
        folders=folders,
        language=written.language,
        source_language=written.source_language,
    )


def _check_languages(written: WrittenChecklist, notebook: Notebook) -> None:
    for key in ("language", "source_language"):
        tag = getattr(written, key)
        if tag is not None and not LANGUAGE.fullmatch(tag):
            message = f"{key} must be a tag such as 'en' or 'pt-BR', got {shown(tag)}"
            notebook.note((key,), message)


def _data(raw: object, notebook: Notebook) -> dict[str, str]:
    """Read what the data are: one name or path, or one for each group."""
    top = ("data",)
    if raw is None or raw == {}:
        if not notebook.blamed(top):
            notebook.note(top, f"no data; write {DATA}", key=True)
        return {}
    if isinstance(raw, str) and raw.strip():
        return {"": raw}
    if written_out(raw):
        check_segments(raw, notebook)
        return {}
    if not isinstance(raw, dict):
        message = f"data must be a name, a path or a mapping of groups, got {shown(raw)}"
        notebook.note(top, f"{message}; write {DATA}")
        return {}
    for group, place in raw.items():
        notebook.check_name("group", group, (*top, group), key=True)
        if not isinstance(place, str) or not place.strip():
            notebook.note((*top, group), f"group {group!r} must be a path, got {shown(place)}")
    return {group: str(place) for group, place in raw.items()}
