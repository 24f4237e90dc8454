"""What a run found: a sentence for each question that it asked. Names stand in backticks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from shakeproof.reports.agreement import noise_effects
from shakeproof.reports.questions import STABILITY, USUAL_QUESTIONS, Question, question_of
from shakeproof.reports.sections.published import published_tables, summarise_agreement
from shakeproof.reports.wording.copy_sentences import describe_copying
from shakeproof.reports.wording.format import CLEAN_TEXTS
from shakeproof.reports.wording.names import MetricKey, group_by_metric, sources
from shakeproof.reports.wording.noise_sentences import describe_noise
from shakeproof.reports.wording.sentences import (
    describe_checks,
    list_names,
    need_more_data,
    quote_name,
    without_backticks,
)
from shakeproof.results import ChangeKind, Outcome, Result, Run, counted, missing_lines

NO_CHECK = "No check ran."
IN_SENTENCES = {
    Question.NOISE: "noise",
    Question.COPYING: "copied inputs",
    Question.MEANING: "edits that change the meaning",
    Question.JUDGES: "weaknesses of judges",
    Question.OTHER: "other expectations",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """One question, or what else a reader must know, and the answer in a sentence or two."""

    topic: str
    sentence: str


def findings(run: Run, labels: Mapping[MetricKey, str]) -> tuple[Finding, ...]:
    """Answer each question that the run asked, then say what is open."""
    results = [without_backticks(result) for result in run.results]
    ran = [result for result in results if result.outcome is not Outcome.SKIPPED]
    judged = [result for result in ran if result.outcome is not Outcome.ERROR]
    if not ran:
        return (Finding("Result", NO_CHECK), *open_questions(results, labels))
    return (
        *noise_findings(judged, labels),
        *copy_findings(judged, labels),
        *meaning_findings(judged, labels),
        *judge_findings(judged, labels),
        *other_findings(judged, labels),
        *published_findings(run),
        *all_passed(results),
        *since_baseline(ran),
        *open_questions(results, labels),
        *missing_scores(run),
    )


def checks_about(question: Question, results: Sequence[Result]) -> list[Result]:
    """Return the checks that ask a question."""
    return [result for result in results if question_of(result) is question]


def noise_findings(results: Sequence[Result], labels: Mapping[MetricKey, str]) -> Iterator[Finding]:
    """Say how far agreement with people falls under noise."""
    noise = checks_about(Question.NOISE, results)
    effects = noise_effects(noise, labels)
    if effects:
        names = sources(effect.data.file for effect in effects)
        yield Finding("Noise", describe_noise(effects, names))
    elif noise:
        yield Finding("Noise", describe_checks("Noise", noise, labels))


def copy_findings(results: Sequence[Result], labels: Mapping[MetricKey, str]) -> Iterator[Finding]:
    """Say which metrics prefer a copied input."""
    copies = checks_about(Question.COPYING, results)
    if copies:
        yield Finding("Copying", describe_copying(copies, labels))


def meaning_findings(
    results: Sequence[Result], labels: Mapping[MetricKey, str]
) -> Iterator[Finding]:
    """Sum up edits that change the meaning."""
    meaning = checks_about(Question.MEANING, results)
    if meaning:
        subject = f"Edits that should cost points ({list_names(conditions(meaning))})"
        yield Finding("Meaning", describe_checks(subject, meaning, labels))


def judge_findings(results: Sequence[Result], labels: Mapping[MetricKey, str]) -> Iterator[Finding]:
    """Sum up texts made to impress a judge, and the stability of its answers."""
    about = checks_about(Question.JUDGES, results)
    subjects = {
        "Texts made to impress a judge": [r for r in about if r.expectation not in STABILITY],
        "Stability of its answers": [r for r in about if r.expectation in STABILITY],
    }
    sentences = [describe_checks(name, some, labels) for name, some in subjects.items() if some]
    if sentences:
        yield Finding("Judges", " ".join(sentences))


def other_findings(results: Sequence[Result], labels: Mapping[MetricKey, str]) -> Iterator[Finding]:
    """Sum up all other checks."""
    other = checks_about(Question.OTHER, results)
    if other:
        yield Finding("Other", describe_checks(list_names(conditions(other)), other, labels))


def conditions(results: Sequence[Result]) -> list[str]:
    """Name the families, each once; checks on clean texts have none."""
    names = [quote_name(r.family) if r.family else CLEAN_TEXTS for r in results]
    return list(dict.fromkeys(names))


def published_findings(run: Run) -> Iterator[Finding]:
    """Say how the numbers of papers agree with the measured ones, if there are any."""
    if run.published:
        yield Finding("Published", summarise_agreement(published_tables(run.published, ())))


def all_passed(results: Sequence[Result]) -> Iterator[Finding]:
    """Say what was tested and what was not, where every check passed."""
    if any(result.outcome is not Outcome.PASSED for result in results):
        return
    counts = Counter(map(question_of, results))
    tested = [f"{IN_SENTENCES[q]} ({counts[q]:,})" for q in Question if counts[q]]
    untested = [IN_SENTENCES[q] for q in USUAL_QUESTIONS if not counts[q]]
    gap = f"; not tested: {list_names(untested)}" if untested else ""
    passed = "Every check" if len(results) > 1 else "The only check"
    yield Finding("Passed", f"{passed} passed: {list_names(tested)}{gap}.")


def since_baseline(results: Sequence[Result]) -> Iterator[Finding]:
    """Count what changed since the baseline."""
    kinds = Counter(result.change.kind for result in results if result.change)
    if not kinds:
        return
    counts = [f"{kinds[kind]:,} {kind.value}" for kind in ChangeKind if kinds[kind]]
    yield Finding(
        "Baseline", f"Of {counted(kinds.total(), 'check')} in the baseline: {', '.join(counts)}."
    )


def open_questions(results: Sequence[Result], labels: Mapping[MetricKey, str]) -> Iterator[Finding]:
    """Say what could not be judged, and why."""
    counts = Counter(result.outcome for result in results)
    if counts[Outcome.UNDECIDED]:
        text = "The only check needs more data" if len(results) == 1 else need_more_data(results)
        yield Finding("Undecided", f"{text}.")
    errors = [result for result in results if result.outcome is Outcome.ERROR]
    if errors:
        yield Finding("Errors", describe_errors(errors, labels))
    skipped = [result for result in results if result.outcome is Outcome.SKIPPED]
    if skipped:
        verb, reasons = "was" if len(skipped) == 1 else "were", {r.reason for r in skipped}
        reason = f": {skipped[0].reason}" if len(reasons) == 1 and skipped[0].reason else ""
        yield Finding("Skipped", f"{counted(len(skipped), 'check')} {verb} skipped{reason}.")


def missing_scores(run: Run) -> Iterator[Finding]:
    """Say of each metric how many of its scores are missing."""
    lines = [line.rstrip(".").replace("`", "'") for line in missing_lines(run)]
    if lines:
        yield Finding("Missing", f"{'; '.join(lines)}.")


def describe_errors(errors: Sequence[Result], labels: Mapping[MetricKey, str]) -> str:
    """Say which metrics could not be judged, with the first reason."""
    names = list_names(map(quote_name, group_by_metric(errors, labels)))
    reason = (errors[0].message or "no reason was given").rstrip(".")
    count = counted(len(errors), "check")
    several = len({error.message for error in errors}) > 1
    return f"{names} could not be judged in {count}{', first' if several else ''}: {reason}."
