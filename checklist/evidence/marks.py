"""A text with its edits marked, for terminals."""

from __future__ import annotations

from collections.abc import Callable, Iterator


def removed(text: str) -> str:
    """Mark what went, without colours."""
    return f"[-{text}-]" if text else ""


def added(text: str) -> str:
    """Mark what came, without colours."""
    return f"{{+{text}+}}" if text else ""


def marked(
    before: str,
    after: str,
    *,
    gone: Callable[[str], str] = removed,
    new: Callable[[str], str] = added,
) -> str:
    """Show a text with what was removed and added, by default as [-removed-]{+added+}."""
    return "".join(_pieces(before, after, gone, new))


def _pieces(
    before: str, after: str, gone: Callable[[str], str], new: Callable[[str], str]
) -> Iterator[str]:
    from shakeproof.evidence.search.edits import edits_between

    at = 0
    for start, end, text in edits_between(before, after):
        yield before[at:start] + gone(before[start:end]) + new(text)
        at = end
    yield before[at:]
