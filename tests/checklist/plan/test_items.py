"""Which items a checklist asks for, and which scores they compare."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from shakeproof.errors import SpecError
from shakeproof.plan.items import Item, planned_items
from shakeproof.plan.perturbed import CLEAN, Condition
from shakeproof.spec.model import KnownFailure
from shakeproof.spec.read import parse
from shakeproof.stats.observations import ComparedScores

VISUAL = "{visual: {on: reference, levels: [0.1, 0.2]}}"


def items(expect, *, perturb="", metrics="[chrf]"):
    lines = [f"    perturb: {perturb}"] if perturb else []
    text = [
        "data: sample",
        "language: en",
        "seeds: 2",
        "seed: 5",
        "metrics: {chrf: chrf, words: word-f1, length: length}",
        "checks:",
        "  - check: one",
        f"    metrics: {metrics}",
        *lines,
        f"    expect: {expect}",
    ]
    return list(planned_items(parse("\n".join(text), Path("p.yaml"))))


def noisy(name, level):
    return tuple((name, Condition("visual", "reference", level, seed)) for seed in (5, 6))


def test_a_level_is_an_item_that_compares_clean_and_perturbed_scores():
    first, second = items("{score_change: {at_most: 1}}", perturb=VISUAL)

    assert first.name == "visual-0.1"
    assert first.score_keys == (("chrf", CLEAN), *noisy("chrf", 0.1))
    assert second.score_keys == (("chrf", CLEAN), *noisy("chrf", 0.2))
    assert first.seeds == (5, 6)


def test_another_metric_is_scored_under_the_same_conditions():
    (item,) = items("{more_robust_than: {metric: words}}", perturb=VISUAL)

    assert item.name == "visual"
    assert item.compared.others["words"].perturbed == (noisy("words", 0.1), noisy("words", 0.2))
    others = (("words", CLEAN), *noisy("words", 0.1), *noisy("words", 0.2))
    assert item.score_keys == (("chrf", CLEAN), *others, *noisy("chrf", 0.1), *noisy("chrf", 0.2))
    assert item.seeds == (5, 6)


def test_yardsticks_are_scored_on_clean_texts_where_nothing_is_perturbed():
    (item,) = items("{beats_yardsticks: {yardsticks: [words, length]}}")

    assert item.name == "clean"
    assert item.score_keys == (("chrf", CLEAN), ("words", CLEAN), ("length", CLEAN))
    assert item.seeds == ()


CHECKLIST = """\
data: sample
language: en
draws: 500
metrics: {chrf: chrf, words: word-f1, length: length}
checks:
  - check: chrF is more robust
    metrics: [chrf]
    perturb: {visual: {on: reference, levels: [0.3]}}
    expect: {more_robust_than: {metric: words}}
  - check: chrF is worth its while
    metrics: [chrf]
    expect: {beats_yardsticks: {yardsticks: [length]}}
  - check: good in every slice
    metrics: [chrf]
    expect: {correlation_in_slices: {slices_by: length, slices: 2, at_least: -1}}
"""


def test_expectations_about_several_metrics_run(run_checklist):
    results = run_checklist(CHECKLIST).results

    assert [result.message for result in results if result.outcome == "error"] == []
    assert [result.family for result in results] == ["visual", None, None]


@pytest.mark.parametrize("metrics", ["[words]", "[chrf, words]"])
def test_a_metric_is_not_compared_with_itself(metrics):
    with pytest.raises(SpecError, match="would compare 'words' with itself"):
        items("{more_robust_than: {metric: words}}", perturb=VISUAL, metrics=metrics)


def item(known, *, metric="b", level=0.3):
    check = SimpleNamespace(known_failure=known)
    return Item(check, metric, "visual-0.3", ComparedScores("clean"), None, level)


@pytest.mark.parametrize(
    ("metrics", "levels", "expected"),
    [
        pytest.param(None, None, True, id="all"),
        pytest.param(("b",), None, True, id="its metric"),
        pytest.param(("x",), None, False, id="another metric"),
        pytest.param(None, (0.3,), True, id="its level"),
        pytest.param(("b",), (0.1, 0.2), False, id="other levels"),
    ],
)
def test_a_known_failure_names_metrics_and_levels(metrics, levels, expected):
    known = KnownFailure("because", metrics, levels)

    assert item(known).known_failure is (known if expected else None)


def test_without_a_known_failure_nothing_is_known_to_fail():
    assert item(None).known_failure is None
