"""A counterexample as a checklist, which fails for as long as it breaks the metric."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from math import ceil, floor, log10
from typing import Any

from shakeproof.evidence.search.edited_text import edits_of_texts
from shakeproof.evidence.search.minimal import Counterexample
from shakeproof.plan.items import Item
from shakeproof.scoring.score_table import ScoreTable
from shakeproof.spec.yaml_writing import escape_invisible
from shakeproof.stats.rows import TIE

FAMILY = "pinned"  # the name of the stored perturbation
DEFAULT_EDITS = 3  # of expect: search
DIGITS = 4  # of a limit
BARE = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")  # needs no quotes in YAML
RESERVED = frozenset({"true", "false", "null"})


def counterexample_checklist(
    score_table: ScoreTable, item: Item, counterexample: Counterexample
) -> str:
    """Write the checklist in YAML; paths in it are relative to the file that declares the metric.

    A counterexample that came from such a checklist gets none.
    """
    checklist, check = score_table.plan.checklist, item.check
    if item.perturb and item.perturb.family == FAMILY:
        return ""
    top = {
        "checklist": f"a counterexample to: {check.name}",
        "language": checklist.language,
        "source_language": checklist.source_language,
    }
    entry = {
        "check": check.name,
        "metrics": [item.metric],
        "perturb": {FAMILY: _perturb(counterexample)},
        "expect": {"search": {**_limits(counterexample), **_edits(counterexample)}},
    }
    declaring = checklist.metrics[item.metric].file or checklist.path
    lines = [f"# keep it as pinned.checklist.yaml beside {declaring.name}"]
    lines += [f"{key}: {flow_yaml(value)}" for key, value in top.items() if value is not None]
    lines += ["data:", *_list_entry(_segment(counterexample)), "metrics:"]
    for name, options in _metrics(score_table, item.metric):
        lines.append(f"  {flow_yaml(name)}: {flow_yaml(options)}")
    return "\n".join([*lines, "checks:", *_list_entry(entry)]) + "\n"


def _perturb(counterexample: Counterexample) -> dict[str, Any]:
    """Write how the edited texts are used; an order of candidates is only judged if it holds."""
    text = counterexample.text
    judged = text.field == "candidate" and text.limits is None
    return {"on": text.field, "stored": True} | ({"keeps_meaning": True} if judged else {})


def _limits(counterexample: Counterexample) -> dict[str, Any]:
    """Write the limit that was broken in raw scores, rounded so that it is still broken."""
    text = counterexample.text
    if text.limits is None:
        return {"scores": "flip"}
    limits, unit = text.limits.allowed, text.limits.unit
    movement = text.limits.movement(counterexample.scores[0] - text.clean_scores[0])
    above = movement > limits.high * unit
    wider = max(limits.tie - TIE, 0.0)  # a search has the default tie
    bound = (
        _rounded(limits.high * unit + wider, floor)
        if above
        else _rounded(limits.low * unit + wider, ceil)
    )
    direction = {} if limits.direction == "change" else {"scores": limits.direction}
    return {**direction, "at_most" if above else "at_least": bound, "unit": "raw"}


def _rounded(value: float, to_integer: Callable[[float], int]) -> float:
    """Round a number down or up to a few digits."""
    if value == 0:
        return 0.0
    digits = DIGITS - 1 - floor(log10(abs(value)))
    return float(f"{to_integer(round(value * 10.0**digits, 6)) / 10.0**digits:.12g}")


def _edits(counterexample: Counterexample) -> dict[str, int]:
    """Write the number of edits where a search would allow fewer."""
    text = counterexample.text
    edits = len(edits_of_texts(text.clean_texts, text.texts(counterexample.edits)))
    return {"edits": edits} if edits > DEFAULT_EDITS else {}


def _segment(counterexample: Counterexample) -> dict[str, Any]:
    """Write the segment with only the rated candidates, and the edited texts as stored ones."""
    text, segment = counterexample.text, counterexample.text.segment
    positions = [*text.positions, *([] if text.worse_position is None else [text.worse_position])]
    candidates = [segment.candidates[position].text for position in positions]
    edited = text.texts(counterexample.edits)
    if text.field == "candidate":
        edited = [*edited, *candidates[1:]]
    written: dict[str, Any] = {"id": segment.id}
    if segment.source is not None:
        written["source"] = segment.source
    if segment.references:
        written["references"] = list(segment.references)
    written["candidates"] = [{"text": candidate} for candidate in candidates]
    if len(candidates) > 1:
        written["preferences"] = [[0, 1]]
    return written | {"perturbed": {f"{text.field}s": {FAMILY: {"1": edited}}}}


def _metrics(score_table: ScoreTable, name: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield a metric as the checklist declares it, after those that it builds on."""
    spec = score_table.plan.checklist.metrics[name]
    for other in spec.options.refers:
        yield from _metrics(score_table, other)
    options = spec.options.model_dump(mode="json", by_alias=True, exclude_unset=True)
    if options.get("omega") == "tuned":  # one segment is nothing to tune it on
        options["omega"] = getattr(score_table.metrics[name], "omega", None)
        options.pop("published", None)
    yield name, {spec.kind: options}


def _list_entry(mapping: Mapping[str, Any]) -> list[str]:
    """Write a mapping as an entry of a list, with one key on each line."""
    lines = [f"    {flow_yaml(key)}: {flow_yaml(value)}" for key, value in mapping.items()]
    return ["  - " + lines[0].lstrip(), *lines[1:]]


def flow_yaml(value: object) -> str:
    """Write a value on one line of YAML."""
    if isinstance(value, Mapping):
        entries = (f"{flow_yaml(key)}: {flow_yaml(entry)}" for key, entry in value.items())
        return f"{{{', '.join(entries)}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(flow_yaml, value))}]"
    if not isinstance(value, str):
        return json.dumps(value)
    bare = BARE.fullmatch(value) and value.lower() not in RESERVED
    return value if bare else f'"{"".join(map(_escape, value))}"'


def _escape(char: str) -> str:
    return f"\\{char}" if char in '"\\' else escape_invisible(char)
