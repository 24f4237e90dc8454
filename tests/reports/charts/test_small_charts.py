import re
from itertools import pairwise
from math import inf, nan
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shakeproof.reports.charts.line_styles import line_style
from shakeproof.reports.charts.slope import LABEL_GAP, Slope, slope_chart
from shakeproof.reports.charts.sparkline import HEIGHT, WIDTH, sparkline
from shakeproof.reports.html import templates
from shakeproof.reports.svg import render_chart

anything = st.floats()
slopes = st.builds(
    Slope, st.text(max_size=30), st.integers(0, 40), anything, anything, anything, anything
)


def draw(kind, value):
    template = f'{{% import "charts/{kind}.svg.j2" as charts %}}{{{{ charts.{kind}(value) }}}}'
    return templates().from_string(template).render(value=value)


def lay_out(found):
    return slope_chart("k", "Agreement", "One line per metric.", found, before="clean", after="0.3")


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


@given(found=st.lists(slopes, max_size=9))
def test_slopes_and_their_labels_stay_inside_the_picture(found):
    wide = lay_out(found)
    for chart in (wide, wide.narrow):
        for line in chart.lines:
            for x, y in (line.start, line.end, line.start_label, line.end_label):
                assert 0 <= x <= chart.frame.width
                assert 0 <= y <= chart.frame.height


@given(ends=st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=2, max_size=12))
def test_labels_of_slopes_do_not_overlap(ends):
    wide = lay_out([Slope(f"m{i}", i, *pair) for i, pair in enumerate(ends)])
    for chart in (wide, wide.narrow):
        for side in ("start_label", "end_label"):
            ys = sorted(getattr(line, side)[1] for line in chart.lines)
            assert all(b - a >= LABEL_GAP - 1e-6 for a, b in pairwise(ys))


def test_a_slope_has_its_name_and_numbers_at_its_ends():
    line = lay_out([Slope("deep", 0, 0.9, 0.486, 0.45, 0.52)]).lines[0]

    assert (line.label, line.start_text, line.end_text) == ("deep", "0.90", "0.49")
    assert line.text == "deep: 0.900 to 0.486 [0.450, 0.520]"
    assert line.bar


def test_a_slope_without_a_number_is_left_out():
    names = [x.name for x in lay_out([Slope("a", 0, nan, 1), Slope("b", 1, 0, inf)]).lines]

    assert names == ["b"]


def test_long_names_of_slopes_stay_different():
    names = [f"bertscore-roberta-large-layer-{n}" for n in range(9)]
    wide = lay_out([Slope(name, i, 0.9, 0.1 * i) for i, name in enumerate(names)])

    assert len({line.label for line in wide.lines}) == 9
    assert len({line.label for line in wide.narrow.lines}) == 9
    assert names[3] in draw("slope", wide)


def test_the_two_drawings_have_addresses_of_their_own():
    ids = re.findall(r' id="([^"]*)"', draw("slope", lay_out([Slope("deep", 0, 0.9, 0.5)])))

    assert len(ids) == len(set(ids)) == 4


def test_a_slope_chart_is_a_file_of_its_own():
    picture = render_chart(lay_out([Slope("<deep>", 0, 0.9, 0.5, 0.4, 0.6)]))
    root = ElementTree.fromstring(picture)

    assert root.get("width") == "560"
    assert "<deep> 0.90" in "".join(root.itertext())


def test_the_first_24_lines_of_a_page_look_different():
    assert len({line_style(number) for number in range(24)}) == 24
    assert len({line_style(number).shape for number in range(8)}) == 8
