"""The questions that a run may ask about a metric, and which of them a check asks."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from shakeproof.results import Outcome, Result


class Question(StrEnum):
    """What a check is about."""

    NOISE = "noise"
    COPYING = "copying"
    MEANING = "meaning"  # edits that change it and should cost points
    JUDGES = "judges"  # texts made to impress them, and the stability of their answers
    OTHER = "other"


JUDGE_FAMILIES = "judges"  # the group of families that are aimed at judges
STABILITY = ("stable", "position_consistency", "position_preference")  # expectations
USUAL_QUESTIONS = (Question.NOISE, Question.COPYING, Question.MEANING)  # to ask of every metric


def question_of(result: Result) -> Question:
    """Return what a check is about."""
    if result.expectation == "copy_penalty":
        return Question.COPYING
    if result.coefficient is not None and result.family is not None:
        return Question.NOISE
    if result.family_group == JUDGE_FAMILIES or result.expectation in STABILITY:
        return Question.JUDGES
    if result.expectation == "score_drop" and result.bounds.low is not None:
        return Question.MEANING
    return Question.OTHER


def questions_asked(results: Iterable[Result]) -> set[Question]:
    """Return what the checks that ran are about."""
    return {question_of(r) for r in results if r.outcome is not Outcome.SKIPPED}
