"""What checks and metrics need of the data, and which of these needs are not met."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from shakeproof.data.segments import Segment
from shakeproof.errors import hint, one_line
from shakeproof.expectations import Evaluation
from shakeproof.files import shown_path
from shakeproof.metrics.protocols import Metric
from shakeproof.plan.kinds import Kind
from shakeproof.plan.languages import refusals
from shakeproof.plan.views import skip_reason
from shakeproof.spec.development import is_tuned
from shakeproof.spec.model import Check, Checklist, MetricSpec, Perturb

STORED = "stored:"
HAS: Mapping[str, Callable[[Segment], bool]] = {
    "source": lambda segment: segment.source is not None,
    "references": lambda segment: bool(segment.references),
    "ratings": lambda segment: any(
        candidate.rating is not None for candidate in segment.candidates
    ),
    "preferences": lambda segment: bool(segment.preferences),
    "rivals": lambda segment: len(segment.candidates) > 1,
}
JUDGED = {"ratings": "preferences", "preferences": "ratings"}
USES = {
    "ratings": "coefficient: pearson or spearman, or add rating_gap: 25 to compare candidates "
    "whose ratings differ by 25 or more",
    "preferences": "coefficient: wmt-kendall",
}
ARTICLES = {
    "source": "a source",
    "references": "references",
    "rivals": "rivals (two or more candidates in each segment)",
}
NAME_OTHERS = "name other metrics by metrics: […]"


@dataclass(frozen=True, slots=True)
class UnmetNeed:
    """Something that is missing, and the line of the checklist that needs it."""

    line: int
    message: str
    file: Path | None = None  # the base that the line is in; None: the checklist itself


def unmet_needs(
    checklist: Checklist,
    kinds: Sequence[Kind],
    metrics: Mapping[str, Metric],
    *,
    whole: bool = True,
) -> list[str]:
    """Return what the data do not have, one line each, in the order of the file.

    Of a part of the data, only what every segment must have is missing.
    """
    rated = [kind for kind in kinds if kind.first.candidates]
    if not rated:
        return [f"{shown_path(checklist.path)}:1: the data have no candidates at all"]
    judged = rated if whole else ()  # among which somebody must have judged a candidate
    needs = [
        need for check in checklist.checks for need in _of_check(checklist, check, rated, judged)
    ]
    needs += _of_metrics(checklist, rated, metrics)
    needs += _of_views(checklist, metrics)
    needs += _of_cluster(checklist.cluster, kinds)
    ordered = sorted(needs, key=lambda need: (str(need.file or ""), need.line))
    lines = (
        f"{shown_path(need.file or checklist.path)}:{need.line}: {one_line(need.message)}"
        for need in ordered
    )
    return list(dict.fromkeys(lines))


def _of_cluster(key: str | None, kinds: Sequence[Kind]) -> Iterator[UnmetNeed]:
    without = [kind for kind in kinds if kind.first.extra.get(key) is None] if key else []
    if key and (message := _missing(f"the key {key!r}", without)):
        known = {name for kind in kinds for name in kind.first.extra}
        yield UnmetNeed(1, f"cluster: {key} needs {message}; {hint(key, known)}")


def unmet_by_copies(checklist: Checklist, kinds: Sequence[Kind]) -> list[str]:
    """Return why no copies can be added: no sources, another language, no ratings."""
    reasons = [_everywhere("source", kinds) and f"needs {_everywhere('source', kinds)}"]
    if not _any("ratings", kinds):
        reasons.append("rates copies 0, but the data have no ratings")
    reasons += refusals(checklist, Perturb("copy-input", "candidate"), kinds)
    file = shown_path(checklist.path)
    return [f"{file}: extend_with_copies {one_line(why)}" for why in reasons if why]


def unmet_by_tuning(checklist: Checklist, development: Sequence[Segment]) -> list[str]:
    """Return why nothing can be tuned on the development part."""
    file = shown_path(checklist.path)
    if not development:
        return [f"{file}: development sets nothing aside; there are too few segments"]
    tuned = [name for name, spec in checklist.metrics.items() if is_tuned(spec)]
    if tuned and not any(HAS["ratings"](segment) for segment in development):
        return [f"{file}: metric {tuned[0]!r} is tuned on ratings, and development has none"]
    return []


def _of_check(
    checklist: Checklist, check: Check, kinds: Sequence[Kind], judged: Sequence[Kind]
) -> Iterator[UnmetNeed]:
    for need in sorted(check.expect.required_data):
        message = _people(need, judged) if need in JUDGED else _everywhere(need, kinds)
        if message:
            asks = f"check {check.name!r} asks for {check.expect.quantity}, which needs"
            yield UnmetNeed(check.line, f"{asks} {message}")
    if check.expect.needs_judgements and (message := _judgements(judged)):
        yield UnmetNeed(
            check.line, f"check {check.name!r} asks for {check.expect.quantity}, {message}"
        )
    for perturb in check.perturb:
        yield from _of_perturb(checklist, check, perturb, kinds)


def _people(need: str, kinds: Sequence[Kind]) -> str:
    """Return that ratings or preferences are missing, in all data or in one group."""
    for group, members in _groups(kinds):
        if not _any(need, members):
            return f"{need}, but {_where(group)} none{_instead(need, members)}"
    return ""


def _judgements(kinds: Sequence[Kind]) -> str:
    for group, members in _groups(kinds):
        if not (_any("ratings", members) or _any("preferences", members)):
            return f"which needs ratings or preferences, but {_where(group)} neither"
    return ""


def _any(need: str, kinds: Sequence[Kind]) -> bool:
    return any(HAS[need](kind.first) for kind in kinds)


def _groups(kinds: Sequence[Kind]) -> list[tuple[str, list[Kind]]]:
    groups: dict[str, list[Kind]] = {}
    for kind in kinds:
        groups.setdefault(kind.first.group, []).append(kind)
    return list(groups.items())


def _where(group: str) -> str:
    return f"group {group!r} has" if group else "the data have"


def _instead(need: str, kinds: Sequence[Kind]) -> str:
    other = JUDGED[need]
    if not _any(other, kinds):
        return ""
    return f"; there are {other}: with a correlation, use {USES[other]}"


def _everywhere(need: str, kinds: Sequence[Kind]) -> str:
    return _missing(ARTICLES[need], [kind for kind in kinds if not HAS[need](kind.first)])


def _missing(what: str, without: Sequence[Kind]) -> str:
    if not without:
        return ""
    count = sum(kind.count for kind in without)
    more = f" (nor have {count - 1} more)" if count > 1 else ""
    return f"{what}, but segment {without[0].first.id!r} has none{more}"


def _of_perturb(
    checklist: Checklist, check: Check, perturb: Perturb, kinds: Sequence[Kind]
) -> Iterator[UnmetNeed]:
    name = f"check {check.name!r} perturbs"
    need = {"reference": "references", "source": "source"}.get(perturb.on)
    if need and (message := _everywhere(need, kinds)):
        yield UnmetNeed(check.line, f"{name} the {perturb.on}, which needs {message}")
    if perturb.stored:
        yield from (UnmetNeed(check.line, f"{name} {why}") for why in _replay(perturb, kinds))
        return
    needs = checklist.families[perturb.family].needs
    if "source" in needs and (message := _everywhere("source", kinds)):
        yield UnmetNeed(check.line, f"{name} by {perturb.family!r}, which needs {message}")
    if "neighbour" in needs and (alone := _alone(kinds)):
        yield UnmetNeed(check.line, f"{name} by {perturb.family!r}, which needs {alone}")
    for refusal in refusals(checklist, perturb, kinds):
        yield UnmetNeed(check.line, f"check {check.name!r}: {refusal}")


def _alone(kinds: Sequence[Kind]) -> str:
    for group, members in _groups(kinds):
        if sum(kind.count for kind in members) == 1:
            return f"another segment to borrow from, but {_where(group)} only one"
    return ""


def _replay(perturb: Perturb, kinds: Sequence[Kind]) -> Iterator[str]:
    kept = f"stored texts for {perturb.family!r} on the {perturb.on}"
    families = {name for kind in kinds for name in kind.first.perturbed.get(f"{perturb.on}s", {})}
    if perturb.family not in families:
        yield f"with {kept}, but the data have none; {hint(perturb.family, families)}"
        return
    for level in perturb.levels or (1.0,):
        without = [kind for kind in kinds if level not in _stored_levels(perturb, kind.first)]
        if message := _missing(f"{kept} at level {level:g}", without):
            yield f"with {message}"


def _stored_levels(perturb: Perturb, segment: Segment) -> set[float]:
    stored = segment.perturbed.get(f"{perturb.on}s", {}).get(perturb.family, {})
    return {float(level) for level in stored}


def _of_metrics(
    checklist: Checklist, kinds: Sequence[Kind], metrics: Mapping[str, Metric]
) -> Iterator[UnmetNeed]:
    for check in checklist.checks:
        for name in dict.fromkeys((*check.metrics, *check.expect.other_metrics)):
            spec = checklist.metrics[name]
            for need in sorted(metrics[name].requires) if name in metrics else ():
                if need.startswith(STORED):
                    yield from _of_stored(spec, need.removeprefix(STORED), check, kinds)
                elif message := _everywhere(need, kinds):
                    message = f"metric {name!r} needs {message}"
                    yield UnmetNeed(spec.line, message, spec.file)


def _of_views(checklist: Checklist, metrics: Mapping[str, Metric]) -> Iterator[UnmetNeed]:
    """Yield the checks of metrics that they cannot judge; if some can be, others are skipped."""
    for check in checklist.checks if metrics else ():
        reasons = [
            skip_reason(check.expect, name, metrics[name])
            for name in check.metrics
            if name in metrics
        ]
        if check.names_metrics or all(reasons):
            for reason in filter(None, reasons):
                yield UnmetNeed(check.line, f"check {check.name!r}: {reason}; {NAME_OTHERS}")


def _of_stored(
    spec: MetricSpec, score: str, check: Check, kinds: Sequence[Kind]
) -> Iterator[UnmetNeed]:
    name = spec.name
    for group, members in _groups(kinds):
        known = {key for kind in members for c in kind.first.candidates for key in c.scores}
        if score not in known:
            other = f"; {hint(score, known)}" if known else ""
            message = f"metric {name!r} needs the score {score!r}, but {_where(group)} none{other}"
            yield UnmetNeed(spec.line, message, spec.file)
            break
    only = f"metric {name!r} only knows the scores of the data"
    if check.perturb:
        message = f"{only}, not those of perturbed texts; leave it out of check {check.name!r}"
        yield UnmetNeed(check.line, message)
    if check.expect.evaluation is Evaluation.RESCORING:
        message = f"{only} and cannot rate texts anew; leave it out of check {check.name!r}"
        yield UnmetNeed(check.line, message)
