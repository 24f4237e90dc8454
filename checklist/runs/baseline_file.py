"""Baselines as files for a repository: without texts, small, one line for each result.

Lines are sorted and an empty line follows each, so that git merges changes of two neighbours.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeAlias

from pydantic import ValidationError

from shakeproof.errors import SpecError, cut
from shakeproof.files import read_text, shown_path
from shakeproof.metrics.files import is_there
from shakeproof.results import ChecklistRecord, CheckRecord, MetricRecord, Result, Run
from shakeproof.runs.archive import as_json, read_run
from shakeproof.runs.compare import SHARES_KEPT
from shakeproof.stats.coarse import make_coarse, read_coarse

JSON = dict[str, Any]
Lines: TypeAlias = dict[str, tuple[int, JSON]]  # number and content, by name

SUFFIX = ".jsonl"
NAME = "shakeproof-baseline/"
SCHEMA = f"{NAME}1"
MAX_HEADER = 1_000  # bytes of the first line that are read to recognise a file
HEADER = {"schema_version": SCHEMA}
KINDS = ("checklist", "metric", "check", "result")
SEPARATOR = "::"
CONFLICT = ("<<<<<<<", "=======", ">>>>>>>", "|||||||")
WRITE_AGAIN = "shakeproof baseline update writes the file again once it is deleted"
DATA = {"name", "sha256", "segments", "candidates", "rated", "preferences"}
CHECKLIST = {"seed", "cluster", "families"}
METRIC = {"kind", "signature"}
ESTIMATE = {"value", "confidence", "segments"}
RESULT = {
    "expectation",
    "quantity",
    "unit",
    "coefficient",
    "rating",
    "family",
    "field",
    "level",
    "levels",
    "seeds",
    "stored",
    "bounds",
    "verdict",
    "outcome",
}


def is_baseline_file(path: Path) -> bool:
    """Return whether a file has lines of results; a file yet to be written, whether it should."""
    if not is_there(path):
        return path.suffix == SUFFIX
    try:
        with path.open("rb") as stream:
            return NAME.encode() in stream.readline(MAX_HEADER)
    except OSError:
        return False  # whoever reads it reports why


def read_stored_run(path: Path) -> Run:
    """Read a baseline or a run.json; SpecError says in one line why a file is neither."""
    if is_there(path) and is_baseline_file(path):
        return parse_baseline(read_text(path), shown_path(path))
    return read_run(path)


def baseline_text(path: Path, run: Run) -> str:
    """Return a run as the file at `path` has it, or should have it: as lines, or as run.json."""
    return "".join(baseline_lines(run)) if is_baseline_file(path) else as_json(run)


def baseline_lines(run: Run) -> Iterator[str]:
    """Yield the lines of a baseline, each followed by an empty one."""
    lines = [line for record in run.checklists for line in _record_lines(record, run.results)]
    lines += [{"result": result.id, **_result_line(result)} for result in run.results]
    lines.sort(key=lambda line: (KINDS.index(next(iter(line))), next(iter(line.values()))))
    for line in (HEADER, *lines):
        yield json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n\n"


def _record_lines(record: ChecklistRecord, results: Iterable[Result]) -> Iterator[JSON]:
    """Yield what decides whether results of a checklist can be compared."""
    own_results = [result for result in results if result.file == record.file]
    checklist = record.model_dump(mode="json", include=CHECKLIST, exclude_defaults=True)
    data_sets = [data.model_dump(mode="json", include=DATA) for data in record.data]
    yield {"checklist": record.file, **checklist, "data": data_sets}
    for metric in record.metrics:
        if any(result.metric == metric.name for result in own_results):
            name = SEPARATOR.join([record.file, metric.name])
            yield {"metric": name, **metric.model_dump(mode="json", include=METRIC)}
    for name, check in record.checks.items():
        if any(result.check == name for result in own_results):
            yield {"check": SEPARATOR.join([record.file, name]), **check.model_dump(mode="json")}


def _result_line(result: Result) -> JSON:
    names = {"file": result.file, "metric": result.metric, "check": result.check}
    line: JSON = {key: name for key, name in names.items() if _names(result.id)[key] != name}
    line |= result.model_dump(mode="json", include=RESULT, exclude_defaults=True)
    if result.estimate is not None:
        estimate = result.estimate.model_dump(include=ESTIMATE, exclude_defaults=True)
        ends = {"low": result.estimate.low, "high": result.estimate.high}
        estimate |= {key: float(f"{end:.6g}") for key, end in ends.items() if end is not None}
        line["estimate"] = estimate
    kept = SHARES_KEPT.get(result.expectation)
    shares = [part for part in result.parts if part.name == kept and not part.group]
    if shares:
        line["parts"] = [{"name": kept, "estimate": {"value": shares[0].estimate.value}}]
    if result.influence:
        line["influence"] = make_coarse(result.influence)
    return line


def _names(identifier: str) -> dict[str, str]:
    """Return the file, metric and check that the id of a result names."""
    file, metric, check, _ = (identifier.rsplit(SEPARATOR, 3) + [""] * 3)[:4]
    return {"file": file, "metric": metric, "check": check}


def parse_baseline(text: str, shown: str) -> Run:
    """Make a run from the lines of a baseline; SpecError names the first line that is wrong."""
    lines: dict[str, Lines] = {kind: {} for kind in KINDS}
    for number, kind, name, content in _named_lines(text, shown):
        if name in lines[kind]:
            message = f"{kind} {cut(repr(name))} is on an earlier line too"
            raise SpecError(f"{shown}:{number}: {message}; delete one of the two")
        lines[kind][name] = number, content
    results = [_result(*line, shown) for line in lines["result"].items()]
    records = [_record(*line, lines, shown) for line in lines["checklist"].items()]
    return Run(
        shakeproof="",
        started="",
        seconds=0.0,
        command="",
        environment={},
        settings={},
        checklists=tuple(records),
        results=tuple(results),
        texts=False,
    )


def _named_lines(text: str, shown: str) -> Iterator[tuple[int, str, str, JSON]]:
    """Yield the number, kind, name and content of each line after the header."""
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        content = _content(line, f"{shown}:{number}")
        if number == 1:
            _check_version(content, shown)
            continue
        kind, name = next(iter(content.items()), ("", None))
        if kind not in KINDS or not isinstance(name, str):
            raise SpecError(f"{shown}:{number}: not a line of a baseline; {WRITE_AGAIN}")
        del content[kind]
        yield number, kind, name, content


def _content(line: str, place: str) -> JSON:
    if line.startswith(CONFLICT):
        raise SpecError(f"{place}: a merge conflict; keep one of the two lines, or {WRITE_AGAIN}")
    try:
        content = json.loads(line)
    except (ValueError, RecursionError):
        raise SpecError(f"{place}: not JSON; {WRITE_AGAIN}") from None
    if not isinstance(content, dict):
        raise SpecError(f"{place}: not a line of a baseline; {WRITE_AGAIN}")
    return content


def _check_version(header: JSON, shown: str) -> None:
    version = header.get("schema_version")
    if version != SCHEMA:
        raise SpecError(
            f"{shown}: schema_version {cut(repr(version))} is unknown here, this shakeproof reads "
            f"{SCHEMA!r}; a newer one may read it"
        )


def _result(name: str, line: tuple[int, JSON], shown: str) -> Result:
    number, content = line
    with _mistakes_of_line(f"{shown}:{number}"):
        if influence := content.get("influence"):
            read_coarse(influence)
        fields = {"id": name, **_names(name), "line": 0, "statement": "", **content}
        return Result.model_validate(fields)


def _record(
    file: str, line: tuple[int, JSON], lines: Mapping[str, Lines], shown: str
) -> ChecklistRecord:
    number, content = line
    with _mistakes_of_line(f"{shown}:{number}"):
        fields = {"file": file, "title": "", "sha256": "", "text": "", **content}
        record = ChecklistRecord.model_validate({**fields, "metrics": ()})
    return record.model_copy(
        update={
            "metrics": tuple(
                _metric(name, line, shown) for name, line in _lines_of(file, lines["metric"])
            ),
            "checks": {name: _check(line, shown) for name, line in _lines_of(file, lines["check"])},
        }
    )


def _lines_of(file: str, lines: Lines) -> Iterator[tuple[str, tuple[int, JSON]]]:
    """Yield the lines of a checklist, by the name of their metric or check."""
    for whole, line in lines.items():
        checklist, _, name = whole.rpartition(SEPARATOR)
        if checklist == file:
            yield name, line


def _metric(name: str, line: tuple[int, JSON], shown: str) -> MetricRecord:
    with _mistakes_of_line(f"{shown}:{line[0]}"):
        return MetricRecord.model_validate({"name": name, "settings": {}, **line[1]})


def _check(line: tuple[int, JSON], shown: str) -> CheckRecord:
    with _mistakes_of_line(f"{shown}:{line[0]}"):
        return CheckRecord.model_validate(line[1])


@contextmanager
def _mistakes_of_line(place: str) -> Iterator[None]:
    """Report values that are not valid in one line."""
    try:
        yield
    except ValidationError as error:
        first = error.errors()[0]
        why = f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
        raise SpecError(f"{place}: not a line of a baseline: {cut(why)}") from None
    except (ValueError, AttributeError) as error:
        raise SpecError(f"{place}: not a line of a baseline: {cut(str(error))}") from None
