"""Notebooks as pages of the documentation site: their texts, code and stored outputs."""

from __future__ import annotations

import html
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ENDING = ".ipynb"
SCROLLED = '<div class="md-typeset__scrollwrap">\n{}\n</div>'


def notebook_page(path: Path) -> str:
    """Return a notebook as Markdown; nothing in it is run."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return "\n\n".join(part for cell in cells for part in _parts(cell)) + "\n"


def _parts(cell: dict[str, Any]) -> Iterator[str]:
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        yield source
    elif cell["cell_type"] == "code":
        yield f"```python\n{source}\n```"
        for output in cell["outputs"]:
            yield _output(output)


def _output(output: dict[str, Any]) -> str:
    """Return an output as HTML: its own, or its text as it is."""
    data = output.get("data", {})
    for kind in ("text/html", "image/svg+xml"):
        if kind in data:
            return SCROLLED.format(_without_blank_lines("".join(data[kind])))
    text = output.get("text") or output.get("traceback") or data.get("text/plain", "")
    escaped = html.escape("".join(text).rstrip("\n"))
    return f"<pre><code>{_without_blank_lines(escaped)}</code></pre>"


def _without_blank_lines(text: str) -> str:
    """Leave out what would end a block of HTML in Markdown."""
    return "\n".join(line for line in text.split("\n") if line.strip())
