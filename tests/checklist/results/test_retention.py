import pytest

from shakeproof.results import trapezoid_weights


@pytest.mark.parametrize(
    ("levels", "shares", "area"),
    [
        pytest.param([0.1, 0.3], [0.8, 0.4], (0.09 + 0.12) / 0.3, id="uneven levels"),
        pytest.param([0.5], [0.4], 0.7, id="one level"),
    ],
)
def test_the_weighted_sum_is_the_mean_height_of_the_curve(levels, shares, area):
    weights = trapezoid_weights(levels)

    assert sum(weights) == pytest.approx(1)
    assert sum(w * share for w, share in zip(weights, [1.0, *shares], strict=True)) == (
        pytest.approx(area)
    )
