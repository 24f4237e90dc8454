"""A run against a stored one: regressions fail, the ratchet moves one way."""

import json
import re
from types import SimpleNamespace

import pytest

import shakeproof
from shakeproof.errors import SpecError
from shakeproof.results import Run, exit_code
from shakeproof.runs.baseline import Baseline, read_baseline, renewed
from shakeproof.runs.baseline_file import baseline_lines

CHECKLIST = """\
data: sample
language: en
draws: 500
metrics: {mine: {python: {function: "mine:score", version: "VERSION"}}}
checks:
  - check: agreement
    expect: {correlation: {coefficient: pearson, at_least: -0.5}}
  - check: capitals do not matter
    perturb: {upper-case: {on: candidate}}
    expect: {score_change: {at_most: 3}}
"""
GOOD = """\
def score(candidate, reference):
    one, other = set(candidate.lower().split()), set(reference.lower().split())
    return 2 * len(one & other) / max(len(one) + len(other), 1)
"""
SWAP = "swap: {on: candidate, levels: [1.0]}"
WORSE = GOOD.replace("return 2", "return -2")
CASED = GOOD.replace(".lower()", "")
FILE = "--shakeproof-baseline=base.json"


@pytest.fixture
def run(tmp_path):
    def run(metric=GOOD, text=CHECKLIST, *, baseline=None, **options):
        folder = tmp_path / str(abs(hash((metric, text))))
        folder.mkdir(exist_ok=True)
        (folder / "mine.py").write_text(metric)
        path = folder / "b.checklist.yaml"
        path.write_text(text.replace("VERSION", str(abs(hash(metric)))))
        stored = None
        if baseline is not None:
            stored = tmp_path / "stored.json"
            stored.write_text(baseline.model_dump_json())
        return shakeproof.run(path, baseline=stored, **options)

    return run


def by_check(found):
    return {result.check: result for result in found.results}


def test_the_same_run_again_is_unchanged(run):
    found = run(baseline=run())

    assert {one.outcome for one in found.results} == {"passed"}
    assert all(one.message.endswith("stored.json: unchanged") for one in found.results)
    assert [one.change.estimate.value for one in found.results] == [0.0, 0.0]
    assert found.baseline.endswith("stored.json")


def test_a_loss_whose_whole_interval_is_beyond_the_tolerance_fails_though_bounds_hold(run):
    found = by_check(run(WORSE, baseline=run()))["agreement"]

    assert (found.outcome, found.verdict) == ("failed", "pass")
    assert found.message.startswith("worse by 0.")
    assert "> 0.005 allowed since" in found.message
    assert found.change.estimate.high < -0.005


def test_where_less_is_better_a_rise_is_the_regression(run):
    found = by_check(run(CASED, baseline=run()))["capitals do not matter"]

    assert found.outcome == "failed"
    assert "> 0.05 allowed since" in found.message
    assert found.change.estimate.low > 0.05


def test_the_checklist_may_set_the_tolerance(run):
    lenient = CHECKLIST.replace("draws", "tolerance: {correlation: 2, spread: 0.5}\ndraws")
    worse = by_check(run(WORSE, lenient, baseline=run()))["agreement"]
    cased = by_check(run(CASED, lenient, baseline=run()))["capitals do not matter"]

    assert (worse.outcome, worse.change.estimate.high < -0.005) == ("passed", True)
    assert cased.outcome == "failed"
    assert "> 0.50 allowed since" in cased.message


@pytest.mark.parametrize(
    ("written", "mistake"),
    [
        pytest.param("{corelation: 0.1}", "did you mean 'correlation'", id="misspelt"),
        pytest.param("{spread: -1}", "spread must be at least 0, got -1", id="negative"),
        pytest.param("0.1", "tolerance must be a mapping, got 0.1", id="a number"),
    ],
)
def test_a_tolerance_that_is_none_is_refused(run, written, mistake):
    with pytest.raises(SpecError, match=mistake):
        run(text=CHECKLIST.replace("draws", f"tolerance: {written}\ndraws"))


def test_documents_are_compared_whole_where_they_are_drawn_whole(run):
    clustered = CHECKLIST.replace("draws", "cluster: domain\ndraws")
    alone, whole = (
        by_check(run(CASED, text, baseline=run(text=text)))["agreement"].change.estimate
        for text in (CHECKLIST, clustered)
    )

    assert (alone.segments, whole.segments) == (96, 24)
    assert alone.value == pytest.approx(whole.value)


