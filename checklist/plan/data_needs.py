"""What checks and metrics need of the data, and which of these needs are not met."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from shakeproof.data.segments import Segment
from shakeproof.errors import hint, one_line
from shakeproof.expectations import Evaluation
from shakeproof.files import shown_path
from shakeproof.metrics.protocols import Metric
from shakeproof.plan.languages import refusals
from shakeproof.spec.development import is_tuned
from shakeproof.spec.model import Check, Checklist, Perturb

STORED = "stored:"
HAS: Mapping[str, Callable[[Segment], bool]] = {
    "source": lambda segment: segment.source is not None,
    "references": lambda segment: bool(segment.references),
    "ratings": lambda segment: any(
        candidate.rating is not None for candidate in segment.candidates
    ),
    "preferences": lambda segment: bool(segment.preferences),
}
JUDGED = {"ratings": "preferences", "preferences": "ratings"}
USES = {
    "ratings": "coefficient: pearson or spearman, or add rating_gap: 25 to compare candidates "
    "whose ratings differ by 25 or more",
    "preferences": "coefficient: wmt-kendall",
}
ARTICLES = {"source": "a source", "references": "references"}


@dataclass(frozen=True, slots=True)
class UnmetNeed:
    """Something that is missing, and the line of the checklist that needs it."""

    line: int
    message: str


def unmet_needs(
    checklist: Checklist, segments: Sequence[Segment], metrics: Mapping[str, Metric]
) -> list[str]:
    """Return what the data do not have, one line each, in the order of the file."""
    rated = [segment for segment in segments if segment.candidates]
    if not rated:
        return [f"{shown_path(checklist.path)}:1: the data have no candidates at all"]
    needs = [need for check in checklist.checks for need in _of_check(checklist, check, rated)]
    needs += _of_metrics(checklist, rated, metrics)
    needs += _of_cluster(checklist.cluster, segments)
    file = shown_path(checklist.path)
    ordered = sorted(needs, key=lambda need: need.line)
    return list(dict.fromkeys(f"{file}:{need.line}: {one_line(need.message)}" for need in ordered))


def _of_cluster(key: str | None, segments: Sequence[Segment]) -> Iterator[UnmetNeed]:
    without = [segment for segment in segments if segment.extra.get(key) is None] if key else []
    if key and (message := _missing(f"the key {key!r}", without)):
        known = {name for segment in segments for name in segment.extra}
        yield UnmetNeed(1, f"cluster: {key} needs {message}; {hint(key, known)}")


def unmet_by_copies(checklist: Checklist, segments: Sequence[Segment]) -> list[str]:
    """Return why no copies can be added: no sources, another language, no ratings."""
    reasons = [_everywhere("source", segments) and f"needs {_everywhere('source', segments)}"]
    if not any(HAS["ratings"](segment) for segment in segments):
        reasons.append("rates copies 0, but the data have no ratings")
    reasons += refusals(checklist, Perturb("copy-input", "candidate"), segments)
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
    checklist: Checklist, check: Check, segments: Sequence[Segment]
) -> Iterator[UnmetNeed]:
    for need in sorted(check.expect.required_data):
        message = _people(need, segments) if need in JUDGED else _everywhere(need, segments)
        if message:
            asks = f"check {check.name!r} asks for {check.expect.quantity}, which needs"
            yield UnmetNeed(check.line, f"{asks} {message}")
    if check.expect.needs_judgements and (message := _judgements(segments)):
        yield UnmetNeed(
            check.line, f"check {check.name!r} asks for {check.expect.quantity}, {message}"
        )
    for perturb in check.perturb:
        yield from _of_perturb(checklist, check, perturb, segments)


def _people(need: str, segments: Sequence[Segment]) -> str:
    """Return that ratings or preferences are missing, in all data or in one group."""
    for group, members in _groups(segments):
        if not any(HAS[need](segment) for segment in members):
            return f"{need}, but {_where(group)} none{_instead(need, members)}"
    return ""


def _judgements(segments: Sequence[Segment]) -> str:
    for group, members in _groups(segments):
        if not any(HAS["ratings"](s) or HAS["preferences"](s) for s in members):
            return f"which needs ratings or preferences, but {_where(group)} neither"
    return ""


def _groups(segments: Sequence[Segment]) -> list[tuple[str, list[Segment]]]:
    groups: dict[str, list[Segment]] = {}
    for segment in segments:
        groups.setdefault(segment.group, []).append(segment)
    return list(groups.items())


def _where(group: str) -> str:
    return f"group {group!r} has" if group else "the data have"


def _instead(need: str, segments: Sequence[Segment]) -> str:
    other = JUDGED[need]
    if not any(HAS[other](segment) for segment in segments):
        return ""
    return f"; there are {other}: with a correlation, use {USES[other]}"


def _everywhere(need: str, segments: Sequence[Segment]) -> str:
    return _missing(ARTICLES[need], [segment for segment in segments if not HAS[need](segment)])


def _missing(what: str, without: Sequence[Segment]) -> str:
    if not without:
        return ""
    more = f" (nor have {len(without) - 1} more)" if len(without) > 1 else ""
    return f"{what}, but segment {without[0].id!r} has none{more}"


def _of_perturb(
    checklist: Checklist, check: Check, perturb: Perturb, segments: Sequence[Segment]
) -> Iterator[UnmetNeed]:
    name = f"check {check.name!r} perturbs"
    need = {"reference": "references", "source": "source"}.get(perturb.on)
    if need and (message := _everywhere(need, segments)):
        yield UnmetNeed(check.line, f"{name} the {perturb.on}, which needs {message}")
    if perturb.stored:
        yield from (UnmetNeed(check.line, f"{name} {why}") for why in _replay(perturb, segments))
        return
    needs = checklist.families[perturb.family].needs
    if "source" in needs and (message := _everywhere("source", segments)):
        yield UnmetNeed(check.line, f"{name} by {perturb.family!r}, which needs {message}")
    if "neighbour" in needs and (alone := _alone(segments)):
        yield UnmetNeed(check.line, f"{name} by {perturb.family!r}, which needs {alone}")
    for refusal in refusals(checklist, perturb, segments):
        yield UnmetNeed(check.line, f"check {check.name!r}: {refusal}")


def _alone(segments: Sequence[Segment]) -> str:
    for group, members in _groups(segments):
        if len(members) == 1:
            return f"another segment to borrow from, but {_where(group)} only one"
    return ""


def _replay(perturb: Perturb, segments: Sequence[Segment]) -> Iterator[str]:
    kept = f"stored texts for {perturb.family!r} on the {perturb.on}"
    families = {
        name for segment in segments for name in segment.perturbed.get(f"{perturb.on}s", {})
    }
    if perturb.family not in families:
        yield f"with {kept}, but the data have none; {hint(perturb.family, families)}"
        return
    for level in perturb.levels or (1.0,):
        without = [segment for segment in segments if level not in _stored_levels(perturb, segment)]
        if message := _missing(f"{kept} at level {level:g}", without):
            yield f"with {message}"


def _stored_levels(perturb: Perturb, segment: Segment) -> set[float]:
    stored = segment.perturbed.get(f"{perturb.on}s", {}).get(perturb.family, {})
    return {float(level) for level in stored}


def _of_metrics(
    checklist: Checklist, segments: Sequence[Segment], metrics: Mapping[str, Metric]
) -> Iterator[UnmetNeed]:
    for check in checklist.checks:
        for name in dict.fromkeys((*check.metrics, *check.expect.other_metrics)):
            line = checklist.metrics[name].line
            for need in sorted(metrics[name].requires) if name in metrics else ():
                if need.startswith(STORED):
                    yield from _of_stored(name, need.removeprefix(STORED), check, line, segments)
                elif message := _everywhere(need, segments):
                    yield UnmetNeed(line, f"metric {name!r} needs {message}")


def _of_stored(
    name: str, score: str, check: Check, line: int, segments: Sequence[Segment]
) -> Iterator[UnmetNeed]:
    for group, members in _groups(segments):
        known = {key for segment in members for c in segment.candidates for key in c.scores}
        if score not in known:
            other = f"; {hint(score, known)}" if known else ""
            message = f"metric {name!r} needs the score {score!r}, but {_where(group)} none{other}"
            yield UnmetNeed(line, message)
            break
    only = f"metric {name!r} only knows the scores of the data"
    if check.perturb:
        message = f"{only}, not those of perturbed texts; leave it out of check {check.name!r}"
        yield UnmetNeed(check.line, message)
    if check.expect.evaluation is Evaluation.RESCORING:
        message = f"{only} and cannot rate texts anew; leave it out of check {check.name!r}"
        yield UnmetNeed(check.line, message)
