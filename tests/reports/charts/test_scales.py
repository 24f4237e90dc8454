from math import inf, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shakeproof.reports.charts.scales import Scale, axis, cover, points, rounded, step, ticks, xy

numbers = st.floats(-1e6, 1e6, allow_subnormal=False)


@given(values=st.lists(numbers, max_size=8), value=numbers)
def test_every_value_lands_between_the_ends_of_its_scale(values, value):
    scale = Scale(*rounded(values), 52.0, 292.0)

    assert 52.0 <= scale.at(value) <= 292.0


@given(values=st.lists(numbers, min_size=1, max_size=8))
def test_a_rounded_range_holds_its_values(values):
    low, high = rounded(values)
    slack = 1e-9 * max(abs(low), abs(high), 1)

    assert low - slack <= min(values)
    assert max(values) <= high + slack


@given(values=st.lists(numbers, max_size=8))
def test_ticks_are_few_increasing_and_inside(values):
    low, high = rounded(values)
    found = ticks(low, high)

    assert 2 <= len(found) <= 12
    assert found == sorted(set(found))
    assert low - step(high - low, 5) / 2 <= found[0]
    assert found[-1] <= high + step(high - low, 5) / 2


@pytest.mark.parametrize(
    ("extent", "size"),
    [
        pytest.param(1.0, 0.2, id="one"),
        pytest.param(0.4, 0.1, id="correlations"),
        pytest.param(37.0, 10.0, id="tens"),
    ],
)
def test_steps_are_round(extent, size):
    assert step(extent, 5) == pytest.approx(size)


@pytest.mark.parametrize("values", [(-inf, inf), (1e308, -1e308), (0.0, 1.7e308), (nan, inf)])
def test_huge_and_infinite_values_are_put_on_an_axis(values):
    scale = Scale(*rounded(values), 52.0, 292.0)
    places = [tick.at for tick in axis("drop", scale).ticks]

    assert 2 <= len(places) <= 12
    assert all(52.0 <= place <= 292.0 for place in places)
    assert scale.at(inf) == 292.0
    assert scale.at(-inf) == 52.0


def test_a_scale_without_width_puts_everything_somewhere():
    assert 0.0 <= Scale(0.3, 0.3, 0.0, 300.0).at(0.3) <= 300.0


def test_no_values_still_make_a_range():
    low, high = cover([])

    assert low < 0 < high


def test_equal_values_get_room():
    low, high = cover([0.3, 0.3])

    assert low < 0.3 < high


def test_axis_labels_have_no_floating_dust():
    labels = [tick.text for tick in axis("level", Scale(0.0, 0.3, 0.0, 300.0), count=3).ticks]

    assert labels == ["0", "0.1", "0.2", "0.3"]


@pytest.mark.parametrize(
    ("value", "text"), [(12.0, "12"), (12.04, "12"), (12.06, "12.1"), (-0.5, "-0.5")]
)
def test_coordinates_are_brief(value, text):
    assert xy(value) == text


def test_a_path_through_nowhere_is_empty():
    assert points([]) == ""
