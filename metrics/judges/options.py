"""The options of `judge` and `judge-pairs`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    field_validator,
    model_serializer,
    model_validator,
)

from shakeproof.metrics.judges.answers import Format, From, Labels, Scale
from shakeproof.metrics.judges.endpoint import check_endpoint
from shakeproof.metrics.options import Options
from shakeproof.metrics.protocols import Metric
from shakeproof.metrics.settings import Settings

TOKEN_LIMITS = ("max_tokens", "max_completion_tokens")  # fields of a request, by server
OURS = ("messages", "model", "n", "stream")  # fields of a request that have one meaning here
VARIABLE = "${"  # begins an environment variable in a text


class _Part(BaseModel):
    """A group of options."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


class PairAnswerOptions(_Part):
    """How a preference is read from the judge's answer."""

    from_: From = Field(default="schema", alias="from")

    @model_serializer(mode="wrap")
    def _written(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Write `from` as it is written in a checklist."""
        return {key.rstrip("_"): value for key, value in handler(self).items()}


class AnswerOptions(PairAnswerOptions):
    """What the judge answers with: a number on a scale or a label, and how it is read."""

    scale: tuple[int | float, int | float] | None = Field(default=None, strict=False)
    labels: dict[str, float] | None = Field(default=None, min_length=2)

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.scale is not None and self.labels is not None:
            raise ValueError("an answer has a scale or labels, not both")
        low, high = self.scale or (1, 5)
        if low >= high:
            raise ValueError(f"scale must be [worst, best], such as [1, 5], got [{low}, {high}]")
        whole = isinstance(low, int) and isinstance(high, int)
        digits = whole and low >= 0 and high <= 9
        if self.from_ == "logprobs" and self.labels is None and not digits:
            raise ValueError("from: logprobs needs a scale of single digits, such as [1, 5]")
        return self

    @property
    def values(self) -> Scale | Labels:
        """Return the scale or the labels."""
        return Labels(tuple(self.labels.items())) if self.labels else Scale(*self.scale or (1, 5))


class BudgetOptions(_Part):
    """What one run may spend; it stops before it is exceeded."""

    calls: int | None = Field(default=None, ge=1)
    tokens: int | None = Field(default=None, ge=1)


class PriceOptions(_Part):
    """What a million tokens cost, in whatever currency."""

    input: float = Field(default=0.0, ge=0, strict=False)
    output: float = Field(default=0.0, ge=0, strict=False)


class AskingOptions(Options):
    """What both kinds of judges have in common."""

    with_variables: ClassVar[tuple[str, ...]] = ("endpoint",)

    endpoint: str  # the base address, such as http://host:8000/v1; may have ${NAME}
    model: str = Field(min_length=1)
    prompt: str = "adequacy"  # a file beside the checklist, or a shipped prompt
    rubric: str | None = None  # for prompts that show one
    format: Format = "json_schema"  # what the server is asked to keep to
    repeats: int = Field(default=1, ge=1)
    temperature: float = Field(default=0.0, ge=0, le=10, strict=False)
    max_tokens: int = Field(default=256, ge=1)
    request: dict[str, Any] | None = None  # other fields of the request; null leaves one out
    timeout: float = Field(default=60.0, gt=0, le=86_400, strict=False)  # seconds for one answer
    concurrency: int = Field(default=32, ge=1, le=1_000)  # questions at once
    attempts: int = Field(default=6, ge=1)  # for one question
    budget: BudgetOptions | None = None
    price: PriceOptions | None = None
    key: str | None = None  # the NAME of the environment variable with the key
    reported: str | None = None  # the model that must answer, as the server names it

    @field_validator("endpoint")
    @classmethod
    def _is_address(cls, endpoint: str) -> str:
        if VARIABLE not in endpoint:
            check_endpoint(endpoint)
        return endpoint

    @field_validator("request")
    @classmethod
    def _are_other_fields(cls, request: dict[str, Any] | None) -> dict[str, Any] | None:
        for name in request or ():
            if name in OURS:
                raise ValueError(f"request may not have {name!r}, which shakeproof sets")
        return request

    @model_validator(mode="after")
    def _limits_tokens(self) -> Self:
        """Refuse a budget of tokens where nothing limits the tokens of an answer."""
        request = self.request or {}
        unlimited = "max_tokens" in request and not any(request.get(one) for one in TOKEN_LIMITS)
        if unlimited and self.budget is not None and self.budget.tokens is not None:
            raise ValueError(
                "request leaves max_tokens out, so a budget of tokens cannot be kept; "
                "add max_completion_tokens"
            )
        return self

    @field_validator("key")
    @classmethod
    def _is_name(cls, key: str | None) -> str | None:
        if key is not None and re.fullmatch("[A-Z_][A-Z0-9_]*", key) is None:  # never quoted here
            raise ValueError(
                "key must be the name of an environment variable, in capitals, not the key itself"
            )
        return key

    def mistakes(self, settings: Settings) -> Iterator[tuple[str, str]]:
        from shakeproof.metrics.judges.templates import PromptError  # loads jinja2

        try:
            self.build({}, settings)
        except PromptError as error:
            yield "prompt", str(error)


class JudgeOptions(AskingOptions):
    """The server, the model, the prompt and the form of the answer."""

    summary: ClassVar[str] = "a language model that rates a candidate, asked over HTTP"

    answer: AnswerOptions | None = None  # a whole number from 1 to 5 if left out

    def build(self, others: Mapping[str, Metric], settings: Settings) -> Metric:
        from shakeproof.metrics.judges.build import build_judge  # loads jinja2 and asyncio

        return build_judge(self, settings)


class JudgePairsOptions(AskingOptions):
    """The server, the model, the prompt, and how many rivals a candidate is compared with."""

    summary: ClassVar[str] = "a language model that prefers one of two candidates: the win rate"

    answer: PairAnswerOptions | None = None
    rivals: int = Field(default=4, ge=1)

    def build(self, others: Mapping[str, Metric], settings: Settings) -> Metric:
        from shakeproof.metrics.judges.build import build_judge_of_pairs  # see above

        return build_judge_of_pairs(self, settings)
