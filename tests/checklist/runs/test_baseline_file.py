"""Baselines as files for a repository: small, without texts, merged by git, as good as a run."""

import json
import subprocess
from itertools import product

import numpy as np
import pytest
from built_results import drop
from built_runs import wrap

from shakeproof.errors import SpecError
from shakeproof.results import ChangeKind, CheckRecord, Part, PartName
from shakeproof.runs.archive import as_json
from shakeproof.runs.baseline import Baseline, read_baseline, renewed
from shakeproof.runs.baseline_file import baseline_lines, baseline_text, parse_baseline
from shakeproof.runs.compare import compare_runs
from shakeproof.stats.compare import pack_influence

METRICS = ("deep", "shallow", "para-large", "chrf")
FAMILIES = ("visual", "intrude", "phonetic", "keyboard-typo", "disemvowel")
LEVELS = tuple(n / 20 for n in range(1, 11))


def noisy(result, seed, *, segments=1_750):
    rng = np.random.default_rng(seed)
    return result.model_copy(
        update={
            "influence": pack_influence(rng.normal(size=segments)),
            "estimate": result.estimate.model_copy(update={"value": rng.normal()}),
        }
    )


@pytest.fixture(scope="module")
def large():
    """A run of 200 checks on 1,750 segments."""
    cases = enumerate(product(METRICS, FAMILIES, LEVELS))
    return wrap([noisy(drop(*case), seed) for seed, case in cases])


@pytest.fixture
def small():
    return wrap([noisy(drop(metric, "visual", 0.3), 1, segments=50) for metric in METRICS])


def text_of(run):
    return "".join(baseline_lines(renewed(None, run)))


def test_two_hundred_checks_take_less_than_200_kb(large):
    assert len(large.results) == 200
    assert len(text_of(large).encode()) < 200_000


def test_lines_are_sorted_one_for_each_result_with_an_empty_line_between(large):
    header, *lines = text_of(large).removesuffix("\n\n").split("\n\n")
    names = [json.loads(line)["result"] for line in lines if line.startswith('{"result"')]

    assert json.loads(header) == {"schema_version": "shakeproof-baseline/1"}
    assert names == sorted(result.id for result in large.results)
    assert not any("\n" in line for line in lines)


def test_the_order_of_a_run_does_not_matter(small):
    turned = small.model_copy(update={"results": small.results[::-1]})

    assert text_of(turned) == text_of(small)


def test_what_is_read_is_written_again_alike(large):
    text = text_of(large)

    assert "".join(baseline_lines(parse_baseline(text, "b.jsonl"))) == text


def test_nothing_of_the_texts_is_in_the_file(small):
    text = text_of(small)

    assert any(result.examples for result in small.results)
    assert not any(
        example.before in text or example.after in text
        for result in small.results
        for example in result.examples
    )
    assert small.checklists[0].text not in text


def test_a_run_is_unchanged_against_its_own_baseline(small):
    comparison = compare_runs(parse_baseline(text_of(small), "b.jsonl"), small)

    assert {pair.change.kind for pair in comparison.results} == {ChangeKind.UNCHANGED}
    assert (comparison.only_old, comparison.only_new) == ((), ())


def test_the_change_against_a_baseline_is_that_against_the_run(small):
    later = small.model_copy(
        update={
            "results": tuple(
                noisy(result, number + 2, segments=50)
                for number, result in enumerate(small.results)
            )
        }
    )
    whole = compare_runs(small, later)
    coarse = compare_runs(parse_baseline(text_of(small), "b.jsonl"), later)

    for one, other in zip(whole.results, coarse.results, strict=True):
        assert one.new.id == other.new.id
        assert one.change.kind == other.change.kind
        assert other.change.estimate.value == one.change.estimate.value
        assert other.change.estimate.low == pytest.approx(one.change.estimate.low, abs=0.01)
        assert other.change.estimate.segments == 50


def test_other_settings_of_a_check_and_other_data_are_not_comparable(small):
    record = small.checklists[0]
    asked = {small.results[0].check: CheckRecord(expectation="correlation_drop", settings={})}
    before = small.model_copy(update={"checklists": (record.model_copy(update={"checks": asked}),)})
    data = (record.data[0].model_copy(update={"sha256": "0" * 64}),)
    other = small.model_copy(update={"checklists": (record.model_copy(update={"data": data}),)})
    reasons = [
        compare_runs(parse_baseline(text_of(before), "b.jsonl"), small).results[0].change.reason,
        compare_runs(parse_baseline(text_of(other), "b.jsonl"), small).results[0].change.reason,
    ]

    assert reasons == ["other settings of the expectation", "other data or ratings"]


