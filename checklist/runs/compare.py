"""Two runs compared, check by check, in pairs on the same segments."""

from __future__ import annotations

from collections.abc import Iterator

from shakeproof.results import (
    Bounds,
    Change,
    ChangeKind,
    ChecklistRecord,
    ComparedResult,
    DataRecord,
    Estimate,
    MetricRecord,
    Outcome,
    PartName,
    Result,
    Run,
    RunComparison,
    certainty,
)
from shakeproof.stats.coarse import PackedEstimate, paired_estimates
from shakeproof.stats.compare import compare_estimates, worse_direction
from shakeproof.stats.messages import describe_estimate, figure

SAME_QUESTION = {  # what two results must agree in to be compared, and what it is called if not
    "expectation": "another expectation",
    "quantity": "another quantity",
    "unit": "another unit",
    "coefficient": "another coefficient",
    "rating": "another rating",
    "family": "another family",
    "field": "another field",
    "level": "another level",
    "levels": "other levels",
    "stored": "perturbed texts from elsewhere",
    "seeds": "other seeds",
}
FROM_WORST = (
    ChangeKind.WORSE,
    ChangeKind.HIGHER,
    ChangeKind.LOWER,
    ChangeKind.BETTER,
    ChangeKind.UNCLEAR,
    ChangeKind.UNCHANGED,
    ChangeKind.NOT_COMPARABLE,
)
SHARES_KEPT = {"retention": PartName.RETENTION, "retention_area": PartName.RETENTION_AREA}


def compare_runs(old: Run, new: Run) -> RunComparison:
    """Compare all checks that two runs have in common, the worst first."""
    before = {result.id: result for result in old.results}
    records = [{record.file: record for record in run.checklists} for run in (old, new)]
    compared = [
        ComparedResult(
            old=before[result.id],
            new=result,
            change=compare_results(
                before[result.id],
                result,
                records[0].get(result.file),
                records[1].get(result.file),
            ),
        )
        for result in new.results
        if result.id in before
    ]
    ids = {pair.new.id for pair in compared}
    return RunComparison(
        old=old,
        new=new,
        results=tuple(sorted(compared, key=_worst_first)),
        only_old=tuple(result for result in old.results if result.id not in ids),
        only_new=tuple(result for result in new.results if result.id not in ids),
    )


def _worst_first(pair: ComparedResult) -> tuple[bool, bool, int, float]:
    """Order regressions before what is worse, other, better or unclear; the most certain first.

    A regression that fails comes before one that was expected to fail or only warns.
    """
    change, fails = pair.change, pair.new.outcome is Outcome.FAILED
    kind = FROM_WORST.index(change.kind)
    return not change.regressed, change.regressed and not fails, kind, -certainty(change)


def compare_results(
    old: Result, new: Result, before: ChecklistRecord | None, after: ChecklistRecord | None
) -> Change:
    """Compare one check in two runs; the records are those of its checklist."""
    if before is None or after is None:
        return not_comparable("the checklist is not in the run")
    if reason := next(differences(old, new, before, after), ""):
        return not_comparable(reason)
    metric_changes = signature_changes(before, after, new.metric)
    if not (old.influence and new.influence):
        change = exact_change(old, new)
    else:
        try:
            change = with_retention(sampled_change(old, new, tolerance_of(after, new)), old, new)
        except ValueError as error:
            return not_comparable(str(error))
    return change.model_copy(update={"metric_changes": metric_changes})


def not_comparable(reason: str) -> Change:
    """Return that two results cannot be compared, and why."""
    return Change(kind=ChangeKind.NOT_COMPARABLE, reason=reason)


def differences(
    old: Result, new: Result, before: ChecklistRecord, after: ChecklistRecord
) -> Iterator[str]:
    """Name what makes two results incomparable: other data, another question, no estimate."""
    yield from data_differences(before, after)
    yield from question_differences(old, new)
    yield from check_differences(before, after, new)
    yield from setting_differences(before, after, new)
    for when, result in (("then", old), ("now", new)):
        if result.estimate is None or result.estimate.value is None:
            yield f"no estimate {when}"


def data_differences(before: ChecklistRecord, after: ChecklistRecord) -> Iterator[str]:
    """Name how the data of two checklists differ."""
    if [data.sha256 for data in before.data] != [data.sha256 for data in after.data]:
        yield "other data or ratings"
    elif [_size(data) for data in before.data] != [_size(data) for data in after.data]:
        yield "another part of the data"
    if before.seed != after.seed:
        yield "another seed"


def _size(data: DataRecord) -> tuple[int, ...]:
    return data.segments, data.candidates, data.rated, data.preferences


def question_differences(old: Result, new: Result) -> Iterator[str]:
    """Name in what two results ask for different things; their bounds may differ."""
    for name, difference in SAME_QUESTION.items():
        if getattr(old, name) != getattr(new, name):
            yield difference


def check_differences(
    before: ChecklistRecord, after: ChecklistRecord, result: Result
) -> Iterator[str]:
    """Name what the check of a result sets differently; its bounds may differ."""
    if before.checks.get(result.check) != after.checks.get(result.check):
        yield "other settings of the expectation"