def test_other_documents_are_not_comparable(run):
    found = run(text=CHECKLIST.replace("draws", "cluster: domain\ndraws"), baseline=run())

    assert "other segments are resampled together" in by_check(found)["agreement"].message


def test_a_gain_passes_and_says_so_with_what_else_the_metric_is_now(run):
    found = by_check(run(baseline=run(WORSE)))["agreement"]

    assert found.outcome == "passed"
    assert "stored.json: better by 0." in found.message
    assert "metric settings changed: " in found.message
    assert (found.change.kind, found.change.estimate.low > 0) == ("better", True)


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [
        pytest.param("language: en", "language: en\nseed: 3", "another seed", id="seed"),
        pytest.param("pearson", "spearman", "another quantity", id="coefficient"),
        pytest.param("pearson,", "pearson, tie: 0.1,", "other settings", id="settings"),
    ],
)
def test_another_question_is_not_comparable_and_says_why(run, before, after, reason):
    found = by_check(run(WORSE, CHECKLIST.replace(before, after), baseline=run()))["agreement"]

    assert found.outcome == "passed"
    assert f"not comparable with {found.message.split('with ')[1]}" in found.message
    assert reason in found.message
    assert found.change.kind == "not comparable"


def test_other_segments_are_not_comparable(run):
    found = by_check(run(WORSE, limit=50, baseline=run()))["agreement"]

    assert "another part of the data" in found.message


def test_another_bound_is_the_same_question(run):
    found = run(text=CHECKLIST.replace("-0.5", "-0.6"), baseline=run())

    assert by_check(found)["agreement"].message.endswith("unchanged")


def test_the_ratchet_moves_up_and_not_down(run):
    good, worse = run(), run(WORSE)
    value = by_check(good)["agreement"].estimate.value

    up, down = renewed(Baseline("b", worse), good), renewed(Baseline("b", good), worse)

    assert by_check(up)["agreement"].estimate.value == value
    assert by_check(down)["agreement"].estimate.value == value
    assert up.checklists[0].metrics == good.checklists[0].metrics


def test_a_baseline_keeps_what_did_not_run_and_no_texts(run):
    both = run(CASED, CHECKLIST.replace("at_most: 3", "at_most: 0.1"))
    assert by_check(both)["capitals do not matter"].examples
    one = both.model_copy(update={"results": both.results[:1]})

    stored = renewed(Baseline("b", renewed(None, both)), one)

    assert len(stored.results) == 2
    assert not any(result.examples for result in stored.results)
    assert Run.model_validate_json(stored.model_dump_json()) == stored


def test_other_data_replace_all_that_the_baseline_knew_of_the_checklist(run):
    whole = run()
    part = run(limit=50)
    stored = renewed(Baseline("b", whole), part.model_copy(update={"results": part.results[:1]}))

    assert [one.check for one in stored.results] == ["agreement"]


def test_what_a_checklist_asks_otherwise_now_is_forgotten_though_it_did_not_run(run):
    before = run()
    after = run(text=CHECKLIST.replace("pearson,", "pearson, tie: 0.1,"))
    only = after.model_copy(update={"results": after.results[1:]})

    stored = renewed(Baseline("b", before), only)

    assert [one.check for one in stored.results] == ["capitals do not matter"]


def test_a_family_declared_otherwise_is_another_question(run):
    own = "families: {swap: {replace: {a: e}, keeps_meaning: true}}\nmetrics:"
    text = CHECKLIST.replace("metrics:", own).replace("upper-case: {on: candidate}", SWAP)
    found = run(text=text.replace("a: e", "a: o"), baseline=run(text=text))

    message = by_check(found)["capitals do not matter"].message
    assert "family 'swap' is declared differently" in message


def test_a_baseline_that_is_no_run_is_told_in_one_line(tmp_path):
    path = tmp_path / "b.json"
    path.write_text("{}")
    with pytest.raises(SpecError, match="not a run: no schema_version"):
        read_baseline(path)


FAILING = CHECKLIST.replace("at_least: -0.5", "at_least: 0.9")
AXIOM = (
    CHECKLIST.partition("checks:")[0]
    + """\
checks:
  - check: scores lie in a range
    expect: {score_range: {low: 0, high: 0.1}}
"""
)


def outcomes(found):
    return [result.outcome for result in found.results]


