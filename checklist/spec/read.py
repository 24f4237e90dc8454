"""Read a checklist: YAML or plain values in, a `Checklist` or all its mistakes out."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, ConfigDict, Field, ValidationInfo

from shakeproof.errors import SpecError
from shakeproof.expectations import Expectation
from shakeproof.files import read_text, shown_path
from shakeproof.metrics.options import Options
from shakeproof.metrics.settings import Precision
from shakeproof.results import Tolerance
from shakeproof.spec.checks import WrittenCheck, read_checks
from shakeproof.spec.data import are_segments, are_separate, data_type, read_data
from shakeproof.spec.development import Share, WrittenDevelopment, check_tuning, read_development
from shakeproof.spec.diagnostics import Diagnostics
from shakeproof.spec.extends import (
    EXTENDS,
    MAX_FILE,
    USER_KEYS,
    extends_type,
    parse_document,
    with_bases,
)
from shakeproof.spec.families import families_type, read_families
from shakeproof.spec.metrics import kind_of, metrics_type, read_metrics
from shakeproof.spec.model import MISSING_AT_MOST, Checklist, Ratings
from shakeproof.spec.positions import Document, read_yaml
from shakeproof.spec.ratings import KEY, rating_type, read_ratings
from shakeproof.spec.resolved import resolved_content
from shakeproof.spec.scope import Scope
from shakeproof.spec.written import SchemaOf, Written, list_of
from shakeproof.spec.yaml_writing import plain_values, write_yaml
from shakeproof.stats.intervals import METHODS
from shakeproof.validation import shown

EXAMPLE = "checklist: …, data: …, metrics: …, checks: …"
MAX_SEEDS = 1000
MAX_DRAWS = 1_000_000
LANGUAGE = r"[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*"


def _check_language(tag: str, info: ValidationInfo) -> str:
    if not re.fullmatch(LANGUAGE, tag):
        raise ValueError(
            f"{info.field_name} must be a tag such as 'en' or 'pt-BR', got {shown(tag)}"
        )
    return tag


Language = Annotated[
    str, AfterValidator(_check_language), Field(json_schema_extra={"pattern": f"^{LANGUAGE}$"})
]


class WrittenTolerance(Written):
    """How much worse than a baseline estimates may be, as written in the file."""

    correlation: Annotated[float, Field(ge=0)] | None = Field(
        None, description="Of correlations and shares; 0.005 if left out."
    )
    spread: Annotated[float, Field(ge=0)] | None = Field(
        None, description="Of scores, in spreads; 0.05 if left out."
    )


class WrittenChecklist(Written):
    """A checklist as written in the file."""

    model_config = ConfigDict(
        title="shakeproof checklist",
        json_schema_extra={
            "required": ["checks"],
            "patternProperties": {f"^{USER_KEYS}": {}},
        },
    )

    checklist: str | None = Field(None, description="What the checklist is about.")
    extends: Annotated[Any, SchemaOf(extends_type)] = Field(
        None, description="Files whose settings are taken over; what is written here wins."
    )
    data: Annotated[Any, SchemaOf(data_type)] = Field(
        None,
        description="A name, a path, paths by group, data sets under each, or segments.",
    )
    language: Language | None = Field(None, description="BCP 47 tag of references and candidates.")
    source_language: Language | None = Field(None, description="BCP 47 tag of the sources.")
    seed: Annotated[int, Field(ge=0)] = Field(0, description="The first seed of perturbations.")
    seeds: Annotated[int, Field(ge=1, le=MAX_SEEDS)] = Field(
        1, description="How many seeds to average over."
    )
    confidence: Annotated[float, Field(ge=0.5, lt=1)] = Field(
        0.95, description="Of the intervals that decide the verdicts."
    )
    draws: Annotated[int, Field(ge=100, le=MAX_DRAWS)] = Field(
        10_000, description="Bootstrap draws."
    )
    interval: Literal["studentised", "expanded", "bca"] = Field(
        "studentised",
        description="How draws become an interval: studentised, expanded percentile, or BCa.",
    )
    tolerance: WrittenTolerance | None = Field(
        None, description="How much worse than a baseline estimates may be."
    )
    development: Annotated[Any, SchemaOf(lambda: Share | WrittenDevelopment | None)] = Field(
        None, description="The share of the data, from its beginning, set aside for tuning."
    )
    extend_with_copies: Annotated[int, Field(ge=1)] | None = Field(
        None, description="Every so many inputs get a copy of the source as a candidate, rated 0."
    )
    cluster: str | None = Field(
        None, description="A key of the segments, such as document; equal ones are drawn together."
    )
    missing_at_most: Annotated[float, Field(ge=0, le=1)] = Field(
        MISSING_AT_MOST,
        description="The share of candidates without a score above which a check is undecided.",
    )
    precision: Precision = Field(
        "auto", description="The number format of models; auto: float16 on CUDA, else float32."
    )
    rating: Annotated[Any, SchemaOf(rating_type)] = Field(
        None, description="The aspect whose ratings decide the checks; several, each or mean."
    )
    families: Annotated[Any, SchemaOf(families_type)] = Field(
        None, description="Perturbations of your own, by name."
    )
    metrics: Annotated[Any, SchemaOf(metrics_type)] = Field(
        None, description="Names of metrics, each with a kind and its options."
    )
    checks: Annotated[Any, SchemaOf(lambda: list_of(WrittenCheck))] = Field(
        None, description="What is expected of the metrics."
    )


def load(
    path: Path, *, rootdir: Path | None = None, run_code: bool = True, partial: bool = False
) -> Checklist:
    """Read a checklist file; all its mistakes are raised at once, one line each.

    Functions that it names are looked up beside it, then under `rootdir`, then on sys.path.
    Without `run_code` none of them is imported, and the checklist can be checked but not run.
    With `partial`, a file with neither title nor checks, for others to extend, may lack data and
    metrics too.
    """
    text = read_text(path, megabytes=MAX_FILE)
    return _read(parse_document(text, path), text, path, rootdir, run_code, partial)


def parse(
    text: str, path: Path, *, rootdir: Path | None = None, run_code: bool = True
) -> Checklist:
    """Read the text of a checklist that is, or will be, at `path`."""
    return _read(parse_document(text, path), text, path, rootdir, run_code)


def load_resolved(path: Path, *, rootdir: Path | None = None) -> str:
    """Return a checklist with everything that it extends, as YAML that means the same at `path`."""
    document = with_bases(parse_document(read_text(path, megabytes=MAX_FILE), path))
    return write_yaml(resolved_content(document, rootdir, os.environ))


def build_checklist(
    content: Mapping[str, Any], path: Path, *, rootdir: Path | None = None
) -> Checklist:
    """Read a checklist from plain values, as `parse` reads those of a file at `path`.

    A metric may be an `Options` and an expectation an `Expectation`. Mistakes name values by their
    path, such as checks[2].expect. The checklist's `text` is the YAML with the same meaning.
    """
    text = write_yaml(plain_values(content, _as_written))
    positions = read_yaml(text, shown_path(path))  # for the lines of checks and metrics
    document = replace(positions, content=plain_values(content), from_code=True, path=path)
    return _read(document, text, path, rootdir)


def _as_written(value: object) -> object:
    """Return an object as a checklist file would say it."""
    if isinstance(value, Expectation | Options):
        name = value.name if isinstance(value, Expectation) else kind_of(value)
        return {name: value.model_dump(mode="json", by_alias=True, exclude_defaults=True)}
    raise SpecError(f"a checklist has only texts, numbers, lists and mappings, got {shown(value)}")


def _without_segments(content: Mapping[str, Any]) -> str:
    return write_yaml(plain_values({**content, "data": "left out"}, _as_written))


def _read(
    document: Document,
    text: str,
    path: Path,
    rootdir: Path | None,
    run_code: bool = True,
    partial: bool = False,
) -> Checklist:
    document = with_bases(document)
    diagnostics = Diagnostics(document)
    top = _top_level(document, diagnostics)
    recorded = resolved_content(document, rootdir) if EXTENDS in top else top
    if EXTENDS in top:
        text = write_yaml(plain_values(recorded, _as_written))
    content = {key: value for key, value in top.items() if not key.startswith(USER_KEYS)}
    if partial:
        _ask_less_of_a_base(content, diagnostics)
    written = diagnostics.written(WrittenChecklist, content, ())
    folders = (path.parent, rootdir) if rootdir else (path.parent,)
    metrics = read_metrics(content.get("metrics"), folders, diagnostics)
    development = read_development(written.development, diagnostics)
    check_tuning(metrics, development, diagnostics)
    scope = _scope(written, folders, diagnostics, run_code=run_code)
    tolerance = written.tolerance
    segments = tuple(written.data) if are_segments(written.data) else ()
    checklist = Checklist(
        path=path,
        text=text,
        text_without_segments=_without_segments(recorded) if segments else text,
        sha256=hashlib.sha256(text.encode()).hexdigest(),
        title=written.checklist or path.name,
        data=read_data(written.data, os.environ, diagnostics),
        segments=segments,
        metrics=metrics,
        checks=read_checks(content.get("checks"), scope, diagnostics),
        language=scope.language,
        source_language=scope.source_language,
        seed=written.seed,
        seeds=written.seeds,
        confidence=written.confidence,
        draws=written.draws,
        interval=METHODS[written.interval],
        tolerance=Tolerance(**tolerance.model_dump(exclude_none=True) if tolerance else {}),
        development=development,
        extend_with_copies=written.extend_with_copies,
        cluster=written.cluster,
        missing_at_most=written.missing_at_most,
        precision=written.precision,
        families=scope.families,
        declared_families=written.families or {},
        data_file=diagnostics.base(("data",)),
        separate=are_separate(written.data),
        ratings=scope.ratings,
    )
    diagnostics.raise_mistakes()
    return checklist


def _ask_less_of_a_base(content: Mapping[str, Any], diagnostics: Diagnostics) -> None:
    """Do not ask for keys that a file without title and checks leaves to those that extend it."""
    if not {"checklist", "checks"} & content.keys():
        for key in ("data", "metrics", "checks"):
            diagnostics.mark_wrong((key,))


def _top_level(document: Document, diagnostics: Diagnostics) -> dict[str, Any]:
    """Return the keys of a checklist; a document without any is a mistake."""
    if document.content is None:
        raise SpecError(f"{document.file}:1:1: the file is empty; a checklist has {EXAMPLE}")
    top = diagnostics.mapping(document.content, (), EXAMPLE)
    if top is None:
        diagnostics.raise_mistakes()
    return top or {}


def _scope(
    written: WrittenChecklist,
    folders: tuple[Path, ...],
    diagnostics: Diagnostics,
    *,
    run_code: bool,
) -> Scope:
    """Return the names that checks may use."""
    return Scope(
        metrics=tuple(written.metrics) if isinstance(written.metrics, dict) else (),
        families=read_families(written.families, folders, diagnostics, run_code=run_code),
        folders=folders,
        language=written.language,
        source_language=written.source_language,
        ratings=read_ratings(written.rating, (KEY,), diagnostics) or Ratings(),
    )
