"""Pairs that share texts are compared together, each exactly once."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shakeproof.metrics.bertscore.pair_grids import MAX_SIDE_TOKENS, group_pairs
from shakeproof.metrics.models.batches import (
    MIN_BATCH_TOKENS,
    MIN_BATCHES,
    even_budget,
    split_batches,
)

NUMBERS = st.integers(0, 11)


def in_order(pairs):
    """Lay pairs out as grids take them: by reference, then by candidate."""
    return np.array(sorted(pairs, key=lambda pair: pair[::-1]), dtype=np.int64).reshape(-1, 2)


def cells(grid):
    """Name the candidate, the reference and the number of each pair in a grid."""
    for row, candidate in enumerate(grid.candidates.tolist()):
        for column, reference in enumerate(grid.references.tolist()):
            yield candidate, reference, int(grid.pairs[row, column])


@given(
    pairs=st.sets(st.tuples(NUMBERS, NUMBERS), max_size=60),
    lengths=st.lists(st.integers(1, 2 * MAX_SIDE_TOKENS), min_size=12, max_size=12),
)
def test_every_pair_is_in_exactly_one_grid(pairs, lengths):
    ordered = in_order(pairs)
    found = [cell for grid in group_pairs(ordered, np.sort(lengths)) for cell in cells(grid)]

    assert sorted(number for *_, number in found) == list(range(len(pairs)))
    assert all((ordered[number] == pair).all() for *pair, number in found)


@given(lengths=st.lists(st.integers(1, 2 * MAX_SIDE_TOKENS), min_size=12, max_size=12))
def test_neither_side_of_a_grid_is_too_long_unless_it_is_one_text(lengths):
    lengths = np.sort(lengths)
    every = in_order((c, r) for c in range(12) for r in range(12))
    sides = [side for g in group_pairs(every, lengths) for side in (g.candidates, g.references)]

    assert all(
        len(side) == 1 or len(side) * lengths[side].max() <= MAX_SIDE_TOKENS for side in sides
    )


@pytest.mark.parametrize(
    ("pairs", "shapes"),
    [
        pytest.param([], [], id="no pairs"),
        pytest.param([(0, 1)], [(1, 1)], id="one pair"),
        pytest.param([(c, r) for c in range(3) for r in (3, 4)], [(3, 2)], id="all with all"),
        pytest.param([(0, 2), (1, 2), (0, 3)], [(1, 1), (2, 1)], id="not all with all"),
        pytest.param([(0, 1), (2, 3), (4, 5)], [(1, 1)] * 3, id="nothing shared"),
        pytest.param([(0, 0), (0, 1), (1, 0), (1, 1)], [(2, 2)], id="texts on both sides"),
    ],
)
def test_references_of_the_same_candidates_share_a_grid(pairs, shapes):
    found = group_pairs(in_order(pairs), np.arange(1, 7))

    assert [grid.shape for grid in found] == shapes


def test_grids_of_one_shape_come_shortest_first():
    lengths = np.array([1, 2, 3, 4, 50, 60])
    found = group_pairs(in_order([(0, 5), (1, 2), (3, 4)]), lengths)

    assert [grid.token_count(lengths) for grid in found] == [5, 54, 61]


def test_no_two_kinds_share_a_batch():
    batches = list(split_batches([5, 5, 5, 9, 9], 20, ["a", "a", "b", "b", "b"]))

    assert batches == [range(0, 2), range(2, 4), range(4, 5)]


@given(
    lengths=st.lists(st.integers(1, 50), min_size=1, max_size=400),
    budget=st.integers(1, 2000),
)
def test_evened_batches_are_no_larger_and_shared_by_many_processors(lengths, budget):
    evener = even_budget(lengths, budget)
    batches = list(split_batches(sorted(lengths), evener))
    wanted = min(MIN_BATCHES, sum(lengths) // MIN_BATCH_TOKENS)

    assert evener <= budget
    assert len(batches) >= min(wanted, len(lengths)) or max(lengths) > evener