def setting_differences(
    before: ChecklistRecord, after: ChecklistRecord, result: Result
) -> Iterator[str]:
    """Name what two checklists set differently around a result."""
    metrics = metric_of(before, result.metric), metric_of(after, result.metric)
    if len({metric.kind if metric else "" for metric in metrics}) > 1:
        yield "another kind of metric"
    if before.cluster != after.cluster:
        yield "other segments are resampled together"
    own = result.family in before.families or result.family in after.families
    if own and before.families != after.families:
        yield f"family {result.family!r} is declared differently"


def metric_of(record: ChecklistRecord, name: str) -> MetricRecord | None:
    """Return the record of a metric."""
    return next((metric for metric in record.metrics if metric.name == name), None)


def tolerance_of(record: ChecklistRecord, result: Result) -> float:
    """Return the change that counts as none, in the unit of the result."""
    tolerance = record.tolerance
    return tolerance.spread if result.unit == "spreads" else tolerance.correlation


def exact_change(old: Result, new: Result) -> Change:
    """Compare numbers that have no interval, such as violations of an axiom: never a regression."""
    then, now = estimated(old), estimated(new)
    estimate = Estimate(value=now - then, method="exact")
    if then == now:
        return Change(kind=ChangeKind.UNCHANGED, estimate=estimate, message="unchanged")
    kind = direction(new.bounds, up=now > then)
    return Change(kind=kind, estimate=estimate, message=f"{then:g} then")


def sampled_change(old: Result, new: Result, allowed: float) -> Change:
    """Compare estimates by the paired influences of their segments; ValueError if they differ."""
    worse = worse_direction(new.bounds)
    change = compare_estimates(
        *paired_estimates(packed_estimate(old), packed_estimate(new)),
        direction=worse,
        allowed=allowed,
        confidence=new.estimate.confidence if new.estimate else 0.95,
    )
    if change.estimate is None:
        zero = Estimate(value=0.0, low=0.0, high=0.0, method="unchanged")
        return Change(kind=ChangeKind.UNCHANGED, estimate=zero, message="unchanged")
    upwards = negated(change.estimate) if worse < 0 else change.estimate
    return Change(
        kind=kind_of(upwards, new.bounds),
        estimate=upwards,
        regressed=change.regressed,
        message=change.judgement.message if change.regressed else in_words(change.estimate, worse),
    )


def with_retention(change: Change, old: Result, new: Result) -> Change:
    """State a change of retention as such; the estimate is a margin in correlations."""
    then, now = (_share_kept(result) for result in (old, new))
    if then is None or now is None or change.kind is ChangeKind.UNCHANGED:
        return change
    shares = f"{SHARES_KEPT[new.expectation]} {figure(then)} then, {figure(now)} now"
    return change.model_copy(update={"message": f"{shares}; margin {change.message}"})


def _share_kept(result: Result) -> float | None:
    name = SHARES_KEPT.get(result.expectation)
    parts = [part for part in result.parts if part.name == name and not part.group]
    return parts[0].estimate.value if parts else None


def kind_of(change: Estimate, bounds: Bounds) -> ChangeKind:
    """Return whether a change is for the better, if its interval excludes 0."""
    if change.low is None or change.high is None or change.low <= 0 <= change.high:
        return ChangeKind.UNCLEAR
    return direction(bounds, up=change.low > 0)


def direction(bounds: Bounds, *, up: bool) -> ChangeKind:
    """Return whether a higher or lower estimate is better; two bounds have no better side."""
    if (bounds.low is None) == (bounds.high is None):
        return ChangeKind.HIGHER if up else ChangeKind.LOWER
    return ChangeKind.BETTER if up == (bounds.low is not None) else ChangeKind.WORSE


def in_words(harm: Estimate, worse: int) -> str:
    """Write a change as better, worse or merely different; `harm` is positive where worse."""
    if not worse:
        return describe_estimate(harm, "changed by")
    if harm.value is not None and harm.value < 0:
        return describe_estimate(negated(harm), "better by")
    return describe_estimate(harm, "worse by")


def negated(estimate: Estimate) -> Estimate:
    """Return the estimate of the opposite quantity."""
    value, low, high = (
        None if number is None else -number
        for number in (estimate.value, estimate.high, estimate.low)
    )
    return estimate.model_copy(update={"value": value, "low": low, "high": high})


def packed_estimate(result: Result) -> PackedEstimate:
    """Return what a comparison needs of a result."""
    return PackedEstimate(estimated(result), result.influence)


def estimated(result: Result) -> float:
    """Return the value of the estimate, NaN where there is none."""
    value = result.estimate.value if result.estimate else None
    return float("nan") if value is None else value


def signature_changes(before: ChecklistRecord, after: ChecklistRecord, name: str) -> str:
    """Name what the signature of a metric lost and gained: weights, versions, settings."""
    metrics = metric_of(before, name), metric_of(after, name)
    then, now = (metric.signature.split("|") if metric else [] for metric in metrics)
    gone = ", ".join(part for part in then if part not in now)
    come = ", ".join(part for part in now if part not in then)
    if not (gone or come):
        return ""
    return f"metric settings changed: {gone or 'nothing'} then, {come or 'nothing'} now"
