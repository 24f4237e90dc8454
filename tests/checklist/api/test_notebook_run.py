"""Runs in notebooks: shown, as a table, as a chart, judged again."""

import builtins
import copy
import gc
import json
import pickle
from concurrent.futures import ThreadPoolExecutor
from xml.etree import ElementTree

import pytest

import shakeproof
from shakeproof.api.scored import CacheInMemory
from shakeproof.errors import SpecError
from shakeproof.expectations import CorrelationDrop, ScoreChange, Symmetry
from shakeproof.results import Run

SETTINGS = {"data": "sample", "language": "en"}


def checks():
    return [
        shakeproof.check(
            "capitals do not matter",
            ScoreChange(at_most=0.2),
            perturb=shakeproof.Perturb("upper-case", "candidate"),
        ),
        shakeproof.check(
            "typing errors",
            CorrelationDrop(coefficient="wmt-kendall", at_most=0.1),
            perturb=shakeproof.Perturb("keyboard-typo", "reference", (0.1, 0.3)),
        ),
    ]


@pytest.fixture(scope="module")
def run():
    built = shakeproof.checklist(
        checks(), metrics={"chrf": "chrf", "words": {"word-f1": {"lowercase": True}}}, **SETTINGS
    )
    return shakeproof.run(built, limit=60)


@pytest.fixture
def counting():
    """A metric that is registered for one test, and the number of texts that it rated."""
    rated = []

    @shakeproof.scorer("counting", version="1")
    def counting(tuples):
        rated.extend(tuples)
        return [float(len(set(one) & set(other))) for one, other in tuples]

    return rated


def test_a_run_is_short_as_text(run):
    first, second = repr(run).split("\n")

    assert first == "shakeproof: 6 checks: 4 passed, 1 failed, 1 undecided"
    assert second.startswith("worst, failed: chrf · capitals do not matter · upper-case: change 2.")
    assert str(run) == repr(run)


def test_a_run_is_the_plain_values_of_its_file(run, tmp_path):
    (tmp_path / "run.json").write_text(run.model_dump_json(), encoding="utf-8")
    plain = Run.model_validate_json(run.model_dump_json())
    read = shakeproof.read_run(tmp_path / "run.json")

    assert json.loads(run.model_dump_json()).keys() == Run.model_fields.keys()
    assert run == plain == read
    assert read == run
    assert run != plain.model_copy(update={"seconds": -1.0})
    assert repr(read) == repr(run)


def test_a_run_can_be_copied_and_sent_to_other_processes(run):
    assert copy.deepcopy(run) == pickle.loads(pickle.dumps(run)) == run


def test_the_table_has_what_is_judged_and_what_it_was_computed_from(run):
    pytest.importorskip("pandas")
    table = run.to_frame()
    drop = table[(table["check"] == "typing errors") & (table["level"] == 0.3)].iloc[0]

    assert len(table) == len(run.results)
    assert drop["value"] == pytest.approx(drop["clean"] - drop["perturbed"])
    assert drop["value"] == pytest.approx(drop["drop"])
    assert drop["low"] <= drop["value"] <= drop["high"]
    assert set(table["verdict"]) == {"pass", "fail", "inconclusive"}
    assert set(table["outcome"]) == {"passed", "failed", "undecided"}
    assert set(table["group"]) == {""}


def test_the_table_has_a_row_for_each_group_if_asked(tmp_path):
    pytest.importorskip("pandas")
    built = shakeproof.checklist(
        checks()[1:], data={"a": "sample", "b": "sample"}, metrics={"chrf": "chrf"}, language="en"
    )
    table = shakeproof.run(built, limit=60).to_frame(groups=True)

    assert list(table["group"]) == ["", "a", "b"] * 2
    assert table["value"].notna().all()
    assert list(table["outcome"].isna()) == [False, True, True] * 2


def test_a_table_without_results_has_its_columns(run):
    pytest.importorskip("pandas")
    table = shakeproof.to_frame(run.model_copy(update={"results": ()}))

    assert table.empty
    assert {"clean", "perturbed", "drop", "verdict"} < set(table.columns)