def test_the_share_that_is_kept_is_stored(small):
    part = Part(
        name=PartName.RETENTION,
        estimate=small.results[0].estimate.model_copy(update={"value": 0.75}),
    )
    result = small.results[0].model_copy(update={"expectation": "retention", "parts": (part,)})
    (stored,) = parse_baseline(text_of(wrap([result])), "b.jsonl").results

    assert [(kept.name, kept.estimate.value) for kept in stored.parts] == [("retention", 0.75)]


def test_names_that_an_id_does_not_tell_are_stored(small):
    odd = small.results[0].model_copy(update={"id": "another id"})
    (stored,) = parse_baseline(text_of(wrap([odd])), "b.jsonl").results

    assert (stored.id, stored.file, stored.metric) == ("another id", odd.file, odd.metric)


def test_the_name_decides_how_a_new_file_is_written_and_the_content_how_an_old_one_is(
    small, tmp_path
):
    lines, whole = tmp_path / "b.jsonl", tmp_path / "b.json"

    assert baseline_text(lines, small) == "".join(baseline_lines(small))
    assert baseline_text(whole, small) == as_json(small)
    whole.write_text(text_of(small), encoding="utf-8")
    assert baseline_text(whole, small) == "".join(baseline_lines(small))
    assert len(read_baseline(whole).results) == 4


def test_what_is_better_replaces_what_a_baseline_has(small):
    stored = Baseline("b", parse_baseline(text_of(small), "b.jsonl"))
    first = small.results[0]
    lower = first.estimate.model_copy(update={"value": first.estimate.value - 9})
    better = first.model_copy(update={"estimate": lower})
    later = renewed(stored, wrap([better, *small.results[1:]]))

    values = {result.id: result.estimate.value for result in later.results}
    assert values[first.id] == lower.value
    assert len(text_of(later).split("\n\n")) == len(text_of(small).split("\n\n"))


@pytest.mark.parametrize("accept", [False, True])
def test_a_loss_is_stored_only_if_it_is_accepted(small, accept):
    stored = Baseline("b", parse_baseline(text_of(small), "b.jsonl"))
    first = small.results[0]
    higher = first.estimate.model_copy(update={"value": first.estimate.value + 9})
    worse = wrap([first.model_copy(update={"estimate": higher})])
    values = {
        result.id: result.estimate.value for result in renewed(stored, worse, accept=accept).results
    }

    assert (values[first.id] == higher.value) is accept


def git(folder, *arguments):
    identity = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    return subprocess.run(
        ["git", *identity, *arguments], cwd=folder, check=False, capture_output=True, text=True
    )


def test_git_merges_changes_of_neighbouring_checks(small, tmp_path):
    path = tmp_path / "b.jsonl"
    ids = sorted(result.id for result in small.results)

    def commit(name, changed):
        later = [
            noisy(result, 9, segments=50) if result.id == changed else result
            for result in small.results
        ]
        path.write_text(text_of(wrap(later)), encoding="utf-8")
        git(tmp_path, "add", "b.jsonl")
        git(tmp_path, "commit", "-m", name)

    git(tmp_path, "init", "-b", "main")
    commit("base", None)
    git(tmp_path, "checkout", "-b", "other")
    commit("other", ids[1])
    git(tmp_path, "checkout", "main")
    commit("mine", ids[2])
    merged = git(tmp_path, "merge", "other")

    assert merged.returncode == 0, merged.stdout
    both = {result.id: result for result in read_baseline(path).run.results}
    assert both[ids[1]].influence == both[ids[2]].influence != both[ids[0]].influence


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        pytest.param(("{", "<<<<<<< HEAD\n{", 2), ":3: a merge conflict; keep one", id="conflict"),
        pytest.param(('{"metric"', '{"metric', 2), ": not JSON; ", id="not JSON"),
        pytest.param(('{"metric"', '{"mtric"', 2), ": not a line of a baseline; ", id="a kind"),
        pytest.param(('"kind":"bertscore"', '"kind":3', 1), "baseline: kind: Input", id="a type"),
        pytest.param(("bins:50", "bins:5x", 1), "no influences of bins", id="influences"),
        pytest.param(("baseline/1", "baseline/2", 1), "a newer one may read it", id="a version"),
    ],
)
def test_what_is_no_baseline_is_refused_in_one_line(small, tmp_path, damage, message):
    path = tmp_path / "b.jsonl"
    old, new, times = damage
    header, rest = text_of(small).split("\n", 1)
    damaged = (
        f"{header}\n{rest.replace(old, new, times)}"
        if "/" not in old
        else (f"{header.replace(old, new)}\n{rest}")
    )
    path.write_text(damaged, encoding="utf-8")
    with pytest.raises(SpecError) as caught:
        read_baseline(path)

    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_line_that_a_merge_left_twice_is_refused(small, tmp_path):
    path = tmp_path / "b.jsonl"
    text = text_of(small)
    path.write_text(text + text.split("\n\n")[-2] + "\n", encoding="utf-8")
    with pytest.raises(SpecError, match="is on an earlier line too; delete one of the two"):
        read_baseline(path)
