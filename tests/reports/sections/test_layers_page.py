import pytest
from built_results import drop
from built_runs import checklist_record

from shakeproof.reports import render
from shakeproof.reports.sections.layers import layer_charts
from shakeproof.reports.sections.noise import noise_charts
from shakeproof.reports.wording.names import metric_labels
from shakeproof.results import MetricRecord

LAYERS = {"a": "mean", "b": "last", "c": 5, "d": "first"}


def charts_of(results, metrics):
    record = checklist_record([]).model_copy(update={"metrics": tuple(metrics)})
    return layer_charts(noise_charts(results, metric_labels(results)), [record])


def metric(name, layer, **settings):
    return MetricRecord(
        name=name,
        kind="bertscore",
        settings={"model": "minilm", "layer": layer, **settings},
        signature="",
    )


def named(result, name):
    return result.model_copy(update={"metric": name, "id": name})


def test_layers_go_from_the_first_upwards_and_means_last():
    results = [named(drop("deep", "visual", 0.3), name) for name in LAYERS]
    (chart,) = charts_of(results, [metric(*item) for item in LAYERS.items()])

    assert [mark.name for mark in chart.marks if mark.name] == ["first", "layer 5", "last", "mean"]
    assert [mark.note for mark in chart.marks[:2]] == ["clean", "0.3"]
    assert chart.frame.title == "minilm under visual in references"


def test_the_highest_level_is_set_against_clean_texts():
    results = [
        named(drop("deep", "visual", level), name) for name in "ab" for level in (0.1, 0.3, 0.2)
    ]
    (chart,) = charts_of(results, [metric("a", "first"), metric("b", "last")])

    assert [mark.text for mark in chart.marks] == ["0.432", "0.164"] * 2


def test_each_family_has_its_chart_on_one_scale():
    results = [
        named(drop("deep", family, 0.3), name) for name in "ab" for family in ("x", "visual")
    ]
    first, second = charts_of(results, [metric("a", "first"), metric("b", "last")])

    assert [tick.at for tick in first.x_axis.ticks] == [tick.at for tick in second.x_axis.ticks]


@pytest.mark.parametrize(
    "others",
    [
        pytest.param([metric("b", "first")], id="the same layer"),
        pytest.param([metric("b", "last", part="recall")], id="another part too"),
        pytest.param([metric("b", "last", model="other")], id="another model too"),
        pytest.param([], id="alone"),
    ],
)
def test_metrics_that_differ_in_more_than_the_layer_are_not_compared(others):
    results = [named(drop("deep", "visual", 0.3), name) for name in "ab"]

    assert charts_of(results, [metric("a", "first"), *others]) == ()


def test_a_metric_without_clean_correlation_is_left_out():
    result = drop("deep", "visual", 0.3)
    broken = result.model_copy(update={"parts": result.parts[1:2]})
    results = [named(result, "a"), named(broken, "b")]

    assert charts_of(results, [metric("a", "first"), metric("b", "last")]) == ()


def test_many_families_are_cut_to_those_that_hurt_most():
    families = [f"f{number}" for number in range(20)]
    results = [named(drop("deep", family, 0.3), name) for name in "ab" for family in families]

    assert len(charts_of(results, [metric("a", "first"), metric("b", "last")])) == 12


def test_the_page_shows_layers_side_by_side(make_run):
    page = render(make_run([drop(name, "visual", 0.3) for name in ("deep", "shallow")]))

    assert "Layer by layer" in page
    assert "Layer by layer" not in render(make_run([drop("deep", "visual", 0.3)]))
