import pytest

from shakeproof.results import (
    Bounds,
    Change,
    ChangeKind,
    Estimate,
    certainty,
    distance_to_bound,
    in_half_widths,
)


@pytest.mark.parametrize(
    ("value", "bounds", "distance", "relative"),
    [
        pytest.param(0.3, Bounds(high=0.1), -0.2, -2.0, id="above the limit"),
        pytest.param(0.05, Bounds(high=0.1), 0.05, 0.5, id="below the limit"),
        pytest.param(0.3, Bounds(low=0.5), -0.2, -0.4, id="below what is required"),
        pytest.param(0.3, Bounds(low=0.0, high=0.4), 0.1, 0.25, id="nearer to the upper bound"),
        pytest.param(0.3, Bounds(high=0.0), -0.3, -0.3, id="a bound of 0 has no share"),
    ],
)
def test_the_nearest_bound_counts_and_outside_is_negative(value, bounds, distance, relative):
    found = distance_to_bound(value, bounds)

    assert found.value == pytest.approx(distance)
    assert found.relative == pytest.approx(relative)


@pytest.mark.parametrize(("value", "bounds"), [(None, Bounds(high=1)), (0.3, Bounds())])
def test_without_a_value_or_a_bound_there_is_no_distance(value, bounds):
    assert distance_to_bound(value, bounds) is None


def test_a_distance_is_expressed_in_half_widths_of_the_interval():
    assert in_half_widths(0.3, Estimate(value=0.5, low=0.4, high=0.6)) == pytest.approx(3)
    assert in_half_widths(0.3, Estimate(value=0.5)) is None


@pytest.mark.parametrize(
    ("estimate", "half_widths"),
    [
        pytest.param(Estimate(value=-0.3, low=-0.4, high=-0.2), 3.0, id="an interval"),
        pytest.param(Estimate(value=0.3), 0.0, id="no interval"),
        pytest.param(None, 0.0, id="not comparable"),
    ],
)
def test_a_change_is_as_certain_as_half_widths_of_its_interval(estimate, half_widths):
    change = Change(kind=ChangeKind.UNCLEAR, estimate=estimate)

    assert certainty(change) == pytest.approx(half_widths)
