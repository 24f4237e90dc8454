"""Older versions of run.json, converted to the present one.

Versions 1 and 2 do not record what a checklist sets around its checks, so it is read from the
checklist's text, here and nowhere else.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from pydantic import ValidationError

from shakeproof.errors import SpecError
from shakeproof.expectations import EXPECTATIONS
from shakeproof.results import SCHEMA, Bounds, Change, ChangeKind, Estimate, PartName, Tolerance
from shakeproof.runs.assemble import check_record
from shakeproof.runs.compare import kind_of
from shakeproof.spec.positions import read_yaml
from shakeproof.text import spans_between

JSON = dict[str, Any]

PART_NAMES = {"wins": PartName.COPY_WINS, "mean": PartName.MEAN_CANDIDATE}  # of version 1


def converted(content: JSON) -> JSON:
    """Return the content of an old run.json as the present version would have it.

    What is not of the expected form is left for the validation of the whole to report.
    """
    run = dict(content, schema_version=SCHEMA)
    for key, convert in (("checklists", _checklist), ("results", _result)):
        if isinstance(run.get(key), list):
            run[key] = [convert(one) if isinstance(one, dict) else one for one in run[key]]
    return run


def _checklist(record: JSON) -> JSON:
    written: Any = None
    with suppress(SpecError):
        written = read_yaml(str(record.get("text", "")), str(record.get("file", ""))).content
    if not isinstance(written, dict):
        return record
    keys = ("seeds", "confidence", "draws", "cluster")
    top = {key: written[key] for key in keys if key in written}
    families = written.get("families")
    tolerance = written.get("tolerance")
    with suppress(ValidationError):
        top["tolerance"] = Tolerance.model_validate(tolerance or {}).model_dump()
    return {
        **top,
        **record,
        "families": families if isinstance(families, dict) else {},
        "checks": dict(_checks(written.get("checks"))),
    }


def _checks(written: object) -> list[tuple[str, JSON]]:
    """Return the checks as they are recorded now; one that is not understood is left out."""
    records = []
    for check in written if isinstance(written, list) else ():
        with suppress(AttributeError, KeyError, TypeError, ValueError):
            expect = check["expect"]
            name, settings = (expect, {}) if isinstance(expect, str) else next(iter(expect.items()))
            model = EXPECTATIONS[name].model_validate(settings or {})
            records.append((check["check"], check_record(model).model_dump()))
    return records


def _result(result: JSON) -> JSON:
    present = dict(result)
    for key, convert in (("examples", _example), ("parts", _part)):
        if isinstance(result.get(key), list):
            present[key] = [convert(one) for one in result[key]]
    if isinstance(result.get("change"), dict):
        present["change"] = _change(result, result["change"])
    return present


def _example(example: Any) -> Any:  # noqa: ANN401 - whatever the file holds
    """Add the spans of the edits, which are computed with the evidence now."""
    if not isinstance(example, dict):
        return example
    spans = {}
    for key, after in (("spans", "after"), ("minimal_spans", "minimal")):
        before, edited = example.get("before"), example.get(after)
        if isinstance(before, str) and isinstance(edited, str):
            spans[key] = [span.model_dump() for span in spans_between(before, edited)]
    return {**example, **spans}


def _part(part: Any) -> Any:  # noqa: ANN401 - whatever the file holds
    if not isinstance(part, dict):
        return part
    name = part.get("name", "")
    return {**part, "name": PART_NAMES.get(name, name) if isinstance(name, str) else name}


def _change(result: JSON, written: JSON) -> JSON:
    """Convert a change, which was an estimate alone."""
    try:
        estimate = Estimate.model_validate(written)
        bounds = Bounds.model_validate(result.get("bounds") or {})
    except ValidationError:
        return written
    moved = estimate.value or estimate.low
    return Change(
        kind=kind_of(estimate, bounds) if moved else ChangeKind.UNCHANGED,
        estimate=estimate,
        regressed=result.get("outcome") == "failed" and result.get("verdict") != "fail",
    ).model_dump()
