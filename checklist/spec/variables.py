"""Environment variables in texts: `${NAME}` and `${NAME:-default}`; `$${` is written for `${`."""

from __future__ import annotations

import re
from collections.abc import Mapping

OPEN = "${"
ESCAPED = "$${"
VARIABLE = re.compile(r"\$\$\{|\$\{(?:([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\})?")


def expand_variables(text: str, variables: Mapping[str, str]) -> str:
    """Put in the values of variables; one that is not set and has no default is a ValueError.

    As in a shell, a default also stands for a variable that is empty.
    """

    def value(match: re.Match[str]) -> str:
        name, default = match.groups()
        if match[0] == ESCAPED:
            return OPEN
        if name is None:
            raise ValueError(
                f"{text!r} has a '${{' that is no variable; write ${{NAME}} or "
                "${NAME:-default}, and $${ for the characters '${'"
            )
        if default is not None:
            return variables.get(name) or default
        if name not in variables:
            raise ValueError(
                f"the environment variable {name} is not set; set it, or write ${{{name}:-default}}"
            )
        return variables[name]

    return VARIABLE.sub(value, text)


def has_variables(text: str) -> bool:
    """Return whether a text has variables, or characters that stand for their beginning."""
    return OPEN in text


def escape_variables(text: str) -> str:
    """Write a text so that it has no variables and reads back equal."""
    return text.replace(OPEN, ESCAPED)
