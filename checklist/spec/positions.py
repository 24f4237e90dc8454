"""YAML as plain values, with the line and column of every key and value."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from ruamel.yaml import YAML
from ruamel.yaml.composer import Composer
from ruamel.yaml.error import MarkedYAMLError, StreamMark, YAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode
from ruamel.yaml.reader import ReaderError
from ruamel.yaml.scanner import Scanner
from ruamel.yaml.tokens import TagToken

from shakeproof.errors import SpecErrors, one_line
from shakeproof.validation import Trail

MAX_DEPTH = 50  # a checklist has about 6
MAX_VALUES = 20_000  # with every alias written out; a checklist has a few hundred
MAX_TAG = 100  # characters; ruamel.yaml takes time that grows with their square
TOO_DEEP = "nested too deeply"
LONG_TAG = f"a YAML tag of more than {MAX_TAG} characters"
TOO_MANY = f"more than {MAX_VALUES} values, aliases counted"
TAG = "tag:yaml.org,2002:"
SCALARS = frozenset(TAG + name for name in ("null", "bool", "int", "float"))
OTHERS = frozenset(TAG + name for name in ("str", "timestamp", "value", "merge", "seq", "map"))
MESSAGES = {  # a part of ruamel.yaml's message, and ours
    "'\\t'": "a tab cannot indent YAML; use spaces",
    "found another document": "a checklist is one document; remove the line with ---",
    "found undefined alias": "unknown alias; define its anchor with & above",
    "mapping values are not allowed": "a colon and a space are not allowed here; "
    "quote the text, or check the indentation",
    "expected ',' or ']'": "this list is not closed by ]",
    "expected ',' or '}'": "this mapping is not closed by }",
    "expected <block end>": "this line is not indented like the lines around it",
    "could not find expected ':'": "a key without a colon; write key: value",
    "unexpected end of stream": "a quoted text is not closed",
    "cannot start any token": "a text may not begin with this character; quote it",
    **{ours: ours for ours in (TOO_DEEP, TOO_MANY, LONG_TAG)},
    "expected the node content": "something is missing here, such as a closing bracket",
}
CONSTRUCTOR = YAML(typ="safe", pure=True).constructor


class Position(NamedTuple):
    """The line and column of something in a file, counted from 1."""

    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Document:
    """The plain values of a YAML file, and the position of each of them."""

    file: str
    content: Any
    keys: Mapping[Trail, Position]
    values: Mapping[Trail, Position]
    from_code: bool = False  # the user wrote no file: messages name values by path, not by line
    path: Path = Path()  # of the file
    taken: Mapping[Trail, Document] = field(default_factory=dict)  # values of files it extends

    def source(self, trail: Trail) -> Document:
        """Return the document that a value is written in: this one, or one that it extends."""
        for length in (2, 1):
            if len(trail) >= length and trail[:length] in self.taken:
                return self.taken[trail[:length]].source(trail)
        return self

    def has_key(self, trail: Trail) -> bool:
        """Return whether a key is written in the file, or in one that it extends."""
        return trail in self.source(trail).keys

    def position(self, trail: Trail, *, key: bool = False) -> Position:
        """Return the position of a value or its key, or else of the nearest thing around it."""
        if (source := self.source(trail)) is not self:
            return source.position(trail, key=key)
        for length in range(len(trail), -1, -1):
            part = trail[:length]
            if (key or length < len(trail)) and part in self.keys:
                return self.keys[part]
            if part in self.values:
                return self.values[part]
        return Position(1, 1)

    def located(self, trail: Trail, position: Position, message: str) -> str:
        """Return a message with the place in the file, or in the values that code gave."""
        if (source := self.source(trail)) is not self:
            return source.located(trail, position, message)
        if not self.from_code:
            return located(self.file, position, message)
        path = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in trail)
        return f"{self.file}: {one_line(': '.join(filter(None, (path[1:], message))))}"


def located(file: str, position: Position, message: str) -> str:
    """Return a message with its position, in the form that editors and terminals link."""
    return f"{file}:{position.line}:{position.column}: {one_line(message)}"


def read_yaml(text: str, file: str) -> Document:
    """Read YAML 1.2; duplicate keys, unknown tags and broken merges are reported all at once."""
    node = _compose(text, file)
    walk = _Walk(file)
    content = walk.value(node, (), ()) if node is not None else None
    if walk.mistakes:
        lines = (located(file, position, message) for position, message in sorted(walk.mistakes))
        raise SpecErrors(dict.fromkeys(lines))
    return Document(file, content, walk.keys, walk.values)


def _compose(text: str, file: str) -> Node | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # an anchor may be used again
        try:
            node: Node | None = _parser().compose(text)
        except MarkedYAMLError as error:
            raise SpecErrors([_syntax_error(error, file)]) from None
        except ReaderError as error:
            before = text[: error.position or 0]
            position = Position(before.count("\n") + 1, len(before) - before.rfind("\n"))
            raise SpecErrors(
                [located(file, position, "control characters are not allowed")]
            ) from None
    return node


def _parser() -> YAML:
    yaml = YAML(typ="safe", pure=True)
    yaml.Composer, yaml.Scanner = _LimitedComposer, _LimitedScanner
    return yaml


class _LimitedComposer(Composer):
    """Stops at the first value that is one too many or nested too deeply."""

    _count = _nesting = 0

    def compose_node(self, parent: Node | None, index: object) -> Node:
        self._count += 1
        self._nesting += 1
        if self._nesting > MAX_DEPTH + 1 or self._count > 2 * MAX_VALUES:  # keys are values here
            problem = TOO_DEEP if self._nesting > MAX_DEPTH + 1 else TOO_MANY
            raise MarkedYAMLError(problem=problem, problem_mark=self.parser.peek_event().start_mark)
        node: Node = super().compose_node(parent, index)
        self._nesting -= 1
        return node


class _LimitedScanner(Scanner):
    """Stops at a tag that is too long."""

    def scan_tag(self) -> TagToken:
        token: TagToken = super().scan_tag()
        if len(str(token.value[1])) > MAX_TAG:  # a pair of handle and name
            raise MarkedYAMLError(problem=LONG_TAG, problem_mark=token.start_mark)
        return token


def _syntax_error(error: MarkedYAMLError, file: str) -> str:
    theirs = f"{error.context or ''} {error.problem or ''}"
    ours = next((ours for part, ours in MESSAGES.items() if part in theirs), None)
    unclosed = ours is not None and "not closed" in ours  # then its beginning is the position
    mark = (error.context_mark if unclosed else None) or error.problem_mark
    position = _position(mark) if mark is not None else Position(1, 1)
    return located(file, position, ours or f"not YAML: {theirs.strip() or 'cannot be read'}")


def _position(mark: StreamMark) -> Position:
    return Position(mark.line + 1, mark.column + 1)


@dataclass(slots=True)
class _Walk:
    """Turns nodes into plain values, and collects positions and mistakes."""

    file: str
    keys: dict[Trail, Position] = field(default_factory=dict)
    values: dict[Trail, Position] = field(default_factory=dict)
    mistakes: list[tuple[Position, str]] = field(default_factory=list)

    def value(self, node: Node, trail: Trail, above: tuple[int, ...]) -> Any:  # noqa: ANN401 - YAML
        position = _position(node.start_mark)
        if node.value == "" and trail in self.keys:
            position = self.keys[trail]  # an empty value has no position of its own
        self.values[trail] = position
        if id(node) in above:
            self.mistakes.append((position, "an alias may not be used inside its own anchor"))
            return None
        self.check_size(position, len(above))
        if str(node.tag) not in SCALARS | OTHERS:
            tag = str(node.tag).replace(TAG, "!!")
            self.mistakes.append((position, f"unknown YAML tag {tag!r}"))
        inside = (*above, id(node))
        if isinstance(node, MappingNode):
            return self.mapping(node, trail, inside)
        if isinstance(node, SequenceNode):
            return [self.value(entry, (*trail, i), inside) for i, entry in enumerate(node.value)]
        return _scalar(node) if str(node.tag) in SCALARS else node.value

    def check_size(self, position: Position, depth: int) -> None:
        if depth > MAX_DEPTH:
            raise SpecErrors([located(self.file, position, TOO_DEEP)])
        if len(self.values) > MAX_VALUES:
            raise SpecErrors([located(self.file, position, TOO_MANY)])

    def mapping(self, node: MappingNode, trail: Trail, above: tuple[int, ...]) -> dict[str, Any]:
        content: dict[str, Any] = {}
        for key, value in self.entries(node, above):
            if key.value not in content:  # the mapping's own keys come before merged ones
                self.keys[(*trail, key.value)] = _position(key.start_mark)
                content[key.value] = self.value(value, (*trail, key.value), above)
        return content

    def entries(
        self, node: MappingNode, above: tuple[int, ...]
    ) -> Iterator[tuple[ScalarNode, Node]]:
        lines: dict[str, int] = {}
        merged: list[tuple[Position, Node]] = []
        for key, value in node.value:
            position = _position(key.start_mark)
            if not isinstance(key, ScalarNode):
                self.mistakes.append((position, "a key must be plain text, not a list or mapping"))
            elif key.value == "<<" and not key.style:
                others = value.value if isinstance(value, SequenceNode) else [value]
                merged += [(position, other) for other in others]
            elif key.value in lines:
                message = f"duplicate key {key.value!r}; the first is on line {lines[key.value]}"
                self.mistakes.append((position, message))
            else:
                lines[key.value] = position.line
                yield key, value
        for position, other in merged:
            if isinstance(other, MappingNode) and id(other) not in above:
                yield from self.entries(other, (*above, id(other)))
            else:
                self.mistakes.append((position, "<< takes another mapping: <<: *name"))


def _scalar(node: Node) -> Any:  # noqa: ANN401 - YAML
    construct = getattr(CONSTRUCTOR, f"construct_yaml_{str(node.tag).removeprefix(TAG)}")
    try:
        return construct(node)
    except (YAMLError, ValueError, KeyError):  # such as !!int on a word
        return node.value
