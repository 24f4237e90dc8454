"""Builds judges from their options, without asking anything."""

from __future__ import annotations

import json

from shakeproof.metrics.judges.answers import PREFERENCE, AnswerForm
from shakeproof.metrics.judges.endpoint import check_endpoint
from shakeproof.metrics.judges.formulas import MeanOfDraws, WinRate
from shakeproof.metrics.judges.options import (
    VARIABLE,
    AnswerOptions,
    AskingOptions,
    BudgetOptions,
    JudgeOptions,
    JudgePairsOptions,
    PairAnswerOptions,
)
from shakeproof.metrics.judges.questions import Question, variables_of_one, variables_of_pair
from shakeproof.metrics.judges.scorer import Judge, JudgeScorer, Service, Variables
from shakeproof.metrics.judges.templates import Prompt, PromptError, load_prompt
from shakeproof.metrics.settings import Settings


def build_judge(options: JudgeOptions, settings: Settings) -> MeanOfDraws:
    """Build the metric of `judge`."""
    prompt, answer = load_prompt(options.prompt, settings), options.answer or AnswerOptions()
    form = AnswerForm(answer.values, answer.from_, options.format)
    question = _question("judge", options, form, prompt)
    return MeanOfDraws(_scorers(question, variables_of_one, options, settings), prompt.requires)


def build_judge_of_pairs(options: JudgePairsOptions, settings: Settings) -> WinRate:
    """Build the metric of `judge-pairs`."""
    prompt = load_prompt(options.prompt, settings, pair=True)
    answer = options.answer or PairAnswerOptions()
    form = AnswerForm(PREFERENCE, answer.from_, options.format)
    question = _question("judge-pairs", options, form, prompt)
    scorers = _scorers(question, variables_of_pair, options, settings)
    return WinRate(scorers, prompt.requires, options.rivals)


def _scorers(
    question: Question, variables: Variables, options: AskingOptions, settings: Settings
) -> tuple[JudgeScorer, ...]:
    """Return a scorer for each draw."""
    judge = Judge(question, variables, _service(options, settings), options.repeats)
    return tuple(JudgeScorer(judge, draw) for draw in range(1, options.repeats + 1))


def _question(kind: str, options: AskingOptions, form: AnswerForm, prompt: Prompt) -> Question:
    return Question(
        kind,
        options.model,
        prompt,
        _rubric(options, prompt),
        form,
        options.temperature,
        options.max_tokens,
        options.reported,
        json.dumps(options.request or {}, sort_keys=True),
    )


def _rubric(options: AskingOptions, prompt: Prompt) -> str:
    """Return the rubric, which the prompt must show."""
    rubric = (options.rubric or "").strip()
    if "rubric" in prompt.uses and not rubric:
        raise PromptError(f"the prompt {prompt.name!r} shows a rubric; write rubric: …")
    if rubric and "rubric" not in prompt.uses:
        raise PromptError(f"the prompt {prompt.name!r} shows no rubric; remove rubric")
    return rubric


def _service(options: AskingOptions, settings: Settings) -> Service:
    if VARIABLE not in options.endpoint:  # else a worker builds it, which asks nothing
        check_endpoint(options.endpoint)
    budget = options.budget or BudgetOptions()
    return Service(
        options.endpoint,
        options.key,
        options.timeout,
        options.concurrency,
        options.attempts,
        settings.offline,
        budget.calls,
        budget.tokens,
    )
