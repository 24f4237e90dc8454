"""Perturbed texts that are kept on disk."""

import gc

import pytest

from shakeproof.data.lazy import LazySegments
from shakeproof.data.segments import Candidate, Segment
from shakeproof.errors import SpecError
from shakeproof.plan import texts_on_disk as module
from shakeproof.plan.perturbed import Condition, perturbed, perturbed_segment
from shakeproof.plan.texts_on_disk import texts_on_disk

SEGMENTS = [
    Segment(str(at), (Candidate(f"the text number {at} \ud800"),), group="ab"[at % 2])
    for at in range(600)
]
LAZY = LazySegments(len(SEGMENTS), lambda start, stop: SEGMENTS[start:stop])


@pytest.mark.parametrize("family", ["keyboard-typo", "another-segment", "upper-case"])
def test_texts_are_those_that_are_made_in_memory(family):
    condition = Condition(family, "candidate", 1.0, seed=3)
    noisy = perturbed(condition, LAZY)

    assert isinstance(noisy, LazySegments)
    assert tuple(noisy) == perturbed(condition, SEGMENTS)
    assert noisy[599] == perturbed_segment(condition, LAZY, 599)


def test_no_segments_have_no_texts():
    assert list(perturbed(Condition("upper-case", "candidate", 1.0), LAZY[:0])) == []


def test_the_file_is_closed_when_nobody_needs_it():
    columns = texts_on_disk(LAZY, lambda _, block: [[("new",) for _ in block]])
    stream = columns[0]._file._stream

    assert not stream.closed
    del columns
    gc.collect()
    assert stream.closed


def test_a_full_disk_is_one_line(monkeypatch):
    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(module, "TemporaryFile", full)

    with pytest.raises(SpecError, match=r"perturbed texts cannot be kept .*set TMPDIR"):
        perturbed(Condition("upper-case", "candidate", 1.0), LAZY)
