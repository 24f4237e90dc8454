"""Whatever run.json may hold, a page comes of it."""

import re

import pytest
from built_results import drop
from built_runs import checklist_record, metric_record
from hypothesis import example, given, settings
from hypothesis import strategies as st

from shakeproof.reports import render, render_charts, render_csv, render_markdown
from shakeproof.results import Bounds, Estimate, Histogram, Published, Realised, TokenMatrix

words = st.text(max_size=12)
numbers = st.floats(allow_nan=False, allow_infinity=False)
few = st.lists(numbers, max_size=3).map(tuple)
matrices = st.builds(
    TokenMatrix,
    candidate=st.lists(words, max_size=3).map(tuple),
    reference=st.lists(words, max_size=3).map(tuple),
    similarity=st.lists(few, max_size=3).map(tuple),
)
histograms = st.builds(
    Histogram, edges=few, counts=st.lists(st.integers(0, 10**9), max_size=3).map(tuple)
)
estimates = st.builds(
    Estimate, value=st.none() | numbers, low=st.none() | numbers, high=st.none() | numbers
)
printed = st.builds(
    Published,
    paper=words,
    table=words,
    row=words,
    column=words,
    value=numbers,
    digits=st.integers(-400, 400),
    measured=st.none() | estimates,
    note=words,
)
layers = st.none() | st.booleans() | st.integers() | numbers | words | st.lists(words, max_size=2)


def broken(**changes):
    result = drop("deep", "visual", 0.3)
    kept = result.examples[0].model_copy(update=changes)
    return result.model_copy(update={"examples": (kept,)})


HUGE = TokenMatrix(candidate=("a", "b"), reference=("c",), similarity=((9e307,), (9e307,)))


@settings(max_examples=30)
@example(before=HUGE, after=HUGE, changes=Histogram(edges=(), counts=()))
@given(before=matrices, after=matrices, changes=histograms)
def test_odd_matrices_and_histograms_are_drawn_or_left_out(make_run, before, after, changes):
    result = broken(matrix_before=before, matrix_after=after)
    run = make_run([result.model_copy(update={"changes": changes})])

    assert "</html>" in render(run)
    assert render_charts(run)


@settings(max_examples=30)
@given(found=st.lists(printed, min_size=1, max_size=4))
def test_odd_published_numbers_are_shown(make_run, found):
    run = make_run([], published=found)

    assert "Published and measured numbers" in render(run)
    assert "Published and measured numbers" in render_markdown(run)
    assert render_csv(run).count("\n") >= len(found)


@settings(max_examples=30)
@given(first=layers, second=layers)
def test_odd_layers_are_compared_or_left_out(make_run, first, second):
    results = [drop(name, "visual", 0.3) for name in ("deep", "shallow")]
    metrics = tuple(
        metric_record(name).model_copy(update={"settings": {"layer": layer}})
        for name, layer in (("deep", first), ("shallow", second))
    )
    record = checklist_record([]).model_copy(update={"metrics": metrics})

    assert "</html>" in render(make_run(results, checklists=(record,)))


@pytest.mark.parametrize("edits", [0.0, 3.5])
def test_odd_severities_are_charted(make_run, edits):
    done = Realised(letters=0, words=0, segments=0, edits=edits)
    results = [
        drop("deep", family, level).model_copy(update={"realised": done})
        for family in ("visual", "intrude")
        for level in (0.1, 0.3)
    ]

    assert "Noise types at equal edit rate" in render(make_run(results))


def test_a_counterexample_of_10_000_characters_is_shown_in_part(make_run):
    long = "a" * 10_000
    page = render(
        make_run(
            [
                broken(
                    before=long,
                    after=f"x{long}",
                    spans=(),
                    minimal=f"y{long}",
                    minimal_spans=(),
                    pin=long,
                )
            ]
        )
    )

    assert "characters …" in page


@settings(max_examples=30)
@example(values=(1.7e308, -1.7e308, 1.7e308))
@example(values=(5e-324, 0.0, 5e-324))
@given(values=st.tuples(numbers, numbers, numbers))
def test_huge_and_tiny_estimates_are_drawn(make_run, values):
    low, value, high = sorted(values)
    odd = Estimate(value=value, low=low, high=high)
    result = drop("deep", "visual", 0.3)
    parts = tuple(part.model_copy(update={"estimate": odd}) for part in result.parts)
    bounds = Bounds(high=value)
    changes = Histogram(edges=values, counts=(1, 10**300))
    run = make_run(
        [
            result.model_copy(
                update={"estimate": odd, "parts": parts, "bounds": bounds, "changes": changes}
            ),
            drop("deep", "visual", 0.1),
        ]
    )

    assert "</html>" in render(run)
    assert not {"nan", "inf"} & set(re.findall(r"[a-z]+", " ".join(paths(render_charts(run)))))


def paths(charts):
    return [path for chart in charts.values() for path in re.findall(r' d="([^"]*)"', chart)]


@pytest.mark.parametrize("level", [1.7e308, -1.7e308, 5e-324])
def test_odd_levels_are_drawn(make_run, level):
    results = [drop("deep", family, 0.3) for family in ("visual", "intrude")]
    done = Realised(letters=0, words=0, segments=0, edits=abs(level), unknown=level)
    moved = [
        result.model_copy(
            update={
                "level": level,
                "realised": done,
                "parts": tuple(p.model_copy(update={"level": level}) for p in result.parts),
            }
        )
        for result in results
    ]

    assert "</html>" in render(make_run([*moved, *results]))
