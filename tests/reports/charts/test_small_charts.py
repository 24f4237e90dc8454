import re
from math import nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shakeproof.reports.charts.line_styles import line_style
from shakeproof.reports.charts.sparkline import HEIGHT, WIDTH, sparkline
from shakeproof.reports.html import templates

anything = st.floats()


def draw(kind, value):
    template = f'{{% import "charts/{kind}.svg.j2" as charts %}}{{{{ charts.{kind}(value) }}}}'
    return templates().from_string(template).render(value=value)


@given(curve=st.lists(st.tuples(anything, anything), max_size=6))
def test_a_sparkline_stays_inside_its_cell(curve):
    found = sparkline("deep", curve)
    numbers = [] if found is None else [float(n) for n in re.findall(r"[\d.]+", found.path)]

    assert all(0 <= x <= WIDTH for x in numbers[::2])
    assert all(0 <= y <= HEIGHT for y in numbers[1::2])


@pytest.mark.parametrize("curve", [[], [(0.0, 0.4)], [(0.0, 0.4), (0.1, nan)]])
def test_a_sparkline_needs_two_points(curve):
    assert sparkline("deep", curve) is None


def test_a_sparkline_says_what_it_shows():
    drawn = draw("sparkline", sparkline("deep: 0.90 to <b>", [(0, 0.9), (0.3, 0.5)]))

    assert "<title>deep: 0.90 to &lt;b&gt;</title>" in drawn
    assert 'role="img"' in drawn


def test_sparklines_of_one_range_compare_by_height():
    high, low = (
        sparkline("deep", [(0, 0.9), (0.3, end)], y_range=(0, 1)).end[1] for end in (0.6, 0.1)
    )

    assert high < low


def test_the_first_24_lines_of_a_page_look_different():
    assert len({line_style(number) for number in range(24)}) == 24
    assert len({line_style(number).shape for number in range(8)}) == 8
