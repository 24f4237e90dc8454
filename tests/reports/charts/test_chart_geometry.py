import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shakeproof.reports.charts import bars, forest, lines
from shakeproof.reports.charts.bars import bar_chart
from shakeproof.reports.charts.forest import (
    Entry,
    bounds_strip,
    centred_strip,
    forest_chart,
    strip_range,
)
from shakeproof.reports.charts.labels import move_apart
from shakeproof.reports.charts.lines import Point, Series, line_chart
from shakeproof.reports.charts.scales import CAP
from shakeproof.results import Bounds, Estimate, Histogram

numbers = st.floats(-1e4, 1e4, allow_subnormal=False)


@st.composite
def intervals(draw):
    low, value, high = sorted(draw(st.tuples(numbers, numbers, numbers)))
    return draw(
        st.sampled_from(
            [
                Estimate(value=value, low=low, high=high),
                Estimate(value=value),
                Estimate(value=None, note="constant scores"),
            ]
        )
    )


@st.composite
def series(draw):
    places = draw(
        st.lists(st.tuples(st.floats(0, 1), numbers, st.floats(0, 50)), min_size=1, max_size=6)
    )
    found = tuple(Point(x, y, y - half, y + half) for x, y, half in sorted(places))
    return Series(draw(st.text(max_size=30)), draw(st.integers(0, 20)), found)


bounds = st.builds(Bounds, low=st.none() | numbers, high=st.none() | numbers)
entries = st.builds(
    Entry, st.text(max_size=30), intervals(), st.just("passed"), st.text(max_size=4)
)


def inside(path, width, height):
    found = [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", path)]
    return all(-0.1 <= x <= width + 0.1 for x in found[::2]) and all(
        -0.1 <= y <= height + 0.1 for y in found[1::2]
    )


def bar_ends(path):
    return [float(end) for end in re.match(r"M(\S+) ([\d.]+)h6m-3 0V([\d.]+)", path).groups()]


@given(found=st.lists(series(), min_size=1, max_size=9))
def test_lines_bars_and_names_stay_inside_the_picture(found):
    chart = line_chart("k", "t", "d", found, x_title="level", y_title="correlation")

    for line in chart.lines:
        assert inside(line.path, chart.frame.width, chart.frame.height)
        for x, low, high in map(bar_ends, (dot.bar for dot in line.dots)):
            assert chart.frame.left - CAP <= x <= chart.frame.right
            assert chart.frame.top - 0.1 <= high <= low <= chart.frame.bottom + 0.1
        assert inside(line.leader, chart.frame.width, chart.frame.height)
        assert all(chart.frame.left <= dot.x <= chart.frame.right for dot in line.dots)
        assert all(chart.frame.top <= dot.y <= chart.frame.bottom for dot in line.dots)
        assert chart.frame.top <= line.label_at[1] <= chart.frame.bottom


@given(found=st.lists(entries, max_size=12), limits=bounds, zero=st.booleans())
def test_estimates_bounds_and_zone_stay_inside_the_picture(found, limits, zero):
    chart = forest_chart("k", "t", "d", found, x_title="drop", bounds=limits, zero=zero)

    assert all(chart.frame.left <= at <= chart.frame.right for at in chart.bounds)
    assert chart.zone is None or chart.frame.left <= chart.zone.start
    assert chart.zone is None or chart.zone.end <= chart.frame.right
    for mark in chart.marks:
        assert chart.frame.top <= mark.y <= chart.frame.bottom
        assert all(
            chart.frame.left <= x <= chart.frame.right
            for x in (mark.x, mark.low, mark.high)
            if x is not None
        )


@given(found=st.lists(entries, min_size=2, max_size=12))
def test_rows_of_a_forest_do_not_touch(found):
    marks = forest_chart("k", "t", "d", found, x_title="drop").marks

    assert all(b.y - a.y >= forest.ROW for a, b in pairwise(marks))


@given(estimate=intervals(), limits=bounds)
def test_a_strip_stays_inside_its_cell(estimate, limits):
    found = bounds_strip(estimate, limits, "failed")
    ends = [] if found is None else [found.mark.x, found.mark.low, found.mark.high]

    assert all(0 <= x <= forest.STRIP_WIDTH for x in ends if x is not None)


def test_strips_of_one_range_compare_by_eye():
    bounds = Bounds(high=0.1)
    estimates = [Estimate(value=value) for value in (0.05, 0.2, 0.4)]
    x_range = strip_range([(estimate, bounds) for estimate in estimates])
    strips = [bounds_strip(estimate, bounds, "failed", x_range) for estimate in estimates]
    first, second, third = (strip.mark.x for strip in strips)

    assert len({strip.zone for strip in strips}) == 1
    assert (third - second) == pytest.approx((second - first) * 0.2 / 0.15)


@given(estimate=intervals(), reach=st.floats(0, 1e4))
def test_a_strip_of_change_has_zero_in_the_middle(estimate, reach):
    found = centred_strip(estimate, 0.0, reach, "failed")
    ends = [found.mark.x, found.mark.low, found.mark.high]

    assert found.zero == forest.STRIP_WIDTH / 2
    assert all(0 <= x <= forest.STRIP_WIDTH for x in ends if x is not None)


@given(wanted=st.lists(st.floats(14, 234), max_size=14))
def test_names_keep_apart_and_in_order(wanted):
    places = move_apart(wanted, low=18, high=234, gap=lines.LABEL_GAP)
    gap = min(lines.LABEL_GAP, 216 / max(len(wanted) - 1, 1))
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])

    assert all(places[b] - places[a] >= gap - 1e-6 for a, b in pairwise(order))
    assert all(18 - 1e-6 <= place <= 234 + 1e-6 for place in places)