def test_with_only_regressions_a_failure_that_the_baseline_has_is_a_known_one(run):
    before = run(text=FAILING)
    default = run(text=FAILING, baseline=before)
    only = run(text=FAILING, baseline=before, only_regressions=True)

    assert outcomes(default) == ["failed", "passed"]
    assert outcomes(only) == ["known failure", "passed"]
    assert re.fullmatch("failed in .*stored.json too, and is no worse", only.results[0].reason)
    assert [exit_code(found) for found in (default, only)] == [1, 0]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param((GOOD, FAILING), (WORSE, FAILING), id="it got worse"),
        pytest.param((GOOD, CHECKLIST), (GOOD, FAILING), id="it passed before"),
        pytest.param(
            (GOOD, FAILING.replace("check: agreement", "check: another")),
            (GOOD, FAILING),
            id="the baseline does not have it",
        ),
        pytest.param(
            (GOOD, FAILING.replace("pearson,", "pearson, tie: 0.1,")),
            (GOOD, FAILING),
            id="not comparable",
        ),
    ],
)
def test_with_only_regressions_other_failures_fail_as_usual(run, before, after):
    found = run(*after, baseline=run(*before), only_regressions=True)

    assert by_check(found)["agreement"].outcome == "failed"


def test_with_only_regressions_a_result_within_its_bounds_that_got_worse_fails(run):
    found = run(WORSE, baseline=run(), only_regressions=True)

    assert by_check(found)["agreement"].outcome == "failed"


def test_with_only_regressions_counted_violations_may_not_increase(run):
    before = run(text=AXIOM)
    (stored,) = before.results
    fewer = stored.estimate.model_copy(update={"value": stored.estimate.value - 1})
    better = before.model_copy(update={"results": (stored.model_copy(update={"estimate": fewer}),)})

    assert outcomes(run(text=AXIOM, baseline=before, only_regressions=True)) == ["known failure"]
    assert outcomes(run(text=AXIOM, baseline=better, only_regressions=True)) == ["failed"]


def test_with_only_regressions_an_undecided_check_of_the_baseline_passes_a_strict_session(run):
    first = run(limit=20, strict=True)
    found = run(limit=20, strict=True, baseline=first, only_regressions=True)

    assert outcomes(found) == ["undecided", "undecided"]
    assert [exit_code(first), exit_code(found)] == [1, 0]


def test_only_regressions_without_a_baseline_is_refused(run, project):
    with pytest.raises(SpecError, match="only_regressions=True needs baseline=FILE"):
        run(only_regressions=True)
    result = project.runpytest("--shakeproof-only-regressions")

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*--shakeproof-only-regressions needs --shakeproof-baseline=FILE"])


def test_pytest_passes_where_nothing_got_worse(project):
    project.makefile(".checklist.yaml", b=FAILING.replace('version: "VERSION"', "version: '1'"))
    project.runpytest(FILE, "--shakeproof-update-baseline").assert_outcomes(passed=1, failed=1)
    result = project.runpytest(FILE, "--shakeproof-only-regressions")

    result.assert_outcomes(passed=1, xfailed=1)
    assert result.ret == 0


@pytest.fixture
def project(pytester):
    pytester.makefile(".py", mine=GOOD)
    pytester.makefile(".checklist.yaml", b=CHECKLIST.replace('version: "VERSION"', "version: '1'"))
    return pytester


def test_pytest_writes_a_baseline_fails_a_regression_and_keeps_the_better_numbers(project):
    first = project.runpytest(FILE, "--shakeproof-update-baseline")
    first.assert_outcomes(passed=2)
    before = json.loads((project.path / "base.json").read_text())
    project.makefile(".py", mine=WORSE)
    project.makefile(".checklist.yaml", b=CHECKLIST.replace('version: "VERSION"', "version: '2'"))
    second = project.runpytest_subprocess(
        FILE, "--shakeproof-update-baseline", "--shakeproof-json=run.json", "-p", "no:cacheprovider"
    )

    second.assert_outcomes(passed=1, failed=1)
    second.stdout.fnmatch_lines(["worse by 0.*> 0.005 allowed since base.json; correlation *"])
    after = json.loads((project.path / "base.json").read_text())
    assert after["results"][0]["estimate"] == before["results"][0]["estimate"]
    run = json.loads((project.path / "run.json").read_text())
    assert run["baseline"] == "base.json"
    assert run["results"][0]["outcome"] == "failed"
    assert run["results"][0]["change"]["estimate"]["value"] < 0


