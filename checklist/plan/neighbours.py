"""Which other segment each segment has as its neighbour, from which families may borrow."""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from shakeproof.data.segments import Segment
from shakeproof.perturbations.family import Family
from shakeproof.perturbations.registry import is_built_in

DIGEST = np.dtype([("group", "u4"), ("high", ">u8"), ("low", ">u8")])  # sorted in this order


def may_use_neighbour(family: Family) -> bool:
    """Return whether a family may read another segment; one of the user need not declare it."""
    return "neighbour" in family.needs or not is_built_in(family)


def neighbour_positions(segments: Sequence[Segment], seed: int) -> NDArray[np.int64]:
    """Return the position of each segment's neighbour, another one of its group.

    Segments are sorted by a hash of their ids, so that the order of the data does not matter. The
    neighbour is the next one, the first after the last; a lone segment has its own position.
    """
    groups: dict[str, int] = {}
    digests = np.empty(len(segments), DIGEST)
    for position, segment in enumerate(segments):
        group = groups.setdefault(segment.group, len(groups))
        digest = _digest(seed, segment.id)
        digests[position] = (group, int.from_bytes(digest[:8]), int.from_bytes(digest[8:]))
    if not len(segments):
        return np.empty(0, np.int64)
    ring = np.argsort(digests, order=DIGEST.names, kind="stable")
    in_order = digests["group"][ring]
    starts = np.flatnonzero(np.diff(in_order, prepend=-1))
    following = np.roll(ring, -1)
    following[[*starts[1:] - 1, -1]] = ring[starts]  # the last of a group has the first
    neighbours = np.empty(len(ring), np.int64)
    neighbours[ring] = following
    return neighbours


def _digest(seed: int, identity: str) -> bytes:
    return blake2b(json.dumps([seed, identity]).encode(), digest_size=16).digest()
