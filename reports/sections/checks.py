"""Lines of the table of checks, with what unfolds below them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from shlex import quote

from shakeproof.reports.charts.bars import BarChart, bar_chart
from shakeproof.reports.charts.forest import Strip, strip
from shakeproof.reports.sections.texts import Exhibit, exhibit
from shakeproof.reports.wording.anchors import anchor
from shakeproof.reports.wording.format import (
    ABSENT,
    MINUS,
    SIGNS,
    Sign,
    cell,
    few_changed,
    many,
    number,
    plain,
    significance,
    span,
)
from shakeproof.reports.wording.margins import margin
from shakeproof.results import Estimate, Part, Realised, Result

Usual = tuple[str, int, float]  # method, draws, confidence of an interval

TIES = "ties, "  # how parts that count them begin
SHELL_SPECIAL = frozenset('$`"\\!')


@dataclass(frozen=True, slots=True)
class Row:
    """One check."""

    result: Result
    sign: Sign
    anchor: str
    condition: str
    few: str  # a warning if most segments stayed as they were
    value: float | None
    margin: float | None
    strip: Strip | None
    summary: str
    facts: tuple[tuple[str, str], ...]
    changes: BarChart | None
    changes_at: str  # where their chart stands, if it does elsewhere
    exhibits: tuple[Exhibit, ...]
    repeat: str


@dataclass(frozen=True, slots=True)
class Room:
    """What the rows of a page have room for: ids of checks."""

    texts: frozenset[str]
    charts: frozenset[str]
    elsewhere: frozenset[str]  # addresses of charts that stand in another part of the page


def row(result: Result, usual: Usual, room: Room) -> Row:
    """Make a line of the table of checks."""
    sign, estimate, side = SIGNS[result.outcome], result.estimate, margin(result)
    return Row(
        result,
        sign,
        anchor(result.id),
        cell(result),
        few_changed(result),
        None if estimate is None else estimate.value,
        None if side is None else side.value,
        None if estimate is None else strip(estimate, result.bounds, sign.slug),
        result.message or result.reason or result.statement,
        tuple(facts(result, usual)),
        bar_chart(result) if result.id in room.charts else None,
        next(iter({anchor(result.id, "changes")} & room.elsewhere), ""),
        tuple(exhibit(e) for e in result.examples) if result.id in room.texts else (),
        f"pytest {quoted(result.id)}",
    )


def facts(result: Result, usual: Usual) -> Iterator[tuple[str, str]]:
    """Tell all that is known about a check beyond its row, as names and texts."""
    if not result.statement.startswith(result.quantity):
        yield "Expected", result.statement
    if result.estimate:
        yield result.quantity, told(result.estimate, result, usual)
    tied = [part for part in result.parts if part.name.startswith(TIES) and not part.group]
    beside = [part_told(part) for part in result.parts if part not in tied]
    texts = {
        "Beside it": "; ".join(beside),
        "Ties": "; ".join(map(tie_told, tied)),
        "p": "" if result.p is None else p_told(result.p, result.q),
        "Realised": realised(result.realised) if result.realised else "",
        "What would decide it": result.advice,
        "Reason": result.reason,
        "Seeds": ", ".join(map(str, result.seeds)) if len(result.seeds) > 1 else "",
    }
    yield from ((name, text) for name, text in texts.items() if text)


def p_told(p: float, q: float | None) -> str:
    """Tell how likely such data are if the expectation holds, as found and adjusted."""
    return significance(p) if q is None else f"{significance(p)}, adjusted {significance(q)}"


def part_told(part: Part) -> str:
    """Tell a number shown beside the judged one."""
    group = f" {part.group}" if part.group else ""
    level = "" if not part.level else f" at {plain(part.level)}"
    return f"{part.name}{group}{level} {number(part.estimate.value)} {span(part.estimate)}"


def tie_told(part: Part) -> str:
    """Tell the share of pairs to which the metric gives the same score."""
    value = part.estimate.value
    return f"{ABSENT if value is None else f'{value:.1%}'} {part.name.removeprefix(TIES)}"


def told(estimate: Estimate, result: Result, usual: Usual) -> str:
    """Tell an estimate with what is known about it; what is usual stands in the small print."""
    found = f"{number(estimate.value)} {span(estimate)}"
    pieces = [
        "" if found.replace(MINUS, "-") in result.message else f"{found} {result.unit}".rstrip(),
        many(estimate.segments, "segment"),
        "" if how(estimate) == usual else said(how(estimate)),
        f"{many(estimate.undefined_draws, 'draw')} undefined" if estimate.undefined_draws else "",
        estimate.note,
    ]
    return ", ".join(piece for piece in pieces if piece)


def usual_way(results: Iterable[Result]) -> Usual:
    """Find how most intervals were made."""
    counts = Counter(how(result.estimate) for result in results if result.estimate)
    return counts.most_common(1)[0][0] if counts else how(Estimate(value=None))


def how(estimate: Estimate) -> Usual:
    """Say how an interval was made."""
    return estimate.method, estimate.draws, estimate.confidence


def said(way: Usual) -> str:
    """Write how intervals were made."""
    method, draws, confidence = way
    return f"{confidence:.0%} interval by {method}, {many(draws, 'draw')}"


def realised(found: Realised) -> str:
    """Tell what a condition did to the texts."""
    return (
        f"{found.letters:.1%} of letters, {found.words:.1%} of words, {found.segments:.0%} of "
        f"segments; {number(found.edits)} edits per character{unknown_told(found)}"
    )


def unknown_told(found: Realised) -> str:
    """Tell the unknown tokens, if they were counted, beside those of the clean texts."""
    if found.unknown is None:
        return ""
    clean = "" if found.unknown_before is None else f", {number(found.unknown_before)} when clean"
    return f"; {number(found.unknown)} unknown tokens per segment{clean}"


def quoted(text: str) -> str:
    """Quote an argument so that most shells take it."""
    return quote(text) if SHELL_SPECIAL & set(text) else f'"{text}"'
