"""Prompts: jinja2 templates of the user or of this package, rendered in a sandbox."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from pathlib import Path
from types import TracebackType
from typing import Any

from jinja2 import StrictUndefined, Template, TemplateSyntaxError, nodes
from jinja2.sandbox import ImmutableSandboxedEnvironment

from shakeproof.metrics.failures import MAX_DETAIL, Failure, RatingFailed, one_line
from shakeproof.metrics.files import find_file
from shakeproof.metrics.settings import Settings

SHIPPED = ("adequacy", "fluency", "paraphrase", "rubric")
FOLDER = Path(__file__).parent / "prompts"
SUFFIX = ".md.j2"
COMMON = ("marker", "reference", "references", "rubric", "scale", "source")
ONE = ("candidate", *COMMON)
PAIR = ("first", "second", *COMMON)
OTHER_FILES = (nodes.Include, nodes.Import, nodes.FromImport, nodes.Extends)
REQUIRED = {"reference": "references", "references": "references", "source": "source"}
MARKER_DIGITS = 8


class PromptError(ValueError):
    """A prompt cannot be used; the message is one line with the file and the line."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """A template, under the name that messages show."""

    name: str
    text: str
    uses: frozenset[str]  # its variables

    @property
    def requires(self) -> frozenset[str]:
        """Return what an instance must have for this prompt."""
        return frozenset(REQUIRED[name] for name in self.uses if name in REQUIRED)

    def render(self, variables: Mapping[str, Any]) -> str:
        """Put in the variables; RatingFailed if that is not possible."""
        try:
            return _compiled(self.name, self.text).render(variables)
        except Exception as error:  # whatever an expression in a template may raise
            place = f"{self.name}:{_line(error.__traceback__, self.name)}"
            detail = one_line(str(error), MAX_DETAIL)
            failure = Failure(f"the prompt cannot be rendered, at {place}", detail)
            raise RatingFailed(failure) from None


def load_prompt(name: str, settings: Settings, *, pair: bool = False) -> Prompt:
    """Read a shipped prompt, or a file beside the checklist."""
    if name in SHIPPED:
        folder = FOLDER / ("pairs" if pair else "one")
        return make_prompt(name, (folder / f"{name}{SUFFIX}").read_text("utf-8"), pair=pair)
    try:
        file = find_file(name, settings)
    except ValueError:
        shipped = ", ".join(SHIPPED)
        raise PromptError(
            f"no prompt {name!r}: neither a file beside the checklist nor one of {shipped}"
        ) from None
    try:
        return make_prompt(name, file.read_text("utf-8"), pair=pair)
    except UnicodeDecodeError:
        raise PromptError(f"{name}: the prompt is not UTF-8 text") from None


def make_prompt(name: str, text: str, *, pair: bool = False) -> Prompt:
    """Check a template and find the variables that it uses."""
    known = PAIR if pair else ONE
    try:
        tree = _ENVIRONMENT.parse(text, name)
        _compiled(name, text)
    except TemplateSyntaxError as error:
        raise PromptError(f"{name}:{error.lineno}: {error.message}") from None
    for node in tree.find_all(OTHER_FILES):
        raise PromptError(f"{name}:{node.lineno}: a prompt cannot include other files")
    uses = dict(_free_names(tree))
    for variable, line in uses.items():
        if variable not in known:
            names = ", ".join(known)
            raise PromptError(f"{name}:{line}: unknown variable {variable!r}; known: {names}")
    for variable in ("first", "second") if pair else ("candidate",):
        if variable not in uses:
            raise PromptError(f"{name}: the prompt must show {{{{ {variable} }}}}")
    return Prompt(name, text, frozenset(uses))


def make_marker(*texts: str) -> str:
    """Return a mark that is in none of the texts, the same whenever they are the same."""
    seed = "\0".join(texts)
    while True:
        seed += "\0"
        content = seed.encode("utf-8", "surrogatepass")
        marker = blake2b(content, digest_size=MARKER_DIGITS // 2).hexdigest()
        if not any(marker in text for text in texts):
            return marker


def _free_names(tree: nodes.Template) -> Iterator[tuple[str, int]]:
    """Yield the variables that the template does not set itself, with the line of their use."""
    own = {node.name for node in tree.find_all(nodes.Name) if node.ctx != "load"}
    macros = {node.name for node in tree.find_all(nodes.Macro)}
    for node in reversed(list(tree.find_all(nodes.Name))):  # so that the first use is the last
        free = node.name not in own | macros | _ENVIRONMENT.globals.keys() | {"loop", "caller"}
        if node.ctx == "load" and free:
            yield node.name, node.lineno


def _line(traceback: TracebackType | None, name: str) -> int:
    line = 0
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == name:
            line = traceback.tb_lineno
        traceback = traceback.tb_next
    return line


@cache
def _compiled(name: str, text: str) -> Template:
    code = _ENVIRONMENT.compile(text, name, name)
    return Template.from_code(_ENVIRONMENT, code, dict(_ENVIRONMENT.globals))


_ENVIRONMENT = ImmutableSandboxedEnvironment(
    undefined=StrictUndefined, keep_trailing_newline=False, trim_blocks=True, autoescape=False
)
