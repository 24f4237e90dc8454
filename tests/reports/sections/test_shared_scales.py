from shakeproof.reports.charts.forest import bounds_strip
from shakeproof.reports.sections.bounds import bounds_charts
from shakeproof.reports.sections.checks import check_row, row_contents, usual_method


def make_rows(results):
    contents, usual = row_contents(results, ()), usual_method(results)
    return [check_row(result, result.metric, usual, contents) for result in results]


def ticks_of(chart):
    return [tick.text for tick in chart.chart.x_axis.ticks]


def test_checks_of_one_quantity_share_the_axis_of_their_charts(make_drop):
    mild = make_drop("chrf", "visual", 0.1, check="mild")
    strong = make_drop("deep", "visual", 0.3, check="strong")
    charts = bounds_charts([mild, strong])

    assert len(charts) == 2
    assert ticks_of(charts[0]) == ticks_of(charts[1])


def test_rows_of_one_quantity_share_the_scale_of_their_strips(make_drop):
    rows = make_rows([make_drop("chrf", "visual", 0.1), make_drop("deep", "visual", 0.3)])

    assert rows[0].strip.zone == rows[1].strip.zone
    assert rows[0].strip.mark.x < rows[1].strip.mark.x


def test_raw_scores_of_different_metrics_keep_scales_of_their_own(make_drop):
    raw = [
        make_drop(metric, "visual", level).model_copy(
            update={"coefficient": None, "unit": "", "check": metric}
        )
        for metric, level in (("chrf", 0.1), ("deep", 0.3))
    ]
    rows = make_rows(raw)
    alone = [bounds_strip(r.result.estimate, r.result.bounds, r.sign.slug) for r in rows]

    assert [row.strip for row in rows] == alone
