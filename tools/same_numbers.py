"""Compare two run.json files number by number, to show that a change of the code changes no result.

    python tools/same_numbers.py before.json after.json

Results are matched by id, parts by name, level and group. Files are read as plain JSON, so runs of
different schema versions can be compared; keys that this program does not know are ignored. The
exit code is 1 if anything differs.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

TOLERANCE = 1e-9
ESTIMATES = ("estimate", "change")
NUMBERS = ("value", "low", "high")
PROBABILITIES = ("p", "q")
LABELS = ("verdict", "outcome")
ABSENT = "absent"

Value: TypeAlias = float | str | None


@dataclass(frozen=True, slots=True)
class Difference:
    """A value that is not the same in both runs."""

    result: str  # the id of the result
    place: str  # such as "estimate.low"
    old: Value
    new: Value


@dataclass(frozen=True, slots=True)
class Comparison:
    """What was compared, and what differs."""

    results: int
    numbers: int
    differences: tuple[Difference, ...]


def compare(
    old: Mapping[str, Any],
    new: Mapping[str, Any],
    *,
    tolerance: float = TOLERANCE,
    ignore: frozenset[str] = frozenset(),
    renamed_parts: Mapping[str, str] | None = None,
    added_parts: frozenset[str] = frozenset(),
) -> Comparison:
    """Compare two runs.

    `ignore` names places such as "outcome" that may differ, `added_parts` parts that only the new
    run may have.
    """
    before = read_results(old, renamed_parts or {})
    after = read_results(new, {})
    numbers = 0
    differences = []
    for name in {**before, **after}:
        if name not in before:
            differences.append(Difference(name, "result", ABSENT, "present"))
        elif name not in after:
            differences.append(Difference(name, "result", "present", ABSENT))
        else:
            for place in {**before[name], **after[name]}:
                left, right = (run[name].get(place, ABSENT) for run in (before, after))
                added = place.removeprefix("parts[").partition(",")[0] in added_parts
                if left == ABSENT and added:
                    continue
                numbers += isinstance(left, int | float) or isinstance(right, int | float)
                if place not in ignore and not equal(left, right, tolerance):
                    differences.append(Difference(name, place, left, right))
    return Comparison(len({**before, **after}), numbers, tuple(differences))


def read_results(
    run: Mapping[str, Any], renamed_parts: Mapping[str, str]
) -> dict[str, dict[str, Value]]:
    """Return the compared values of every result: by result id, then by place."""
    return {result["id"]: dict(read_values(result, renamed_parts)) for result in run["results"]}


def read_values(
    result: Mapping[str, Any], renamed_parts: Mapping[str, str]
) -> Iterator[tuple[str, Value]]:
    """Yield the labels and numbers of a result, each with its place."""
    yield from ((key, result.get(key)) for key in (*LABELS, *PROBABILITIES))
    for key in ESTIMATES:
        found = result.get(key) or {}
        yield from read_estimate(key, found.get("estimate", found))  # version 3: change.estimate
    seen: Counter[str] = Counter()  # parts may share name, level and group; then their order counts
    for part in result.get("parts") or ():
        name = renamed_parts.get(part["name"], part["name"])
        place = f"parts[{name}, level {part.get('level')}, group {part.get('group') or None}]"
        seen[place] += 1
        number = "" if seen[place] == 1 else f" #{seen[place]}"
        yield from read_estimate(place + number, part.get("estimate"))


def read_estimate(place: str, estimate: Mapping[str, Any] | None) -> Iterator[tuple[str, Value]]:
    """Yield value and interval of an estimate; None where there is no estimate."""
    yield from ((f"{place}.{key}", (estimate or {}).get(key)) for key in NUMBERS)


def equal(old: Value, new: Value, tolerance: float) -> bool:
    """Tell whether two values are the same, numbers within the tolerance."""
    if isinstance(old, int | float) and isinstance(new, int | float):
        return math.isclose(old, new, rel_tol=0, abs_tol=tolerance)
    return old == new


def table(differences: tuple[Difference, ...]) -> str:
    """Return one line for each difference, in columns."""
    header = ("result", "place", "old", "new", "new - old")
    rows = [header, *map(cells, differences)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows)
    return "\n".join(lines)


def cells(difference: Difference) -> tuple[str, ...]:
    """Write a difference as the cells of a table row."""
    old, new = difference.old, difference.new
    change = ""
    if isinstance(old, int | float) and isinstance(new, int | float):
        change = f"{new - old:+.3g}"
    return (difference.result, difference.place, str(old), str(new), change)


def summary(comparison: Comparison) -> str:
    """Say in one line how much was compared and how much of it differs."""
    compared = f"{comparison.results:,} results, {comparison.numbers:,} numbers"
    if not comparison.differences:
        return f"{compared}: all equal"
    results = len({difference.result for difference in comparison.differences})
    return f"{compared}: {len(comparison.differences):,} differences in {results:,} results"


def read_options(arguments: list[str]) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("old", type=Path, help="the run.json to compare with")
    parser.add_argument("new", type=Path, nargs="+", help="the run.json files that are compared")
    parser.add_argument(
        "--tolerance", type=float, default=TOLERANCE, help="largest difference of equal numbers"
    )
    parser.add_argument(
        "--ignore",
        action="append",
        default=[],
        choices=(*LABELS, *PROBABILITIES),
        help="do not compare this; may be repeated",
    )
    parser.add_argument(
        "--renamed-part",
        action="append",
        default=[],
        metavar="OLD=NEW",
        help="a part that has another name in the new run; may be repeated",
    )
    parser.add_argument(
        "--added-part",
        action="append",
        default=[],
        metavar="NAME",
        help="a part that only the new run may have; may be repeated",
    )
    return parser.parse_args(arguments)


def main(arguments: list[str]) -> int:
    """Compare the runs and print what differs; 1 if anything does."""
    options = read_options(arguments)
    old = json.loads(options.old.read_text(encoding="utf-8"))
    code = 0
    for path in options.new:
        comparison = compare(
            old,
            json.loads(path.read_text(encoding="utf-8")),
            tolerance=options.tolerance,
            ignore=frozenset(options.ignore),
            renamed_parts=dict(pair.split("=", 1) for pair in options.renamed_part),
            added_parts=frozenset(options.added_part),
        )
        if comparison.differences:
            code = 1
            print(table(comparison.differences))
        print(f"{path}: {summary(comparison)}")
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
