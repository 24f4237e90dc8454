import pytest

from shakeproof.results import Agreement, Estimate, Published, agreement


def published(value, measured, digits=3, **rest):
    return Published(
        paper="p",
        table="t",
        row="r",
        column="c",
        value=value,
        digits=digits,
        measured=measured,
        **rest,
    )


@pytest.mark.parametrize(
    ("value", "measured", "expected"),
    [
        pytest.param(
            0.357, Estimate(value=0.4, low=0.35, high=0.45), Agreement.WITHIN, id="in the interval"
        ),
        pytest.param(
            0.357, Estimate(value=0.4, low=0.38, high=0.45), Agreement.OUTSIDE, id="outside"
        ),
        pytest.param(0.357, Estimate(value=None), Agreement.NOT_MEASURED, id="undefined"),
        pytest.param(0.357, None, Agreement.NOT_MEASURED, id="nothing"),
    ],
)
def test_a_measured_number_agrees_to_the_printed_digits(value, measured, expected):
    assert agreement(published(value, measured)) is expected


def test_what_was_measured_with_something_else_is_never_equal():
    stands_in = published(0.357, Estimate(value=0.357), instead="minilm, because bert is not here")

    assert agreement(stands_in) is Agreement.SUBSTITUTE


@pytest.mark.parametrize("measured", [0.357, 0.4])
def test_what_was_measured_on_part_of_the_data_is_not_compared(measured):
    part = published(0.357, Estimate(value=measured), part_of_data=True)

    assert agreement(part) is Agreement.PART


@pytest.mark.parametrize(
    ("value", "measured", "digits", "expected"),
    [
        pytest.param(0.364, 0.363684, 3, Agreement.EQUAL, id="rounded up"),
        pytest.param(0.364, 0.3645, 3, Agreement.EQUAL, id="half"),
        pytest.param(0.357, 0.3578, 3, Agreement.EQUAL, id="cut off"),
        pytest.param(-0.119, -0.1197, 3, Agreement.EQUAL, id="cut off below zero"),
        pytest.param(-0.119, -0.1183, 3, Agreement.DIFFERS, id="short of it below zero"),
        pytest.param(0.357, 0.3581, 3, Agreement.DIFFERS, id="beyond"),
        pytest.param(0.357, 0.3564, 3, Agreement.DIFFERS, id="short of it"),
        pytest.param(31139, 20110, 0, Agreement.DIFFERS, id="counts apart"),
        pytest.param(4512, 4512, 0, Agreement.EQUAL, id="equal counts"),
        pytest.param(0.0, 0.0, 3, Agreement.EQUAL, id="nothing"),
        pytest.param(0.322985, 0.32298519, 6, Agreement.EQUAL, id="six digits"),
    ],
)
def test_a_number_is_equal_if_rounding_or_cutting_off_gives_it(value, measured, digits, expected):
    assert agreement(published(value, Estimate(value=measured), digits)) is expected
