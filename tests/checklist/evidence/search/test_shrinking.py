"""Shrinking: what a search rates, what it ends with, and what it costs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shakeproof.evidence.search.shrinking import MAX_UNITS, ddmin, drop_needless, shrink, split

MAX_EDITS = 60


def run_search(search, excess):
    """Run a search on a function; give what it found, and the rounds it took."""
    rounds, answers = [], None
    while True:
        try:
            wanted = search.send(answers)
        except StopIteration as stop:
            return stop.value, rounds
        rounds.append(wanted)
        answers = [excess(edits) for edits in wanted]


def needing(*needed):
    """Break on sets that hold all of these edits; more of them is nearer."""
    return lambda edits: (len(edits & set(needed)) - len(needed)) / 10 + 0.05


def summing(weights, limit):
    """Break where weights add up to more than the limit."""
    return lambda edits: sum(weights[one] for one in sorted(edits)) - limit


def one_less(edits):
    return [edits - {one} for one in edits]


@given(data=st.data(), count=st.integers(1, MAX_EDITS))
def test_what_is_found_still_breaks_and_no_edit_can_be_dropped(data, count):
    needed = data.draw(st.sets(st.integers(0, count - 1), min_size=1, max_size=5))
    excess = needing(*needed)
    found, _ = run_search(shrink(count), excess)

    assert found == needed
    assert not any(excess(less) > 0 for less in one_less(found) if less)


@given(weights=st.lists(st.floats(-1, 1, width=16), min_size=1, max_size=MAX_EDITS), data=st.data())
def test_sums_are_brought_down_to_few_edits(weights, data):
    total = sum(weights)
    excess = summing(weights, total - data.draw(st.floats(0.01, 2)))
    found, _ = run_search(shrink(len(weights)), excess)

    assert excess(found) > 0
    assert not any(excess(less) > 0 for less in one_less(found) if less)


@given(
    count=st.integers(1, 14),
    breaking=st.sets(st.frozensets(st.integers(0, 13), min_size=1), max_size=40),
)
def test_it_also_holds_where_more_edits_may_break_less(count, breaking):
    whole = frozenset(range(count))
    broken = breaking | {whole}
    found, _ = run_search(shrink(count), lambda edits: 1.0 if edits in broken else -1.0)

    assert found in broken
    assert not any(less in broken for less in one_less(found))


@given(edits=st.frozensets(st.integers(0, 99), min_size=1, max_size=8), data=st.data())
def test_needless_edits_are_dropped(edits, data):
    needed = data.draw(st.sets(st.sampled_from(sorted(edits)), min_size=1))
    found, _ = run_search(drop_needless(edits), needing(*needed))

    assert found == needed


def test_every_edit_is_looked_at_alone_in_the_first_round():
    found, rounds = run_search(shrink(9), needing(4))

    assert found == {4}
    assert [len(wanted) for wanted in rounds] == [9]


def test_of_several_the_most_harmful_is_taken():
    found, _ = run_search(shrink(3), summing([0.3, 0.9, 0.6], 0.2))

    assert found == {1}


def test_two_edits_take_three_rounds_whatever_their_number():
    found, rounds = run_search(shrink(20), needing(3, 17))

    assert found == {3, 17}
    assert len(rounds) <= 3


def test_very_many_edits_are_bundled_first():
    found, rounds = run_search(shrink(1_700), needing(3, 900, 1_699))

    assert found == {3, 900, 1_699}
    assert sum(map(len, rounds)) < 400
    assert max(map(len, rounds)) <= 2 * MAX_UNITS


def test_edits_that_only_break_together_all_stay():
    found, _ = run_search(shrink(MAX_EDITS), summing([1] * MAX_EDITS, MAX_EDITS - 0.5))

    assert found == frozenset(range(MAX_EDITS))


@pytest.mark.parametrize("units", [0, 1])
def test_nothing_is_wanted_about_a_single_edit(units):
    found, rounds = run_search(ddmin([frozenset({one}) for one in range(units)]), lambda _: 1.0)

    assert len(found) == units
    assert not rounds


@pytest.mark.parametrize("parts", [1, 2, 3, 7])
def test_parts_are_nearly_equal_and_leave_nothing_out(parts):
    chunks = split(range(7), parts)

    assert [one for chunk in chunks for one in chunk] == list(range(7))
    assert max(map(len, chunks)) - min(map(len, chunks)) <= 1
