"""The form of an answer: what the judge is told about it, and how its score is read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from math import exp, isfinite
from typing import Any, Literal, TypeAlias

from shakeproof.metrics.failures import Failure, one_line

Format: TypeAlias = Literal["json_schema", "json_object", "none"]
From: TypeAlias = Literal["schema", "logprobs"]

MAX_SHOWN = 200  # characters of an answer in a message
MAX_LISTED = 1_001  # whole numbers of a scale that a schema lists
MIN_MASS = 0.5  # probability that must be on the scale
TOP_LOGPROBS = 20
FENCE = "```"


class NoLogprobs(Exception):
    """The server sends no log-probabilities."""


@dataclass(frozen=True, slots=True)
class Scale:
    """Numbers from `low`, the worst, to `high`, the best; whole ones if both bounds are."""

    low: float
    high: float
    key: str = "score"

    @property
    def whole(self) -> bool:
        return isinstance(self.low, int) and isinstance(self.high, int)

    @property
    def phrase(self) -> str:
        number = "a whole number" if self.whole else "a number"
        return f"{number} from {self.low} (worst) to {self.high} (best)"

    @property
    def described(self) -> str:
        return f"{self.low}..{self.high}"

    @property
    def schema(self) -> dict[str, Any]:
        if self.whole and self.high - self.low < MAX_LISTED:
            return {"type": "integer", "enum": list(self.tokens.values())}
        return {"type": "integer" if self.whole else "number"}

    @property
    def tokens(self) -> dict[str, float]:
        """Return the whole numbers of the scale by how they are written."""
        return {str(number): number for number in range(int(self.low), int(self.high) + 1)}

    def value(self, answer: object) -> float | None:
        """Return the score that an answer is; None if it is not on the scale."""
        if isinstance(answer, bool) or not isinstance(answer, int | float):
            return None
        if not self.low <= answer <= self.high:
            return None
        return None if self.whole and answer != int(answer) else float(answer)


@dataclass(frozen=True, slots=True)
class Labels:
    """Words, each of which stands for a score."""

    scores: tuple[tuple[str, float], ...]
    key: str = "label"

    @property
    def phrase(self) -> str:
        return "one of " + ", ".join(json.dumps(label, ensure_ascii=False) for label in self.tokens)

    @property
    def described(self) -> str:
        return ",".join(f"{label}={score}" for label, score in self.scores)

    @property
    def schema(self) -> dict[str, Any]:
        return {"type": "string", "enum": list(self.tokens)}

    @property
    def tokens(self) -> dict[str, float]:
        return dict(self.scores)

    def value(self, answer: object) -> float | None:
        """Return the score that a label stands for; None if it is no label."""
        return self.tokens.get(answer) if isinstance(answer, str) else None


PREFERENCE = Labels((("first", 1.0), ("second", 0.0), ("tie", 0.5)), key="better")


@dataclass(frozen=True, slots=True)
class AnswerForm:
    """What is asked for: a score on a scale or a label, as JSON or as the first token."""

    values: Scale | Labels
    source: From = "schema"
    format: Format = "json_schema"

    @property
    def instructions(self) -> str:
        """Return what is added to the prompt."""
        phrase, key = self.values.phrase, self.values.key
        if self.source == "logprobs":
            return f"Answer with {phrase}, without quotes, and with nothing else."
        form = f'{{"{key}": …}}, where "{key}" is {phrase}'
        return f"Answer with a JSON object and nothing else: {form}."

    @property
    def described(self) -> str:
        """Return the form in one line, for a signature."""
        return f"{self.values.described}|{self.source}|{self.format}"

    @property
    def request(self) -> dict[str, Any]:
        """Return the fields of a request that ask for this form."""
        if self.source == "logprobs":
            return {"logprobs": True, "top_logprobs": TOP_LOGPROBS}
        if self.format == "none":
            return {}
        if self.format == "json_object":
            return {"response_format": {"type": "json_object"}}
        schema = {
            "type": "object",
            "properties": {self.values.key: self.values.schema},
            "required": [self.values.key],
            "additionalProperties": False,
        }
        wanted = {"name": "answer", "strict": True, "schema": schema}
        return {"response_format": {"type": "json_schema", "json_schema": wanted}}

    def read(self, choice: Mapping[str, Any]) -> float | Failure:
        """Return the score of an answer, or why it does not fit."""
        if self.source == "logprobs":
            try:
                return self._read_logprobs(choice)
            except (ArithmeticError, AttributeError, KeyError, TypeError, ValueError):
                return _unfit("malformed log-probabilities", None)
        message = choice.get("message")
        text = message.get("content") if isinstance(message, dict) else None
        if not isinstance(text, str):
            refusal = message.get("refusal") if isinstance(message, dict) else None
            return _unfit("no text" if refusal is None else "a refusal", refusal)
        return self._read_json(text)

    def _read_json(self, text: str) -> float | Failure:
        try:
            content = json.loads(
                without_fence(text), object_pairs_hook=_unique, parse_constant=_refuse
            )
        except (ValueError, RecursionError):
            return _unfit("no JSON", text)
        if not isinstance(content, dict) or list(content) != [self.values.key]:
            return _unfit(f'no JSON object with "{self.values.key}" alone', text)
        score = self.values.value(content[self.values.key])
        return _unfit(f"not {self.values.phrase}", text) if score is None else score

    def _read_logprobs(self, choice: Mapping[str, Any]) -> float | Failure:
        """Return the mean of the scale by the probabilities of the first token."""
        logprobs = choice.get("logprobs")
        entries = logprobs.get("content") if isinstance(logprobs, dict) else None
        if not isinstance(entries, list) or not entries:
            raise NoLogprobs
        first = next((one for one in entries if str(one.get("token", "")).strip()), entries[0])
        masses: dict[float, float] = {}
        for top in first.get("top_logprobs") or [first]:
            score = self._score_of_token(str(top.get("token", "")))
            if score is not None and isfinite(logprob := float(top["logprob"])):
                masses[score] = masses.get(score, 0.0) + exp(min(0.0, logprob))
        mass = sum(masses.values())
        if mass < MIN_MASS:
            return _unfit(f"less than {MIN_MASS:.0%} of the probability is on the scale", first)
        return sum(score * share for score, share in masses.items()) / mass

    def _score_of_token(self, token: str) -> float | None:
        """Return the score of a value that is the token, or the only one to begin with it."""
        token = token.strip()
        begun = [value for value in self.values.tokens if token and value.startswith(token)]
        value = token if token in begun else begun[0] if len(begun) == 1 else None
        return None if value is None else float(self.values.tokens[value])


def without_fence(text: str) -> str:
    """Remove one code fence around the whole text."""
    lines = text.strip().splitlines()
    fenced = len(lines) > 2 and lines[0].startswith(FENCE) and lines[-1] == FENCE
    return "\n".join(lines[1:-1]) if fenced else text


def _unfit(why: str, shown: object) -> Failure:
    text = shown if isinstance(shown, str) else repr(shown)
    detail = "" if shown is None else one_line(text, MAX_SHOWN)
    return Failure(f"the answer does not fit: {why}", detail)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    content = dict(pairs)
    if len(content) < len(pairs):
        raise ValueError("a key is there twice")
    return content


def _refuse(constant: str) -> float:
    raise ValueError(f"{constant} is no JSON")
