"""Labels of charts: shortened so that they stay different, and moved apart."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

ELLIPSIS = "…"


def shorten_all(names: Sequence[str], length: int) -> list[str]:
    """Shorten names to at most `length` letters so that different names stay different.

    Each is cut where it tells most: at the end, in the middle, or at the start. Only where no
    cut of that length tells names apart do they get a number.
    """
    distinct = list(dict.fromkeys(names))
    labels: dict[str, str] = {}
    left = distinct
    for tail in (0, length // 2, length - 2, length - 1):
        cut = {name: cut_out(name, length, tail) for name in left}
        used = set(labels.values())
        owners = defaultdict(list)
        for name, label in cut.items():
            owners[label].append(name)
        labels |= {n: s for n, s in cut.items() if len(owners[s]) == 1 and s not in used}
        left = [name for name in left if name not in labels]
    labels |= number_names(left, length, set(labels.values()))
    return [labels[name] for name in names]


def cut_out(name: str, length: int, tail: int) -> str:
    """Leave out letters before the last `tail` ones, if a name is longer than `length`."""
    if len(name) <= length:
        return name
    head = max(length - 1 - tail, 0)
    return name[:head] + ELLIPSIS + name[len(name) - min(tail, length - 1) :]


def number_names(names: Sequence[str], length: int, taken: set[str]) -> dict[str, str]:
    """Shorten names that no cut tells apart, each with its number in the order of appearance."""
    labels: dict[str, str] = {}
    number = 1
    for name in names:
        while (
            label := f"{name[: max(length - 1 - len(str(number)), 0)]}{ELLIPSIS}{number}"
        ) in taken:
            number += 1
        labels[name] = label
        taken.add(label)
    return labels


def move_apart(wanted: Sequence[float], *, low: float, high: float, gap: float) -> list[float]:
    """Move labels at least `gap` apart, keeping their order and staying as near as possible.

    Where they do not fit between the two ends, the gap is as wide as fits.
    """
    if not wanted:
        return []
    gap = min(gap, (high - low) / max(len(wanted) - 1, 1))
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    places = [max(wanted[i], low) for i in order]
    for k in range(1, len(places)):
        places[k] = max(places[k], places[k - 1] + gap)
    places[-1] = min(places[-1], high)
    for k in range(len(places) - 2, -1, -1):
        places[k] = min(places[k], places[k + 1] - gap)
    by_index = dict(zip(order, places, strict=True))
    return [by_index[i] for i in range(len(wanted))]
