"""What a judge is asked: a prompt about texts, the model, and the form of its answer."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from shakeproof.metrics.judges.answers import AnswerForm
from shakeproof.metrics.judges.options import TOKEN_LIMITS
from shakeproof.metrics.judges.templates import Prompt, make_marker
from shakeproof.metrics.judges.texts import unpack_pair
from shakeproof.metrics.kinds.python import unpack
from shakeproof.metrics.protocols import Instance, Texts

HASH_CHARACTERS = 16


@dataclass(frozen=True, slots=True)
class Question:
    """All that an answer depends on, the texts excepted."""

    kind: str  # judge or judge-pairs
    model: str
    prompt: Prompt
    rubric: str
    form: AnswerForm
    temperature: float
    max_tokens: int
    reported: str | None = None  # the model that must answer
    more: str = "{}"  # other fields of the request, as JSON; null leaves a field out

    @property
    def signature(self) -> str:
        """Name all that an answer depends on; neither the endpoint nor a key is part of it."""
        content = json.dumps([self.prompt.text, self.rubric, self.form.instructions])
        digest = sha256(content.encode()).hexdigest()[:HASH_CHARACTERS]
        parts = [
            self.kind,
            self.model,
            *([f"reported:{self.reported}"] if self.reported else []),
            f"prompt:{digest}",
            f"answer:{self.form.described}",
            f"temperature:{self.temperature:g}",
            f"max_tokens:{self.max_tokens}",
            *([f"request:{self.more}"] if self.more != "{}" else []),
        ]
        return "|".join(parts)

    def render(self, variables: Mapping[str, Any]) -> str:
        """Write the prompt, with instructions for the form of the answer."""
        more = {"rubric": self.rubric, "scale": self.form.values.phrase}
        return f"{self.prompt.render({**variables, **more}).rstrip()}\n\n{self.form.instructions}"

    def request(self, prompt: str) -> bytes:
        """Write the request for a prompt as JSON."""
        content = {
            "model": self.model,
            "messages": [{"role": "user", "content": prompt}],
            "temperature": self.temperature,
            "max_tokens": self.max_tokens,
            **self.form.request,
            **json.loads(self.more),
        }
        sent = {key: value for key, value in content.items() if value is not None}
        return json.dumps(sent).encode()

    @property
    def answer_tokens(self) -> int:
        """Return the most tokens of an answer, whichever field of the request limits them."""
        more = json.loads(self.more)
        limits = (more.get(name) for name in TOKEN_LIMITS)
        return max([self.max_tokens, *(limit for limit in limits if isinstance(limit, int))])

    def tokens_at_most(self, prompt: str) -> int:
        """Return the most tokens that a call can take: no token is shorter than a byte."""
        return byte_length(prompt) + self.answer_tokens


def byte_length(text: str) -> int:
    """Return the length of a text in bytes of UTF-8."""
    return len(text.encode("utf-8", "surrogatepass"))


def variables_of_one(texts: Texts) -> dict[str, Any]:
    """Return the variables of a prompt about one candidate."""
    instance = unpack(texts)
    return {"candidate": instance.candidate, "marker": make_marker(*texts), **_context(instance)}


def variables_of_pair(texts: Texts) -> dict[str, Any]:
    """Return the variables of a prompt about two candidates."""
    first, second = unpack_pair(texts)
    shown = {"first": first.candidate, "second": second.candidate, "marker": make_marker(*texts)}
    return {**shown, **_context(first)}


def _context(instance: Instance) -> dict[str, Any]:
    """Return references and source; what an instance does not have stays undefined."""
    references = instance.references
    source = {} if instance.source is None else {"source": instance.source}
    first = {"reference": references[0]} if references else {}
    return {"references": references, **first, **source}