def test_a_table_without_pandas_says_what_to_install(run, monkeypatch):
    usual = builtins.__import__

    def without_pandas(name, *arguments):
        if name == "pandas":
            raise ImportError(name)
        return usual(name, *arguments)

    monkeypatch.setattr(builtins, "__import__", without_pandas)
    with pytest.raises(SpecError, match="pip install shakeproof\\[frames\\]"):
        run.to_frame()


def test_the_chart_is_a_file_and_an_output(run, tmp_path):
    chart = run.plot()
    chart.save(tmp_path / "chart.svg")
    root = ElementTree.parse(tmp_path / "chart.svg").getroot()

    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert chart._repr_svg_() == (tmp_path / "chart.svg").read_text(encoding="utf-8")
    assert "Agreement with people under keyboard-typo" in chart._repr_html_()
    assert len(repr(chart)) < 80


def test_a_run_without_estimates_has_no_chart(run):
    with pytest.raises(SpecError, match="nothing to draw"):
        run.model_copy(update={"results": ()}).plot()


def test_a_check_is_judged_again_without_rating_anything(counting):
    built = shakeproof.checklist(checks(), metrics={"own": "counting"}, **SETTINGS)
    run = shakeproof.run(built, limit=60)
    rated = len(counting)
    again = run.judge("capitals do not matter", at_most=9.0)
    third = again.judge("typing errors", at_least=-1.0, at_most=None)

    assert rated > 0
    assert len(counting) == rated
    assert [result.outcome for result in run.results][:1] == ["failed"]
    assert [result.outcome for result in again.results] == ["passed"]
    assert again.results[0].estimate == run.results[0].estimate
    assert again.results[0].bounds.high == 9.0
    assert again.command.endswith(".judge('capitals do not matter', at_most=9.0)")
    assert [(r.bounds.low, r.bounds.high) for r in third.results] == [(-1.0, None)] * 2


def test_scores_in_a_file_are_judged_again_too(counting, tmp_path):
    built = shakeproof.checklist(checks()[:1], metrics={"own": "counting"}, **SETTINGS)
    run = shakeproof.run(built, limit=60, cache=tmp_path / "scores.sqlite")
    rated = len(counting)

    assert run.judge("capitals do not matter", at_most=9.0).results[0].outcome == "passed"
    assert len(counting) == rated


@pytest.mark.parametrize(
    ("name", "settings", "message"),
    [
        ("capitals matter", {}, "unknown check 'capitals matter'; did you mean 'capitals do not"),
        ("typing errors", {"atmost": 1}, "did you mean 'at_most'"),
        ("typing errors", {"at_most": "low"}, "at_most must be a number"),
        ("typing errors", {"at_most": None}, "needs a bound"),
        ("typing errors", {"at_least": 0.5}, "at_least 0.5 is above at_most 0.1"),
    ],
)
def test_a_wrong_setting_is_told_in_a_line(run, name, settings, message):
    with pytest.raises(SpecError) as caught:
        run.judge(name, **settings)

    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_what_rates_texts_again_is_not_judged_again(counting):
    check = shakeproof.check("either way round", Symmetry())
    run = shakeproof.run(shakeproof.checklist([check], metrics={"c": "chrf"}, **SETTINGS), limit=40)
    with pytest.raises(SpecError, match="rates texts each time"):
        run.judge("either way round")


def test_a_run_from_a_file_is_not_judged_again(run, tmp_path):
    (tmp_path / "run.json").write_text(run.model_dump_json(), encoding="utf-8")
    with pytest.raises(SpecError, match="which has no scores"):
        shakeproof.read_run(tmp_path / "run.json").judge("typing errors", at_most=0.2)


def test_a_cache_in_memory_may_be_collected_in_another_thread():
    caches = [CacheInMemory()]
    with ThreadPoolExecutor(1) as thread:  # what cannot be closed is an error of this test
        thread.submit(caches.clear).result()
    gc.collect()

    assert not caches
