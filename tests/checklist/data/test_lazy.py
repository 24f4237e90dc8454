"""Segments that are made when they are asked for."""

import pytest

from shakeproof.data import lazy
from shakeproof.data.lazy import LazySegments, between, blocks_of, each, joined
from shakeproof.data.segments import Segment

SEGMENTS = tuple(Segment(str(number), ()) for number in range(20))


@pytest.fixture(autouse=True)
def short_blocks(monkeypatch):
    monkeypatch.setattr(lazy, "BLOCK", 6)


def lazily(segments, calls=None):
    def make(start, stop):
        if calls is not None:
            calls.append((start, stop))
        return list(segments[start:stop])

    return LazySegments(len(segments), make)


def test_indexing_and_iterating_give_the_segments():
    segments = lazily(SEGMENTS)

    assert tuple(segments) == SEGMENTS
    assert [segments[at] for at in range(-20, 20)] == [SEGMENTS[at] for at in range(-20, 20)]
    with pytest.raises(IndexError):
        segments[20]


@pytest.mark.parametrize("part", [slice(None), slice(3, 17), slice(-5, None), slice(9, 2)])
def test_a_slice_gives_the_segments_of_a_slice(part):
    assert tuple(lazily(SEGMENTS)[part]) == SEGMENTS[part]


def test_segments_asked_for_in_order_are_made_once():
    calls = []
    segments = lazily(SEGMENTS, calls)
    for position in range(len(SEGMENTS)):
        segments[position]

    assert calls == [(0, 6), (6, 12), (12, 18), (18, 20)]


def test_a_single_segment_does_not_displace_the_block_that_is_kept():
    calls = []
    segments = lazily(SEGMENTS, calls)
    segments[0]
    between(segments, 19, 20)
    segments[1]

    assert calls == [(0, 6), (19, 20)]


@pytest.mark.parametrize("segments", [SEGMENTS, lazily(SEGMENTS)], ids=["in memory", "lazy"])
def test_each_segment_is_changed_by_its_position(segments):
    changed = each(segments, lambda position, segment: Segment(f"{segment.id}-{position}", ()))

    assert [segment.id for segment in changed] == [f"{at}-{at}" for at in range(20)]


def test_data_sets_are_joined_whether_or_not_they_are_in_memory():
    parts = [SEGMENTS[:3], lazily(SEGMENTS[3:10]), (), lazily(SEGMENTS[10:11]), SEGMENTS[11:]]
    whole = joined(parts)

    assert tuple(whole) == SEGMENTS
    assert [whole[at] for at in range(20)] == list(SEGMENTS)
    assert [segment for block in blocks_of(whole) for segment in block] == list(SEGMENTS)
