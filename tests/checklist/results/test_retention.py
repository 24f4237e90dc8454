import pytest

from shakeproof.results import Estimate, retention, retention_area

CLEAN = Estimate(value=0.4, low=0.3, high=0.5)


@pytest.mark.parametrize(
    ("clean", "perturbed", "share"),
    [
        pytest.param(CLEAN, Estimate(value=0.3), 0.75, id="three quarters"),
        pytest.param(CLEAN, Estimate(value=-0.1), -0.25, id="below zero"),
        pytest.param(CLEAN, Estimate(value=None), None, id="undefined"),
        pytest.param(Estimate(value=0.1, low=-0.1, high=0.3), CLEAN, None, id="clean may be zero"),
        pytest.param(Estimate(value=0.1), CLEAN, None, id="no interval"),
    ],
)
def test_retention_is_a_share_of_a_clean_correlation_above_zero(clean, perturbed, share):
    assert retention(clean, perturbed) == pytest.approx(share)


@pytest.mark.parametrize(
    ("curve", "area"),
    [
        pytest.param([(0.0, 1.0), (0.1, 0.8), (0.3, 0.4)], (0.09 + 0.12) / 0.3, id="uneven levels"),
        pytest.param([(0.0, 1.0), (0.1, None), (0.3, 0.4)], None, id="one undefined"),
        pytest.param([(0.0, 1.0)], None, id="one level"),
        pytest.param([], None, id="no level"),
    ],
)
def test_the_area_is_the_mean_retention_over_the_levels(curve, area):
    assert retention_area(curve) == pytest.approx(area)
