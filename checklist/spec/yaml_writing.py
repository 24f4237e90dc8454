"""Write plain values as YAML that reads back equal."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from io import StringIO
from numbers import Integral, Real
from pathlib import Path
from sys import maxsize
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.nodes import ScalarNode
from ruamel.yaml.representer import SafeRepresenter

WIDTH = 100


def plain_values(value: Any, convert: Callable[[Any], Any] = lambda value: value) -> Any:  # noqa: ANN401
    """Turn sequences into lists, mappings into dictionaries with text as keys, paths into text.

    Texts and numbers of NumPy become those of Python; `convert` is called with everything else.
    """
    match value:
        case bool() | None:
            return value
        case str():
            return str.__str__(value)
        case Integral():
            return int(value)
        case Real():
            return float(value)
        case Path():
            return str(value)
        case Mapping():
            return {str(key): plain_values(inner, convert) for key, inner in value.items()}
        case Sequence():
            return [plain_values(inner, convert) for inner in value]
    return convert(value)


def write_yaml(content: object) -> str:
    """Write a document in block style."""
    return _dump(plain_values(content), flow=False, width=WIDTH)


def write_flow(value: object) -> str:
    """Write a value on one line, for use after `key: ` or in a list."""
    line = _dump([plain_values(value)], flow=True, width=maxsize)
    return line.removesuffix("\n").removeprefix("[").removesuffix("]")


class _Representer(SafeRepresenter):
    """Writes equal values again instead of aliases, and texts in quotes if they need them.

    Texts with invisible characters are in double quotes, to be escaped. ruamel.yaml would leave
    some without quotes that it does not read back, such as [?0].
    """

    def ignore_aliases(self, data: object) -> bool:
        return True

    def represent_str(self, data: str) -> ScalarNode:
        style = None if data[:1].isalnum() else "'"
        style = style if data.isprintable() else '"'
        node: ScalarNode = self.represent_scalar("tag:yaml.org,2002:str", data, style=style)
        return node


_Representer.add_representer(str, _Representer.represent_str)


def _dump(content: object, *, flow: bool, width: int) -> str:
    yaml = YAML(typ="safe", pure=True)
    yaml.Representer = _Representer
    yaml.default_flow_style = flow
    yaml.sort_base_mapping_type_on_output = False  # type: ignore[assignment]  # None by its types
    yaml.brace_single_entry_mapping_in_flow_sequence = True
    yaml.allow_unicode, yaml.width = True, width
    stream = StringIO()
    yaml.dump(content, stream)
    lines = stream.getvalue().split("\n")  # only texts in double quotes have what does not show
    return "\n".join("".join(map(escape_invisible, line)) for line in lines)


def escape_invisible(char: str) -> str:
    """Return a character as YAML writes it in double quotes: as its code if it does not show."""
    if char.isprintable():
        return char
    code = ord(char)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