@given(
    counts=st.lists(st.integers(0, 10_000), min_size=1, max_size=20),
    start=numbers,
    width=st.floats(0.01, 9),
)
def test_bars_stand_on_the_axis_inside_the_picture(make_drop, counts, start, width):
    edges = tuple(start + width * index for index in range(len(counts) + 1))
    changes = Histogram(edges=edges, counts=tuple(counts))
    result = make_drop("deep", "visual", 0.1).model_copy(update={"changes": changes})
    chart = bar_chart(result, "deep")

    for bar in chart.bars:
        assert chart.frame.left - 0.1 <= bar.x <= bar.x + bar.width <= chart.frame.right + 0.1
        assert bar.y + bar.height == pytest.approx(chart.frame.bottom)
        assert bar.y >= bars.TOP


def test_a_point_without_an_interval_has_no_bar():
    found = Series("deep", 0, (Point(0, 0.4), Point(0.1, 0.3, 0.2, 0.4)))
    line = line_chart("k", "t", "d", [found], x_title="x", y_title="y").lines[0]

    assert [bool(dot.bar) for dot in line.dots] == [False, True]


def test_bars_at_one_level_stand_beside_each_other():
    found = [Series(f"m{i}", i, (Point(0, 0.4), Point(0.1, 0.3, 0.2, 0.4))) for i in range(4)]
    chart = line_chart("k", "t", "d", found, x_title="x", y_title="y")

    assert len({line.dots[0].x for line in chart.lines}) == 1
    assert len({line.dots[1].x for line in chart.lines}) == 4


@pytest.mark.parametrize("count", [2, 12, 40])
def test_names_at_the_ends_of_lines_do_not_overlap(count):
    found = [Series(f"m{i}", i, (Point(0, 0.4), Point(0.1, 0.3))) for i in range(count)]
    chart = line_chart("k", "t", "d", found, x_title="x", y_title="y")
    ys = sorted(line.label_at[1] for line in chart.lines)

    assert all(b - a >= lines.LABEL_GAP - 1e-6 for a, b in pairwise(ys))


def test_levels_close_to_each_other_are_not_all_named():
    found = Series("deep", 0, tuple(Point(x, 0.4) for x in (0, 0.01, 0.02, 0.3)))
    names = [(point.x, f"{point.x:g}", "") for point in found.points]
    chart = line_chart("k", "t", "d", [found], x_title="x", y_title="y", x_names=names)

    assert [tick.text for tick in chart.x_axis.ticks] == ["0", "0.3"]


def test_shortened_names_stay_different_and_whole_for_those_who_hover():
    names = [f"bertscore-roberta-large-{kind}-{n}" for kind in "ab" for n in (1, 2, 11, 12)]
    found = [Series(name, i, (Point(0, 0.4), Point(0.1, 0.3))) for i, name in enumerate(names)]
    chart = line_chart("k", "t", "d", found, x_title="x", y_title="y")
    rows = [Entry(name, Estimate(value=0.1), "passed", "0.35") for name in names]
    marks = forest_chart("k", "t", "d", rows, x_title="x").marks

    assert len({line.label for line in chart.lines}) == len(names)
    assert [line.name for line in chart.lines] == names
    assert len({mark.name for mark in marks}) == len(names)
    assert [mark.hint for mark in marks] == names


def test_rows_of_one_metric_share_its_name():
    found = [Entry("deep", Estimate(value=0.1), "passed", level) for level in ("0.1", "0.2")]
    marks = forest_chart("k", "t", "d", found, x_title="x").marks

    assert [mark.name for mark in marks] == ["deep", ""]