def test_pytest_writes_lines_where_the_file_is_named_so_and_fails_a_regression(project):
    lines = "--shakeproof-baseline=base.jsonl"
    project.runpytest(lines, "--shakeproof-update-baseline").assert_outcomes(passed=2)
    project.makefile(".py", mine=WORSE)
    project.makefile(".checklist.yaml", b=CHECKLIST.replace('version: "VERSION"', "version: '2'"))
    second = project.runpytest_subprocess(lines, "-p", "no:cacheprovider")

    second.assert_outcomes(passed=1, failed=1)
    second.stdout.fnmatch_lines(["worse by 0.*> 0.005 allowed since base.jsonl; correlation *"])
    assert (project.path / "base.jsonl").read_text().startswith('{"schema_version":"shakeproof-b')


def test_updating_without_naming_a_baseline_is_refused(project):
    result = project.runpytest("--shakeproof-update-baseline")

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*--shakeproof-update-baseline needs --shakeproof-baseline=FILE*"])


def test_a_baseline_that_is_not_there_is_one_line_that_says_how_to_write_it(project):
    result = project.runpytest(FILE)

    (line,) = [line for line in result.outlines if line.startswith("base.json")]
    assert line == "base.json: no such file; pytest --shakeproof-update-baseline writes it"
    assert "Traceback" not in result.stdout.str()


SINCE = """\
data: sample
language: en
draws: 500
metrics: {mine: {python: {function: "mine:score", version: "VERSION"}}}
checks:
  - check: no worse than before
    expect: {no_worse_than_baseline: {baseline: last.json}}
"""


@pytest.fixture
def since(run, tmp_path):
    """Judge a metric by a run that is stored beside its checklist."""

    def since(metric, stored, text=SINCE):
        folder = tmp_path / str(abs(hash((metric, text))))
        folder.mkdir(exist_ok=True)
        if stored is not None:
            (folder / "last.json").write_text(stored.model_dump_json())
        (found,) = run(metric, text).results
        return found

    return since


def test_an_expectation_finds_nothing_lost_since_the_same_metric_was_stored(run, since):
    found = since(GOOD, run())

    assert found.outcome == "passed"
    assert re.fullmatch(r"(0\.\d+) → \1, unchanged at \1", found.message)
    assert found.estimate.value == 0
    assert [part.name for part in found.parts[:2]] == ["then", "now"]
    assert found.p == 1.0


def test_an_expectation_reads_a_baseline_of_lines(run, since):
    lines = "".join(baseline_lines(renewed(None, run())))
    stored = SimpleNamespace(model_dump_json=lambda: lines)

    assert "unchanged at 0." in since(GOOD, stored).message
    assert since(WORSE, stored).outcome == "failed"


def test_an_expectation_fails_on_a_loss_and_passes_a_gain(run, since):
    worse, better = since(WORSE, run()), since(GOOD, run(WORSE))

    assert worse.outcome == "failed"
    assert re.fullmatch(
        r"0\.\d+ → -0\.\d+, worse by 0\.\S+ \[\S+, \S+\] > 0.005 allowed", worse.message
    )
    assert worse.p < 0.025
    assert better.outcome == "passed"
    assert better.estimate.high < 0


def test_an_expectation_passes_only_where_a_loss_is_ruled_out(run, since):
    found = since(CASED, run())
    lenient = since(CASED, run(), SINCE.replace("last.json", "last.json, tolerance: 0.5"))

    assert (found.outcome, found.estimate.low < 0.005 < found.estimate.high) == ("undecided", True)
    assert found.message.startswith("probably worse than before: 0.")
    assert "], 0.005 allowed; at least " in found.message
    assert lenient.outcome == "passed"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        pytest.param(SINCE, "no run is stored in last.json yet; write one", id="no file"),
        pytest.param(
            SINCE.replace("last.json", "last.json, coefficient: spearman"),
            "last.json has no such correlation of 'mine'",
            id="another coefficient",
        ),
        pytest.param(
            SINCE.replace("last.json", "last.json, tie: 0.5"),
            "not comparable with last.json: other settings of the expectation",
            id="another tie",
        ),
        pytest.param(
            SINCE.replace("draws", "seed: 3\ndraws"),
            "not comparable with last.json: another seed",
            id="another seed",
        ),
    ],
)
def test_an_expectation_with_nothing_to_compare_is_undecided(run, since, text, reason):
    found = since(WORSE, run() if text is not SINCE else None, text)

    assert found.outcome == "undecided"
    assert found.message.startswith(reason)


def test_a_stored_file_that_is_no_run_is_an_error_in_one_line(run, tmp_path):
    folder = tmp_path / str(abs(hash((GOOD, SINCE))))
    folder.mkdir()
    (folder / "last.json").write_text("{}")
    (found,) = run(GOOD, SINCE).results

    assert found.outcome == "error"
    assert "last.json: not a run: no schema_version" in found.message
    assert "\n" not in found.message
