"""Labels of charts: shortened so that they stay different, and moved apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from itertools import count

ELLIPSIS = "…"


def shorten_all(names: Sequence[str], length: int) -> list[str]:
    """Shorten names to at most `length` letters so that different names stay different.

    Each is cut where it tells most: at the end, in the middle, or at the start. Only where no
    cut of that length tells names apart do they get a number.
    """
    labels = {name: name for name in names if len(name) <= length}
    for tail in (0, length // 2, length - 2):
        cut = {name: cut_out(name, length, tail) for name in names if name not in labels}
        counts = Counter([*labels.values(), *cut.values()])
        labels |= {name: label for name, label in cut.items() if counts[label] == 1}
    left = [name for name in dict.fromkeys(names) if name not in labels]
    labels |= number_names(left, length, set(labels.values()))
    return [labels[name] for name in names]


def cut_out(name: str, length: int, tail: int) -> str:
    """Leave out letters before the last `tail` ones, so that `length` are left."""
    return name[: length - 1 - tail] + ELLIPSIS + name[len(name) - tail :]


def number_names(names: Sequence[str], length: int, taken: Collection[str]) -> dict[str, str]:
    """Shorten names that no cut tells apart, each with a number at its end."""
    labels: dict[str, str] = {}
    numbers = count(1)
    for name in names:
        candidates = (cut_with_number(name, length, number) for number in numbers)
        labels[name] = next(label for label in candidates if label not in taken)
    return labels


def cut_with_number(name: str, length: int, number: int) -> str:
    """Shorten a name and end it in a number."""
    end = f"{ELLIPSIS}{number}"
    return name[: length - len(end)] + end


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
