"""Builds judges from their options, without asking anything."""

from __future__ import annotations

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
from shakeproof.metrics.judges.questions import Question
from shakeproof.metrics.judges.scorer import Judge, JudgeScorer, PairScorer, Service
from shakeproof.metrics.judges.templates import Prompt, PromptError, load_prompt
from shakeproof.metrics.settings import Settings


def build_judge(options: JudgeOptions, settings: Settings) -> MeanOfDraws:
    """Build the metric of `judge`."""
    prompt, answer = load_prompt(options.prompt, settings), options.answer or AnswerOptions()
    form = AnswerForm(answer.values, answer.from_, options.format)
    judge = _judge("judge", options, form, prompt, settings)
    draws = range(1, options.repeats + 1)
    return MeanOfDraws(tuple(JudgeScorer(judge, draw) for draw in draws), prompt.requires)


def build_judge_of_pairs(options: JudgePairsOptions, settings: Settings) -> WinRate:
    """Build the metric of `judge-pairs`."""
    prompt = load_prompt(options.prompt, settings, pair=True)
    answer = options.answer or PairAnswerOptions()
    form = AnswerForm(PREFERENCE, answer.from_, options.format)
    judge = _judge("judge-pairs", options, form, prompt, settings)
    scorers = tuple(PairScorer(judge, draw) for draw in range(1, options.repeats + 1))
    return WinRate(scorers, prompt.requires, options.rivals)


def _judge(
    kind: str, options: AskingOptions, form: AnswerForm, prompt: Prompt, settings: Settings
) -> Judge:
    question = Question(
        kind,
        options.model,
        prompt,
        _rubric(options, prompt),
        form,
        options.temperature,
        options.max_tokens,
        options.reported,
    )
    return Judge(question, _service(options, settings), options.repeats)


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
