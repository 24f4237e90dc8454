"""Pins: a counterexample as a checklist of its own, which fails for as long as it stands."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import ceil, floor, log10
from typing import Any

from shakeproof.evidence.search.edits import changes_between
from shakeproof.evidence.search.rounds import Counterexample
from shakeproof.plan.items import Item, Plan
from shakeproof.spec.yaml_writing import write_flow

FAMILY = "pinned"
USUAL = 3  # edits that a search allows unless told otherwise
DIGITS = 4  # of a limit


def pin(plan: Plan, item: Item, found: Counterexample) -> str:
    """Write the checklist; what it names by path is looked for beside the one it came from.

    What is pinned already needs no pin.
    """
    checklist, check = plan.checklist, item.check
    if item.perturb and item.perturb.family == FAMILY:
        return ""
    top = {
        "checklist": f"a counterexample to: {check.name}",
        "language": checklist.language,
        "source_language": checklist.source_language,
    }
    pinned = {
        "check": check.name,
        "metrics": [item.metric],
        "perturb": {FAMILY: {"on": found.trial.field, "stored": True}},
        "expect": {"search": {**_limits(found), **_more_edits(found)}},
    }
    lines = [f"# keep it as pinned.checklist.yaml beside {checklist.path.name}"]
    lines += [f"{key}: {write_flow(value)}" for key, value in top.items() if value is not None]
    lines += ["data:", *_listed(_row(found)), "metrics:"]
    lines += [
        f"  {write_flow(name)}: {write_flow(how)}" for name, how in _metrics(plan, item.metric)
    ]
    return "\n".join([*lines, "checks:", *_listed(pinned)]) + "\n"


def _limits(found: Counterexample) -> dict[str, Any]:
    """Name the limit that was broken, in the metric's own units and rounded to its harm."""
    standard = found.trial.standard
    if standard is None:
        return {"scores": "flip"}
    fault, unit = standard.fault, standard.unit
    over = standard.moved(found.scores[0] - found.trial.clean[0]) > fault.high * unit
    bound = _short(fault.high * unit, floor) if over else _short(fault.low * unit, ceil)
    way = {} if fault.direction == "change" else {"scores": fault.direction}
    return {**way, "at_most" if over else "at_least": bound, "unit": "raw"}


def _short(value: float, rounded: Callable[[float], int]) -> float:
    """Keep a few digits, rounded down or up."""
    if value == 0:
        return 0.0
    digits = DIGITS - 1 - floor(log10(abs(value)))
    return float(f"{rounded(round(value * 10.0**digits, 6)) / 10.0**digits:.12g}")


def _more_edits(found: Counterexample) -> dict[str, int]:
    edits = len(changes_between(found.trial.before, found.trial.texts(found.edits)))
    return {"edits": edits} if edits > USUAL else {}


def _row(found: Counterexample) -> dict[str, Any]:
    """Write the segment with the rated candidates alone, and the edited texts stored beside."""
    trial = found.trial
    segment, field = trial.segment, f"{trial.field}s"
    texts = [segment.candidates[position].text for position in trial.positions]
    damaged = trial.texts(found.edits)
    if trial.field == "candidate":
        damaged = [*damaged, *texts[1:]]
    row: dict[str, Any] = {"id": segment.id}
    row |= {} if segment.source is None else {"source": segment.source}
    row |= {"references": list(segment.references)} if segment.references else {}
    row["candidates"] = [{"text": text} for text in texts]
    row |= {"preferences": [[0, 1]]} if len(texts) > 1 else {}
    row["perturbed"] = {field: {FAMILY: {"1": damaged}}}
    return row


def _metrics(plan: Plan, name: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Give a metric as the checklist declares it, after those it builds on."""
    spec = plan.checklist.metrics[name]
    for other in spec.options.refers:
        yield from _metrics(plan, other)
    options = spec.options.model_dump(mode="json", by_alias=True, exclude_unset=True)
    if options.get("omega") == "tuned":  # there is nothing to tune it on in a pin
        options["omega"] = getattr(plan.metrics[name], "omega", None)
        options.pop("published", None)
    yield name, {spec.kind: options}


def _listed(row: Mapping[str, Any]) -> list[str]:
    """Write a mapping as an entry of a list, one key a line."""
    lines = [f"    {write_flow(key)}: {write_flow(value)}" for key, value in row.items()]
    return ["  - " + lines[0].lstrip(), *lines[1:]]
