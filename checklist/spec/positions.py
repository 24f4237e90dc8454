"""YAML as plain values, with the line and column of every key and value."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, StreamMark, YAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode
from ruamel.yaml.reader import ReaderError

from shakeproof.errors import SpecErrors, one_line
from shakeproof.validation import Trail

DEEPEST = 50  # a checklist has about 6
MOST_VALUES = 20_000  # once aliases are written out; a checklist has a few hundred
TAG = "tag:yaml.org,2002:"
SCALARS = frozenset(TAG + name for name in ("null", "bool", "int", "float"))
OTHERS = frozenset(TAG + name for name in ("str", "timestamp", "value", "merge", "seq", "map"))
WORDS = {  # how ruamel.yaml puts it, and how we do
    "'\\t'": "a tab cannot indent YAML; use blanks",
    "found another document": "a checklist is one document; remove the line with ---",
    "found undefined alias": "this alias stands for nothing; name its anchor with & above",
    "mapping values are not allowed": "a colon and a blank are not allowed here; "
    "quote the text, or check the indentation",
    "expected ',' or ']'": "this list is not closed by ]",
    "expected ',' or '}'": "this mapping is not closed by }",
    "expected <block end>": "this line is not indented like the lines around it",
    "could not find expected ':'": "a key without a colon; write key: value",
    "unexpected end of stream": "a quoted text is not closed",
    "cannot start any token": "a text may not begin with this character; quote it",
    "expected the node content": "something is missing here, such as a closing bracket",
}


CONSTRUCTOR = YAML(typ="safe", pure=True).constructor


class Place(NamedTuple):
    """Where something stands in a file, counted from 1."""

    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Document:
    """The plain values of a YAML file, and where each of them stands."""

    file: str
    content: Any
    keys: Mapping[Trail, Place]
    values: Mapping[Trail, Place]

    def place(self, trail: Trail, *, key: bool = False) -> Place:
        """Say where a value or its key stands, or else the nearest thing around it."""
        for length in range(len(trail), -1, -1):
            part = trail[:length]
            places = (self.keys, self.values) if key or length < len(trail) else (self.values,)
            found = next((each[part] for each in places if part in each), None)
            if found is not None:
                return found
        return Place(1, 1)


def located(file: str, place: Place, message: str) -> str:
    """Write a mistake as editors and terminals know to jump to it."""
    return f"{file}:{place.line}:{place.column}: {one_line(message)}"


def read_yaml(text: str, file: str) -> Document:
    """Read YAML 1.2, telling all duplicate keys, odd tags and broken merges at once."""
    node = _compose(text, file)
    walk = _Walk(file)
    content = walk.value(node, (), ()) if node is not None else None
    if walk.mistakes:
        lines = (located(file, place, message) for place, message in sorted(walk.mistakes))
        raise SpecErrors(dict.fromkeys(lines))
    return Document(file, content, walk.keys, walk.values)


def _compose(text: str, file: str) -> Node | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # an anchor may be used again
        try:
            node: Node | None = YAML(typ="safe", pure=True).compose(text)
        except MarkedYAMLError as error:
            raise SpecErrors([_broken(error, file)]) from None
        except ReaderError as error:
            place = _count(text[: error.position or 0])
            raise SpecErrors([located(file, place, "control characters are not allowed")]) from None
        except RecursionError:
            raise SpecErrors([located(file, Place(1, 1), "nested too deeply")]) from None
    return node


def _count(before: str) -> Place:
    return Place(before.count("\n") + 1, len(before) - before.rfind("\n"))


def _broken(error: MarkedYAMLError, file: str) -> str:
    found = f"{error.context or ''} {error.problem or ''}"
    words = next((ours for theirs, ours in WORDS.items() if theirs in found), None)
    opened = words is not None and "not closed" in words  # the beginning tells more than the end
    mark = (error.context_mark if opened else None) or error.problem_mark
    place = _place(mark) if mark is not None else Place(1, 1)
    return located(file, place, words or f"not YAML: {found.strip() or 'cannot be read'}")


def _place(mark: StreamMark) -> Place:
    return Place(mark.line + 1, mark.column + 1)


@dataclass(slots=True)
class _Walk:
    """Turns nodes into plain values, noting places and mistakes."""

    file: str
    keys: dict[Trail, Place] = field(default_factory=dict)
    values: dict[Trail, Place] = field(default_factory=dict)
    mistakes: list[tuple[Place, str]] = field(default_factory=list)

    def value(self, node: Node, trail: Trail, above: tuple[int, ...]) -> Any:  # noqa: ANN401 - YAML
        place = _place(node.start_mark)
        if node.value == "" and trail in self.keys:
            place = self.keys[trail]  # nothing stands nowhere
        self.values[trail] = place
        if id(node) in above:
            self.mistakes.append((place, "an alias may not stand inside what it stands for"))
            return None
        self.check_size(place, len(above))
        if str(node.tag) not in SCALARS | OTHERS:
            self.mistakes.append((place, f"unknown YAML tag {_short(str(node.tag))!r}"))
        inside = (*above, id(node))
        if isinstance(node, MappingNode):
            return self.mapping(node, trail, inside)
        if isinstance(node, SequenceNode):
            return [self.value(one, (*trail, i), inside) for i, one in enumerate(node.value)]
        return _scalar(node) if str(node.tag) in SCALARS else node.value

    def check_size(self, place: Place, depth: int) -> None:
        if depth > DEEPEST:
            raise SpecErrors([located(self.file, place, "nested too deeply")])
        if len(self.values) > MOST_VALUES:
            message = f"more than {MOST_VALUES} values, aliases counted"
            raise SpecErrors([located(self.file, place, message)])

    def mapping(self, node: MappingNode, trail: Trail, above: tuple[int, ...]) -> dict[str, Any]:
        content: dict[str, Any] = {}
        for key, one in self.entries(node, above):
            if key.value not in content:  # own keys come first and win over merged ones
                self.keys[(*trail, key.value)] = _place(key.start_mark)
                content[key.value] = self.value(one, (*trail, key.value), above)
        return content

    def entries(
        self, node: MappingNode, above: tuple[int, ...]
    ) -> Iterator[tuple[ScalarNode, Node]]:
        seen: dict[str, int] = {}
        merged: list[tuple[Place, Node]] = []
        for key, one in node.value:
            place = _place(key.start_mark)
            if not isinstance(key, ScalarNode):
                self.mistakes.append((place, "a key must be plain text, not a list or mapping"))
            elif key.value == "<<" and not key.style:
                others = one.value if isinstance(one, SequenceNode) else [one]
                merged += [(place, other) for other in others]
            elif key.value in seen:
                first = seen[key.value]
                self.mistakes.append((place, f"key {key.value!r} stands on line {first} already"))
            else:
                seen[key.value] = place.line
                yield key, one
        for place, other in merged:
            if isinstance(other, MappingNode) and id(other) not in above:
                yield from self.entries(other, (*above, id(other)))
            else:
                self.mistakes.append((place, "<< takes another mapping: <<: *name"))


def _short(tag: str) -> str:
    return tag.replace(TAG, "!!")


def _scalar(node: Node) -> Any:  # noqa: ANN401 - YAML
    construct = getattr(CONSTRUCTOR, f"construct_yaml_{str(node.tag).removeprefix(TAG)}")
    try:
        return construct(node)
    except (YAMLError, ValueError, KeyError):  # such as !!int on a word
        return node.value
